#include "gpu/harness/probe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;

TEST(Probe, RateIsTasksOverTime) {
  EXPECT_DOUBLE_EQ(*TasksPerSecond({.tasks = 500, .elapsed_ns = 1'000'000}),
                   500'000);
}

TEST(Probe, RefusesARateThatTheTimerCannotTell) {
  EXPECT_THAT(
      TasksPerSecond({.tasks = 500, .elapsed_ns = 99'999}).status().message(),
      HasSubstr("99999 ns is too short"));
  EXPECT_FALSE(TasksPerSecond({.tasks = 0, .elapsed_ns = 1'000'000}).ok());
}

TEST(LengthForTime, FastAndSlowPartsRunEquallyLong) {
  // 16 slow SMs and 160 fast ones.
  for (const Probe& probe : {Probe{.tasks = 64, .elapsed_ns = 4'000'000},
                             Probe{.tasks = 64'000, .elapsed_ns = 1'000'000}}) {
    const auto length = LengthForTime(probe, 200'000'000, 64);
    ASSERT_TRUE(length.ok()) << length.status();
    EXPECT_NEAR(length->expected_ns, 200e6, 0.01 * 200e6);
    EXPECT_GT(length->deadline_ns, 2 * length->expected_ns);
  }
}

TEST(LengthForTime, GivesEveryBlockSomeTiles) {
  const auto length =
      LengthForTime({.tasks = 640, .elapsed_ns = 160'000'000}, 1'000'000, 640);
  EXPECT_EQ(length->tasks, 640u * 16);
}

TEST(LengthForEvents, OutlastsTheEvents) {
  // 1,000 events of 275 us gap and 25 us work are 300 ms; at 1 task per us
  // that is 300,000 tasks, and half as many to spare.
  const auto length = LengthForEvents({.tasks = 1000, .elapsed_ns = 1'000'000},
                                      {.events = 1000,
                                       .mean_gap_ns = 275'000,
                                       .event_ns = 25'000,
                                       .blocks = 528});
  ASSERT_TRUE(length.ok()) << length.status();
  EXPECT_EQ(length->tasks, 450'000u);
  EXPECT_FALSE(
      LengthForEvents({.tasks = 1000, .elapsed_ns = 1'000'000}, {.blocks = 528})
          .ok());
}

TEST(NextProbeTasks, ReachesAUsefulLengthInFewLaunches) {
  Probe probe = {.tasks = 0};
  for (int launch = 0; launch < 5; ++launch) {
    probe.tasks = NextProbeTasks(probe);
  }
  EXPECT_EQ(probe.tasks, 100'000u);
}

}  // namespace
}  // namespace tilebound::gpu
