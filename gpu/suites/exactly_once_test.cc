#include "gpu/suites/exactly_once.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// Three tasks drawn of five that there was room for, two events of two tiles.
RunLog GoodRun() {
  RunLog log;
  log.events = 2;
  log.tasks = 3;
  log.executions = {1, 1, 1, 0, 0};
  log.urgent_executions = {1, 1, 1, 1};
  return log;
}

uint64_t WrongIn(const RunLog& log) {
  ExactlyOnce verdict;
  verdict.Add(log);
  return verdict.wrong();
}

TEST(ExactlyOnce, FindsNothingWrongWithAGoodRun) {
  ExactlyOnce verdict;
  verdict.Add(GoodRun());
  verdict.Add(GoodRun());
  EXPECT_EQ(verdict.wrong(), 0);
  EXPECT_EQ(verdict.executions, 6);
  EXPECT_EQ(verdict.urgent, 8);
  EXPECT_EQ(verdict.events, 4);
}

TEST(ExactlyOnce, FindsATaskThatWasLost) {
  RunLog log = GoodRun();
  log.executions[1] = 0;
  EXPECT_EQ(WrongIn(log), 1);
}

TEST(ExactlyOnce, FindsATaskThatWasExecutedTwice) {
  RunLog log = GoodRun();
  log.executions[2] = 2;
  EXPECT_EQ(WrongIn(log), 1);
}

TEST(ExactlyOnce, FindsATaskThatNobodyDrew) {
  RunLog log = GoodRun();
  log.executions[4] = 1;
  EXPECT_EQ(WrongIn(log), 1);
}

TEST(ExactlyOnce, FindsTasksBeyondTheCounters) {
  RunLog log = GoodRun();
  log.executions = {1, 1};
  EXPECT_EQ(WrongIn(log), 1);
}

TEST(ExactlyOnce, FindsUrgentTilesLostAndDoubled) {
  RunLog log = GoodRun();
  log.urgent_executions = {1, 0, 2, 1};
  EXPECT_EQ(WrongIn(log), 2);
}

TEST(ExactlyOnce, CountsWrongOutputsOfEveryKind) {
  RunLog log = GoodRun();
  log.background_corrupt = 1;
  log.urgent_corrupt = {0, 1, 0, 0};
  log.restarted_corrupt = {1, 1, 0, 0};
  ExactlyOnce verdict;
  verdict.Add(log);
  EXPECT_EQ(verdict.corrupt, 4);
  EXPECT_EQ(verdict.wrong(), 0);
}

TEST(ExactlyOnce, CountsAnEventThatWasNotCompleted) {
  RunLog log = GoodRun();
  log.incomplete = 1;
  EXPECT_EQ(WrongIn(log), 1);
}

TEST(ExactlyOnce, AConflictIsAYieldWithCopiesInFlight) {
  RunLog log = GoodRun();
  log.yield_groups = {0, 1, 2, 3};
  ExactlyOnce verdict;
  verdict.Add(log);
  EXPECT_EQ(verdict.conflicts, 2);
  EXPECT_EQ(verdict.wrong(), 0);
}

}  // namespace
}  // namespace tilebound::gpu
