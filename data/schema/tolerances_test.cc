#include "data/schema/tolerances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "data/schema/file.h"
#include "data/schema/metric.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

void Add(pb::Tolerances& tolerances, const std::string& metric, double q,
         double relative) {
  pb::Tolerance* entry = tolerances.add_tolerance();
  entry->set_metric(metric);
  entry->set_q(q);
  entry->set_relative(relative);
}

pb::Tolerances Valid() {
  pb::Tolerances tolerances;
  tolerances.set_clock_relative(0.03);
  tolerances.set_confidence(0.95);
  return tolerances;
}

TEST(FindTolerance, PrefersMetricWithQuantileThenMetricThenQuantile) {
  pb::Tolerances tolerances = Valid();
  Add(tolerances, "", 0, 0.01);
  Add(tolerances, "", 0.99, 0.02);
  Add(tolerances, kLatency, 0, 0.03);
  Add(tolerances, kLatency, 0.99, 0.04);
  EXPECT_EQ(FindTolerance(tolerances, kLatency, 0.99)->relative(), 0.04);
  EXPECT_EQ(FindTolerance(tolerances, kLatency, 0.5)->relative(), 0.03);
  EXPECT_EQ(FindTolerance(tolerances, kSpread, 0.99)->relative(), 0.02);
  EXPECT_EQ(FindTolerance(tolerances, kSpread, 0.5)->relative(), 0.01);
}

TEST(FindTolerance, SaysNothingWhereNothingIsDeclared) {
  pb::Tolerances tolerances = Valid();
  Add(tolerances, kLatency, 0, 0.03);
  EXPECT_EQ(FindTolerance(tolerances, kOverhead, 0), nullptr);
}

TEST(ValidateTolerances, NamesTheEntryFieldAndValue) {
  pb::Tolerances tolerances = Valid();
  Add(tolerances, "latncy", 0, 0.03);
  EXPECT_THAT(ValidateTolerances(tolerances).message(),
              HasSubstr("tolerance[0].metric \"latncy\""));
  EXPECT_THAT(ValidateTolerances(tolerances).message(), HasSubstr("latency"));

  tolerances = Valid();
  Add(tolerances, kLatency, 0.5, 5);
  EXPECT_THAT(ValidateTolerances(tolerances).message(),
              HasSubstr("tolerance[0].relative is 5"));

  tolerances = Valid();
  Add(tolerances, kLatency, 0.5, std::numeric_limits<double>::quiet_NaN());
  EXPECT_FALSE(ValidateTolerances(tolerances).ok());

  tolerances = Valid();
  Add(tolerances, kLatency, 0.5, 0.05);
  Add(tolerances, kLatency, 0.5, 0.06);
  EXPECT_THAT(ValidateTolerances(tolerances).message(), HasSubstr("twice"));

  tolerances = Valid();
  tolerances.set_confidence(1);
  EXPECT_THAT(ValidateTolerances(tolerances).message(),
              HasSubstr("confidence is 1"));
}

TEST(TolerancesFile, DeclaresFivePercentForTheMedianAndThreeForTheClock) {
  const auto tolerances =
      ReadContent<pb::Tolerances>("data/tolerances.textproto");
  ASSERT_TRUE(tolerances.ok()) << tolerances.status();
  EXPECT_EQ(FindTolerance(*tolerances, kLatency, 0.5)->relative(), 0.05);
  EXPECT_EQ(tolerances->clock_relative(), 0.03);
}

}  // namespace
}  // namespace tilebound
