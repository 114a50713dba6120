#include "data/schema/metric.h"

#include <limits>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string Error(const pb::Metric& metric) {
  return std::string(ValidateMetric(metric).message());
}

pb::Metric Published(std::vector<double> q, std::vector<double> value) {
  pb::Metric metric;
  metric.set_name(kLatency);
  metric.set_unit("us");
  *metric.mutable_quantiles()->mutable_q() = {q.begin(), q.end()};
  *metric.mutable_quantiles()->mutable_value() = {value.begin(), value.end()};
  return metric;
}

TEST(MetricRegistry, NamesEachMetricOnceWithUnitAndMeaning) {
  std::set<std::string> names;
  for (const MetricInfo& info : MetricRegistry()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.unit.empty()) << info.name;
    EXPECT_FALSE(info.meaning.empty()) << info.name;
    EXPECT_EQ(FindMetricInfo(info.name), &info);
  }
  EXPECT_EQ(FindMetricInfo("latencies"), nullptr);
}

TEST(MetricQuantile, OfAHistogramIsInMicroseconds) {
  Histogram histogram(1'024'000);
  histogram.Add(63, 99);
  histogram.Add(84);
  const pb::Metric metric = HistogramMetric(kLatency, histogram);
  EXPECT_EQ(metric.n(), 100u);
  EXPECT_TRUE(ValidateMetric(metric).ok());
  // 63 and 84 ticks of 1.024 us.
  EXPECT_DOUBLE_EQ(*MetricQuantile(metric, 0.99), 64.512);
  EXPECT_DOUBLE_EQ(*MetricQuantile(metric, 1), 86.016);
}

TEST(MetricQuantile, OfStoredQuantilesIsNeverInterpolated) {
  const pb::Metric metric = Published({0.5, 0.99}, {64.512, 86.016});
  EXPECT_DOUBLE_EQ(*MetricQuantile(metric, 0.99), 86.016);
  EXPECT_FALSE(MetricQuantile(metric, 0.9).has_value());
}

TEST(MetricQuantile, IsAbsentWithoutADistribution) {
  EXPECT_FALSE(MetricQuantile(ScalarMetric(kOverhead, -0.3, 5), 0.5));
  EXPECT_FALSE(MetricQuantile(HistogramMetric(kLatency, Histogram(1)), 0.5));
  EXPECT_FALSE(MetricQuantile(
      AbsentMetric(kLatency, pb::Metric::SKIPPED, "too long"), 0.5));
}

TEST(MetricScalar, IsTheNumberOrAbsent) {
  EXPECT_DOUBLE_EQ(*MetricScalar(ScalarMetric(kOverhead, -0.3, 5)), -0.3);
  EXPECT_FALSE(MetricScalar(Published({0.5}, {1})));
  EXPECT_FALSE(MetricScalar(
      AbsentMetric(kOverhead, pb::Metric::NOT_MODELLED, "no law")));
}

TEST(FindMetric, GivesTheFirstOfThatName) {
  pb::Cell cell;
  *cell.add_metrics() = ScalarMetric(kOverhead, 1, 0);
  *cell.add_metrics() = Published({0.5}, {3});
  EXPECT_EQ(FindMetric(cell, kLatency), &cell.metrics(1));
  EXPECT_EQ(FindMetric(cell, kE2e), nullptr);
}

TEST(ValidateMetric, SuggestsARegisteredName) {
  pb::Metric metric = Published({0.5}, {1});
  metric.set_name("latancy");
  EXPECT_THAT(
      Error(metric),
      HasSubstr("\"latancy\" is not registered (did you mean latency?); "
                "accepted are latency, latency_with_setter"));
}

TEST(ValidateMetric, RefusesAForeignUnit) {
  pb::Metric metric = Published({0.5}, {1});
  metric.set_unit("ms");
  EXPECT_EQ(Error(metric),
            "metric latency: unit is \"ms\"; it is always \"us\"");
}

