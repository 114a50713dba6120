#include "gpu/suites/handoff_stats.h"

#include "data/schema/metric.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// Three blocks, the first the setter, two of them on one SM; event e is set at
// (e + 1) * 100,000 ns.
RunLog PlantedLog(uint32_t events) {
  RunLog log;
  log.events = events;
  log.blocks = 3;
  log.urgent_tiles = 1;
  log.block = {
      {.sm = 0, .slot = 0, .start_ns = 0, .end_ns = 12'000, .tiles = 4},
      {.sm = 1, .slot = 0, .start_ns = 0, .end_ns = 12'000, .tiles = 2},
      {.sm = 1, .slot = 1, .start_ns = 0, .end_ns = 12'000, .tiles = 1}};
  for (uint32_t e = 0; e < events; ++e) {
    const uint64_t set = (e + 1) * 100'000;
    log.set_ns.push_back(set);
    log.claim_ns.push_back(set + 640);
    log.end_ns.push_back(set + 9'600);
    log.observed_ns.insert(log.observed_ns.end(),
                           {set + 6'400, set + 640, set + 3'200});
  }
  return log;
}

const pb::Metric& Find(const std::vector<pb::Metric>& metrics,
                       absl::string_view name, uint32_t slot = 0) {
  for (const pb::Metric& metric : metrics) {
    if (metric.name() == name && metric.slot() == slot) return metric;
  }
  ADD_FAILURE() << "no metric " << name << " of slot " << slot;
  static const pb::Metric none;
  return none;
}

TEST(HandoffStats, LeavesTheSetterOutOfLatencyAndFirstOnly) {
  HandoffStats stats({.quantum_ns = 32});
  stats.Add(PlantedLog(10));
  const auto metrics = stats.Metrics();
  EXPECT_DOUBLE_EQ(*MetricQuantile(Find(metrics, kLatency), 0.5), 3.2);
  EXPECT_DOUBLE_EQ(*MetricQuantile(Find(metrics, kLatencyWithSetter), 0.5),
                   6.4);
  EXPECT_DOUBLE_EQ(*MetricQuantile(Find(metrics, kFirst), 0.5), 0.64);
  EXPECT_DOUBLE_EQ(*MetricQuantile(Find(metrics, kSpread), 0.5), 5.76);
  EXPECT_DOUBLE_EQ(*MetricQuantile(Find(metrics, kE2e), 0.5), 9.6);
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(metrics, kSetterLast)), 100);
}

TEST(HandoffStats, TellsWhoWasLastAndHowLongTilesTakeBySlot) {
  HandoffStats stats({.quantum_ns = 32});
  stats.Add(PlantedLog(10));
  const auto metrics = stats.Metrics();
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(metrics, kLastObserver, 0)), 0);
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(metrics, kLastObserver, 1)), 100);
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(metrics, kTileTime, 0)), 4);
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(metrics, kTileTime, 1)), 12);
  for (const pb::Metric& metric : metrics) {
    EXPECT_TRUE(ValidateMetric(metric).ok()) << ValidateMetric(metric);
  }
}

TEST(HandoffStats, CountsEachAnomalyOnceAndKeepsItOutOfTheTimes) {
  RunLog log = PlantedLog(6);
  log.set_ns[0] = 0;
  log.end_ns[1] = 0;
  log.observed_ns[2 * 3 + 1] = 0;
  log.observed_ns[3 * 3 + 1] = log.set_ns[3] - 1;
  log.claim_ns[4] = 0;
  HandoffStats stats({.quantum_ns = 32});
  stats.Add(log);
  EXPECT_EQ(stats.events(), 1u);
  EXPECT_EQ(stats.anomalies().unset, 1u);
  EXPECT_EQ(stats.anomalies().incomplete, 1u);
  EXPECT_EQ(stats.anomalies().unobserved, 1u);
  EXPECT_EQ(stats.anomalies().out_of_order, 1u);
  EXPECT_EQ(stats.anomalies().unclaimed, 1u);
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(stats.Metrics(), "anomalies")), 5);
}

TEST(HandoffStats, WarmsUpOnceOverAllLaunches) {
  HandoffStats stats({.quantum_ns = 32, .warmup = 8});
  stats.Add(PlantedLog(5));
  stats.Add(PlantedLog(5));
  EXPECT_EQ(stats.events(), 2u);
}

TEST(HandoffStats, CountsWrongOutputsOfEveryKind) {
  RunLog log = PlantedLog(3);
  log.urgent_corrupt = {0, 1, 0};
  log.restarted_corrupt = {1, 0, 0};
  log.background_corrupt = 2;
  HandoffStats stats({.quantum_ns = 32});
  stats.Add(log);
  EXPECT_EQ(stats.corrupt(), 4u);
}

}  // namespace
}  // namespace tilebound::gpu
