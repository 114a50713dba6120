#include "validate/compare_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/planted.h"

namespace tilebound::validate {
namespace {

using ::testing::HasSubstr;

pb::Tolerances FivePercent() {
  pb::Tolerances tolerances;
  tolerances.set_clock_relative(0.03);
  tolerances.set_confidence(0.95);
  tolerances.add_tolerance()->set_relative(0.05);
  return tolerances;
}

pb::Conditions Conditions() {
  pb::Conditions conditions;
  conditions.set_sm_clock_mhz(1200);
  conditions.set_events(10000);
  conditions.set_warmup_events(100);
  conditions.set_timer_quantum_ps(kPlantedQuantumPs);
  return conditions;
}

pb::Metric Quantiles(double p50, double p99) {
  pb::Metric metric = ScalarMetric(kLatency, 0, 9900);
  metric.mutable_quantiles()->add_q(0.5);
  metric.mutable_quantiles()->add_value(p50);
  metric.mutable_quantiles()->add_q(0.99);
  metric.mutable_quantiles()->add_value(p99);
  return metric;
}

pb::Cell CellWith(const pb::Metric& metric) {
  pb::Cell cell;
  *cell.mutable_key() = PlantedKey(288, 1);
  *cell.add_metrics() = metric;
  return cell;
}

std::vector<Comparison> Compare(const pb::Metric& predicted,
                                const pb::Metric& measured,
                                const pb::Conditions& conditions) {
  const pb::Tolerances tolerances = FivePercent();
  return CellComparer(tolerances)
      .Compare(CellWith(predicted), Conditions(), CellWith(measured),
               conditions);
}

TEST(CompareCell, JudgesEachPublishedQuantile) {
  const auto all =
      Compare(Quantiles(64, 70), Quantiles(64.5, 86), Conditions());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].Name(), "latency p50");
  EXPECT_EQ(all[0].verdict, Verdict::kAgrees);
  EXPECT_EQ(all[1].Name(), "latency p99");
  EXPECT_EQ(all[1].verdict, Verdict::kOptimistic);
  EXPECT_NEAR(*all[1].RelativeError(), -16.0 / 86, 1e-12);
  // 10,000 events less 100 of warm-up are not few.
  EXPECT_FALSE(all[1].few_events);
}

TEST(CompareCell, ReadsThePublishedQuantilesOffAPredictedHistogram) {
  Histogram histogram(kPlantedQuantumPs);
  histogram.Add(63, 98);
  histogram.Add(84, 2);
  const auto all = Compare(HistogramMetric(kLatency, histogram),
                           Quantiles(64.51, 86.02), Conditions());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_DOUBLE_EQ(*all[0].predicted, 63 * 1.024);
  EXPECT_DOUBLE_EQ(*all[1].predicted, 84 * 1.024);
  // Quantiles alone give no interval.
  EXPECT_FALSE(all[0].low.has_value());
}

TEST(CompareCell, AMeasuredHistogramGivesItsInterval) {
  PlantedRandom random(1);
  const Histogram measured = LognormalHistogram(100, 0.2, 10000, random);
  const auto all = Compare(HistogramMetric(kLatency, measured),
                           HistogramMetric(kLatency, measured), Conditions());
  ASSERT_EQ(all.size(), 4u);
  for (const Comparison& comparison : all) {
    const auto interval = measured.Interval(comparison.q, 0.95);
    EXPECT_DOUBLE_EQ(*comparison.low, measured.ToMicroseconds(interval->low));
    EXPECT_DOUBLE_EQ(*comparison.high, measured.ToMicroseconds(interval->high));
    EXPECT_EQ(comparison.verdict, Verdict::kAgrees);
  }
}