TEST(ValidateMetric, RefusesNumbersThatAreNotFinite) {
  EXPECT_EQ(Error(ScalarMetric(kOverhead, kNaN, 1)),
            "metric overhead: scalar is nan; a finite number is needed");
  EXPECT_THAT(Error(ScalarMetric(kOverhead, -kInfinity, 1)), HasSubstr("-inf"));
  EXPECT_THAT(Error(Published({0.5}, {kNaN})), HasSubstr("q 0.5 is nan"));
  EXPECT_THAT(Error(Published({kNaN}, {1})), HasSubstr("outside (0, 1]"));
}

TEST(ValidateMetric, RefusesNegativeTimesButNotNegativeOverheads) {
  EXPECT_THAT(Error(ScalarMetric(kMakespan, -1, 1)),
              HasSubstr("scalar is -1 us; a time of at least 0"));
  EXPECT_THAT(Error(Published({0.5}, {-2})), HasSubstr("q 0.5 is -2"));
  EXPECT_TRUE(ValidateMetric(ScalarMetric(kOverhead, -1, 1)).ok());
}

TEST(ValidateMetric, RefusesQuantilesThatDoNotAscend) {
  EXPECT_THAT(Error(Published({0.5, 0.99}, {2, 1})),
              HasSubstr("q 0.99 = 1 follows q 0.5 = 2"));
  EXPECT_THAT(Error(Published({0.5, 0.5}, {1, 1})), HasSubstr("must ascend"));
  EXPECT_THAT(Error(Published({0}, {1})), HasSubstr("q 0 is outside (0, 1]"));
  EXPECT_THAT(Error(Published({1.01}, {1})), HasSubstr("q 1.01"));
  EXPECT_THAT(Error(Published({0.5, 0.9}, {1})),
              HasSubstr("2 q and 1 values; one value per q"));
  EXPECT_TRUE(ValidateMetric(Published({0.5, 1}, {1, 1})).ok());
}

TEST(ValidateMetric, WantsAValueExactlyWhereTheStatusIsOk) {
  pb::Metric metric = Published({0.5}, {1});
  metric.clear_value();
  EXPECT_THAT(Error(metric),
              HasSubstr("no value; scalar, quantiles or histogram is needed"));
  metric = Published({0.5}, {1});
  metric.set_status(pb::Metric::FAILED);
  metric.set_reason("reference differs");
  EXPECT_THAT(Error(metric),
              HasSubstr("status is FAILED but there is a value"));
  EXPECT_THAT(Error(AbsentMetric(kLatency, pb::Metric::SKIPPED, "")),
              HasSubstr("SKIPPED needs a reason"));
  EXPECT_TRUE(
      ValidateMetric(AbsentMetric(kLatency, pb::Metric::SKIPPED, "why")).ok());
}

TEST(ValidateMetric, RefusesAStatusWithoutAName) {
  pb::Metric metric = AbsentMetric(kLatency, pb::Metric::SKIPPED, "why");
  metric.set_status(static_cast<pb::Metric::Status>(9));
  EXPECT_THAT(Error(metric), HasSubstr("status is number 9; accepted are OK"));
}

TEST(ValidateMetric, RefusesAHistogramThatDoesNotFitItsMetric) {
  Histogram histogram(1000);
  histogram.Add(1, 3);
  EXPECT_THAT(Error(HistogramMetric("corrupt", histogram)),
              HasSubstr("counts times, but the unit is \"count\""));
  pb::Metric metric = HistogramMetric(kLatency, histogram);
  metric.set_n(4);
  EXPECT_THAT(Error(metric), HasSubstr("n is 4 but the histogram counts 3"));
  metric = HistogramMetric(kLatency, histogram);
  metric.mutable_histogram()->set_quantum_ps(0);
  EXPECT_THAT(Error(metric), HasSubstr("quantum_ps is 0"));
}

TEST(ValidateMetric, TellsOnlyTileTimeBySlot) {
  pb::Metric metric = Published({0.5}, {1});
  metric.set_slot(2);
  EXPECT_THAT(Error(metric), HasSubstr("slot is 2; only tile_time"));
  metric.set_name(kTileTime);
  EXPECT_THAT(Error(metric), Not(HasSubstr("slot")));
}

}  // namespace
}  // namespace tilebound
