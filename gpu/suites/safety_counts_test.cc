#include "gpu/suites/safety_counts.h"

#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;

pb::CellKey Key(pb::Site site, pb::Discipline discipline) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("h200");
  key.set_kernel("tensor128");
  key.set_k(256);
  key.set_blocks(132);
  key.set_site(site);
  key.set_discipline(discipline);
  return key;
}

// Three events of two tiles; each event's first tile was claimed by a block
// that gave up its own, twice with copies in flight.
RunLog Log() {
  RunLog log;
  log.events = 3;
  log.urgent_tiles = 2;
  log.urgent_corrupt.assign(6, 0);
  log.restarted_corrupt.assign(6, 0);
  log.restarted_task = {7, kNoTask, 8, kNoTask, 9, kNoTask};
  log.yield_groups = {2, 0, 3, 0, 1, 0};
  return log;
}

double Scalar(const pb::Cell& cell, const char* name) {
  const pb::Metric* metric = FindMetric(cell, name);
  return metric == nullptr ? -1 : *MetricScalar(*metric);
}

TEST(SafetyCounts, AddUpRunsAndCountOnlyYieldsWithCopiesInFlight) {
  SafetyCounts counts;
  counts.Add(Log());
  RunLog second = Log();
  second.urgent_corrupt[5] = 1;
  second.incomplete = 1;
  counts.Add(second);
  EXPECT_EQ(counts.events, 6u);
  EXPECT_EQ(counts.urgent, 12u);
  EXPECT_EQ(counts.restarted, 6u);
  EXPECT_EQ(counts.conflicts, 4u);
  const pb::Cell cell = SafetyCell(Key(pb::STAGE, pb::NAIVE), counts);
  EXPECT_EQ(Scalar(cell, "corrupt"), 1);
  EXPECT_EQ(FindMetric(cell, "corrupt")->n(), 18u);
  EXPECT_EQ(Scalar(cell, "conflicts"), 4);
  EXPECT_EQ(Scalar(cell, "anomalies"), 1);
  EXPECT_EQ(FindMetric(cell, "poison_caught"), nullptr);
}

TEST(CheckSafetyGates, DrainToleratesNoWrongOutput) {
  const pb::CellKey key = Key(pb::ISSUE, pb::DRAIN);
  SafetyCounts clean;
  clean.Add(Log());
  EXPECT_TRUE(CheckSafetyGates(key, clean).ok());
  SafetyCounts counts = clean;
  counts.urgent_corrupt = 1;
  EXPECT_THAT(CheckSafetyGates(key, counts).message(),
              HasSubstr("gate urgent outputs: 1 of 6"));
  counts = clean;
  counts.restarted_corrupt = 1;
  EXPECT_THAT(CheckSafetyGates(key, counts).message(),
              HasSubstr("gate restarted outputs: 1 of 3"));
  counts = clean;
  counts.background_corrupt = 1;
  EXPECT_FALSE(CheckSafetyGates(key, counts).ok());
}

TEST(CheckSafetyGates, AStageSiteThatNeverYieldedProvesNothing) {
  RunLog log = Log();
  log.restarted_task.assign(6, kNoTask);
  SafetyCounts counts;
  counts.Add(log);
  EXPECT_FALSE(CheckSafetyGates(Key(pb::STAGE, pb::DRAIN), counts).ok());
  EXPECT_TRUE(CheckSafetyGates(Key(pb::BOUNDARY, pb::DRAIN), counts).ok());
}

TEST(CheckSafetyGates, PoisonMustSpoilEveryUrgentOutputAndNothingElse) {
  const pb::CellKey key = Key(pb::STAGE, pb::POISON);
  RunLog log = Log();
  log.urgent_corrupt.assign(6, 1);
  SafetyCounts counts;
  counts.Add(log);
  EXPECT_TRUE(CheckSafetyGates(key, counts).ok());
  const pb::Cell cell = SafetyCell(key, counts);
  EXPECT_EQ(Scalar(cell, "poison_caught"), 6);
  EXPECT_EQ(Scalar(cell, "corrupt"), 0);
  counts.urgent_corrupt = 5;
  EXPECT_THAT(CheckSafetyGates(key, counts).message(),
              HasSubstr("5 of 6 were caught"));
  counts.urgent_corrupt = 6;
  counts.restarted_corrupt = 1;
  EXPECT_FALSE(CheckSafetyGates(key, counts).ok())
      << "a restart went on with poisoned buffers";
}

TEST(CheckSafetyGates, NaiveIsAFindingAndNoGate) {
  SafetyCounts counts;
  counts.Add(Log());
  counts.urgent_corrupt = 6;
  EXPECT_TRUE(CheckSafetyGates(Key(pb::STAGE, pb::NAIVE), counts).ok());
}

}  // namespace
}  // namespace tilebound::gpu