TEST(CompareCell, SaysWhyItDidNotCompare) {
  const pb::Metric unknown =
      AbsentMetric(kLatency, pb::Metric::NOT_MODELLED, "no law for it");
  auto all = Compare(unknown, Quantiles(64, 86), Conditions());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].verdict, Verdict::kNotCompared);
  EXPECT_EQ(all[0].reason, "predicted: NOT_MODELLED (no law for it)");

  all = Compare(Quantiles(64, 86),
                AbsentMetric(kLatency, pb::Metric::FAILED, "poison missed"),
                Conditions());
  EXPECT_EQ(all[0].reason, "measured: FAILED (poison missed)");

  all = Compare(ScalarMetric(kOverhead, 1, 1), Quantiles(64, 86), Conditions());
  EXPECT_EQ(all[0].reason, "not predicted");
  EXPECT_EQ(*all[0].measured, 64);
}

TEST(CompareCell, ClocksOverThreePercentApartAreNotCompared) {
  pb::Conditions slow = Conditions();
  slow.set_sm_clock_mhz(1050);
  const auto all = Compare(Quantiles(64, 86), Quantiles(64, 86), slow);
  EXPECT_EQ(all[0].verdict, Verdict::kNotCompared);
  EXPECT_THAT(all[0].reason, HasSubstr("1200 MHz"));
  EXPECT_THAT(all[0].reason, HasSubstr("1050 MHz"));

  pb::Conditions near = Conditions();
  near.set_sm_clock_mhz(1165.1);  // 3 % under 1200 is 1165.05.
  EXPECT_EQ(Compare(Quantiles(64, 86), Quantiles(64, 86), near)[0].verdict,
            Verdict::kAgrees);
  pb::Conditions unknown = Conditions();
  unknown.clear_sm_clock_mhz();
  EXPECT_EQ(Compare(Quantiles(64, 86), Quantiles(64, 86), unknown)[0].verdict,
            Verdict::kAgrees);
}

TEST(CompareCell, OnlyTheQuantilesThatAreSoftAreSoft) {
  pb::Metric measured = Quantiles(64, 86);
  measured.set_soft_reason("differs between cards");
  measured.add_soft_q(0.99);
  auto all = Compare(Quantiles(64, 86), measured, Conditions());
  EXPECT_EQ(all[0].soft_reason, "");
  EXPECT_EQ(all[1].soft_reason, "differs between cards");
  measured.clear_soft_q();
  all = Compare(Quantiles(64, 86), measured, Conditions());
  EXPECT_EQ(all[0].soft_reason, "differs between cards");
}

TEST(CompareCell, MarksATailFromFewEvents) {
  pb::Conditions few = Conditions();
  few.clear_warmup_events();
  const auto all = Compare(Quantiles(64, 86), Quantiles(64, 86), few);
  EXPECT_FALSE(all[0].few_events);
  EXPECT_TRUE(all[1].few_events);
}

TEST(CompareCell, HostTimesHaveNoQuantum) {
  const pb::Tolerances tolerances = FivePercent();
  pb::Cell predicted = CellWith(Quantiles(9.2, 12));
  pb::Cell measured = CellWith(Quantiles(10, 12));
  predicted.mutable_key()->set_setter(pb::HOST);
  measured.mutable_key()->set_setter(pb::HOST);
  const auto all =
      CellComparer(tolerances)
          .Compare(predicted, Conditions(), measured, Conditions());
  // Within one tick of 1.024 us, but 8 % off.
  EXPECT_EQ(all[0].verdict, Verdict::kOptimistic);
}

TEST(CompareCell, WithoutADeclaredToleranceThereIsNoVerdict) {
  pb::Tolerances none = FivePercent();
  none.clear_tolerance();
  const auto all =
      CellComparer(none).Compare(CellWith(Quantiles(64, 86)), Conditions(),
                                 CellWith(Quantiles(64, 86)), Conditions());
  EXPECT_EQ(all[0].verdict, Verdict::kNotCompared);
  EXPECT_THAT(all[0].reason, HasSubstr("tolerance"));
}

}  // namespace
}  // namespace tilebound::validate
