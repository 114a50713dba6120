#include "gpu/suites/urgent_log.h"

#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// The device's timer is ahead of the host's clock by so much.
constexpr uint64_t kAhead = 1'000'000'000;

// Clocks that are known to +- 500 ns.
ClockMap Clocks() {
  std::vector<ClockSample> samples;
  for (uint64_t at : {0u, 1'000'000'000u}) {
    samples.push_back({.device_before_ns = at + kAhead,
                       .host_ns = at + 500,
                       .device_after_ns = at + kAhead + 1000});
  }
  return *ClockMap::Fit(samples, /*tick_ns=*/0, /*host_slack_ns=*/0);
}

// Launched at `at`, waits, and runs for 20 us.
UrgentEvent Event(uint64_t at, int64_t wait_ns) {
  return {.host_launch_ns = at,
          .host_done_ns = at + wait_ns + 22'000,
          .begin_ns = at + wait_ns + kAhead,
          .end_ns = at + wait_ns + kAhead + 20'000};
}

double Scalar(const std::vector<pb::Metric>& metrics, const std::string& name) {
  for (const pb::Metric& metric : metrics) {
    if (metric.name() == name) return *MetricScalar(metric);
  }
  return -1;
}

TEST(UrgentMetrics, WaitIsLaunchToBeginOnOneClock) {
  UrgentLog log{.events = {}, .clocks = Clocks()};
  for (int i = 0; i < 100; ++i) {
    log.events.push_back(Event(1'000'000 * i, 5'000 + 100 * i));
  }
  const auto metrics = UrgentMetrics(log, /*warmup=*/50);
  EXPECT_EQ(metrics[0].name(), "wait");
  EXPECT_EQ(metrics[0].n(), 50u);
  // The 50 that count wait 10.0 to 14.9 us, up to the rounding of the clocks.
  EXPECT_NEAR(*MetricQuantile(metrics[0], 0.5), 12.4, 0.1001);
  EXPECT_NEAR(*MetricQuantile(metrics[0], 1), 14.9, 0.1001);
  EXPECT_EQ(metrics[1].name(), "e2e");
  EXPECT_NEAR(*MetricQuantile(metrics[1], 1), 14.9 + 22, 0.1001);
  EXPECT_EQ(Scalar(metrics, "corrupt"), 0);
  EXPECT_EQ(Scalar(metrics, "anomalies"), 0);
}

TEST(UrgentMetrics, ImpossibleEventsAreCountedAndLeftOut) {
  UrgentLog log{.events = {}, .clocks = Clocks()};
  log.events.push_back(Event(1'000'000, 5'000));
  // Began 0.4 us before its launch: within what the clocks are known to.
  log.events.push_back(Event(2'000'000, -400));
  // 3 us before: not.
  log.events.push_back(Event(3'000'000, -3'000));
  log.events[0].corrupt = true;
  const auto metrics = UrgentMetrics(log, 0);
  EXPECT_EQ(metrics[0].n(), 2u);
  EXPECT_EQ(*MetricQuantile(metrics[0], 0.5), 0);
  EXPECT_EQ(Scalar(metrics, "anomalies"), 1);
  EXPECT_EQ(Scalar(metrics, "corrupt"), 1);
}

TEST(UrgentMetrics, SaysWhereNothingIsLeft) {
  const auto metrics = UrgentMetrics(
      {.events = {Event(1'000'000, -9'000)}, .clocks = Clocks()}, 0);
  EXPECT_EQ(metrics[0].status(), pb::Metric::FAILED);
}

TEST(BacklogMetrics, FindThePlantedTimePerTask) {
  UrgentLog log{.events = {}, .clocks = Clocks()};
  std::vector<double> queued;
  for (int i = 0; i < 200; ++i) {
    queued.push_back(2'000 + 71 * (i * 37 % 200));
    log.events.push_back(Event(
        3'000'000 * i, static_cast<int64_t>(9'000 + 88.1 * queued.back())));
  }
  const auto metrics = BacklogMetrics(log, queued, 10);
  EXPECT_NEAR(Scalar(metrics, "backlog_slope"), 88.1, 0.01);
  EXPECT_NEAR(Scalar(metrics, "backlog_correlation"), 1, 1e-6);
}

}  // namespace
}  // namespace tilebound::gpu
