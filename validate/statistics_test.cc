#include "validate/statistics.h"

#include <gtest/gtest.h>

namespace tilebound::validate {
namespace {

Comparison Of(const char* metric, double predicted, double measured,
              Verdict verdict) {
  Comparison comparison;
  comparison.metric = FindMetricInfo(metric);
  comparison.q = metric == std::string(kOverhead) ? 0 : 0.5;
  comparison.predicted = predicted;
  comparison.measured = measured;
  comparison.verdict = verdict;
  comparison.within = verdict == Verdict::kAgrees;
  return comparison;
}

TEST(Accuracy, MapeIsOverTheMeasuredValueAndBiasKeepsTheSign) {
  Accuracy accuracy;
  accuracy.Add(Of(kLatency, 90, 100, Verdict::kOptimistic));    // -10 %
  accuracy.Add(Of(kLatency, 210, 200, Verdict::kAgrees));       // +5 %
  accuracy.Add(Of(kLatency, 300, 200, Verdict::kPessimistic));  // +50 %
  EXPECT_NEAR(*accuracy.mape(), (0.10 + 0.05 + 0.50) / 3, 1e-12);
  EXPECT_NEAR(*accuracy.bias(), (-0.10 + 0.05 + 0.50) / 3, 1e-12);
  EXPECT_NEAR(*accuracy.worst(), 0.50, 1e-12);
  EXPECT_EQ(accuracy.compared(), 3u);
  EXPECT_EQ(accuracy.within(), 1u);
}

TEST(Accuracy, PercentFiguresHaveDifferencesButNoMape) {
  Accuracy accuracy;
  accuracy.Add(Of(kOverhead, 1.0, -0.5, Verdict::kPessimistic));
  accuracy.Add(Of(kOverhead, 0.5, 1.0, Verdict::kAgrees));
  EXPECT_FALSE(accuracy.mape().has_value());
  EXPECT_NEAR(*accuracy.mean_absolute_difference(), 1.0, 1e-12);
  EXPECT_NEAR(*accuracy.mean_difference(), 0.5, 1e-12);
}

TEST(Accuracy, WhatWasNotComparedCountsNowhereElse) {
  Accuracy accuracy;
  Comparison absent = Of(kLatency, 1, 1, Verdict::kNotCompared);
  absent.predicted.reset();
  accuracy.Add(absent);
  EXPECT_EQ(accuracy.not_compared(), 1u);
  EXPECT_EQ(accuracy.compared(), 0u);
  EXPECT_FALSE(accuracy.mape().has_value());
  EXPECT_FALSE(accuracy.mean_difference().has_value());
}

TEST(Accuracy, CorrelationIsOneOnALineAndAbsentForConstants) {
  Accuracy line, constant;
  for (const double x : {1.0, 2.0, 5.0, 9.0}) {
    line.Add(Of(kLatency, 3 * x + 1e6, x, Verdict::kAgrees));
    constant.Add(Of(kLatency, 7, x, Verdict::kAgrees));
  }
  EXPECT_NEAR(*line.correlation(), 1, 1e-9);
  EXPECT_FALSE(constant.correlation().has_value());
}

TEST(AccuracyTable, KeepsMetricsAndQuantilesApartInRegistryOrder) {
  AccuracyTable table;
  table.Add(Of(kOverhead, 1, 1, Verdict::kAgrees));
  table.Add(Of(kSpread, 1, 1, Verdict::kAgrees));
  table.Add(Of(kLatency, 1, 1, Verdict::kAgrees));
  table.Add(Of(kLatency, 1, 1, Verdict::kAgrees));
  ASSERT_EQ(table.entries().size(), 3u);
  EXPECT_EQ(table.entries()[0].metric->name, kLatency);
  EXPECT_EQ(table.entries()[2].metric->name, kOverhead);
  EXPECT_EQ(table.Find(kLatency, 0.5)->compared(), 2u);
  EXPECT_EQ(table.Find(kLatency, 0.99), nullptr);
}

}  // namespace
}  // namespace tilebound::validate
