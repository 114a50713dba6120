#include "oracle/task_set.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <thread>

#include "data/io/split_mix.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::oracle {
namespace {

using ::testing::ElementsAre;

// Adds shares of tasks, one on each thread.
Repeats AddAll(TaskSet& set, const std::vector<std::vector<uint64_t>>& shares) {
  std::vector<std::unique_ptr<TaskAdder>> adders;
  std::vector<std::thread> threads;
  for (const std::vector<uint64_t>& share : shares) {
    TaskAdder* adder =
        adders.emplace_back(std::make_unique<TaskAdder>(set)).get();
    threads.emplace_back([adder, &share] {
      for (const uint64_t task : share) adder->Add(task);
    });
  }
  for (std::thread& thread : threads) thread.join();
  Repeats repeats;
  for (const auto& adder : adders) {
    adder->Flush();
    repeats.Absorb(adder->repeats());
  }
  repeats.Absorb(set.Close());
  return repeats;
}

TEST(TaskSet, TellsWhatIsAbsentAndWhatCameTwice) {
  TaskSet set(10, 100);
  const Repeats repeats = AddAll(set, {{0, 1, 2, 7, 1}, {4, 7, 9, 7}});
  EXPECT_EQ(repeats.count(), 3u);
  EXPECT_THAT(repeats.least(), ElementsAre(1, 7));
  EXPECT_EQ(set.AbsentCount(), 4u);
  EXPECT_THAT(set.FirstAbsent(3), ElementsAre(3, 5, 6));
}

// Tasks all over a range that takes more pages than an adder has, so that pages
// are brought and made anew; against a count in a map.
TEST(TaskSet, AgreesWithACountWhateverTheOrderAndTheThreads) {
  constexpr uint64_t kTasks = 20'000'000;
  for (const size_t threads : {1, 2, 3}) {
    SplitMix64 random(threads);
    std::vector<std::vector<uint64_t>> shares(threads);
    std::map<uint64_t, uint64_t> times;
    for (int i = 0; i < 20'000; ++i) {
      // Some places are crowded.
      const uint64_t task =
          random.Below(2) ? random.Below(kTasks) : random.Below(100) * 197'003;
      shares[random.Below(threads)].push_back(task);
      ++times[task];
    }
    TaskSet set(kTasks, kTasks);
    const Repeats repeats = AddAll(set, shares);
    EXPECT_EQ(repeats.count(), 20'000 - times.size());
    EXPECT_EQ(set.AbsentCount(), kTasks - times.size());
    std::vector<uint64_t> again;
    for (const auto& [task, count] : times) {
      if (count > 1 && again.size() < Repeats::kKept) again.push_back(task);
    }
    EXPECT_TRUE(std::equal(again.begin(), again.end(), repeats.least().begin(),
                           repeats.least().end()));
    for (const uint64_t task : set.FirstAbsent(100)) {
      EXPECT_EQ(times.count(task), 0u) << task;
    }
  }
}

TEST(TaskSet, AListServesWhereTheTasksAreFarMoreThanTheFileCanHold) {
  constexpr uint64_t kTasks = uint64_t{1} << 40;
  TaskSet set(kTasks, 1000);
  const Repeats repeats = AddAll(set, {{5, kTasks - 1, 0}, {5, 1, kTasks - 1}});
  EXPECT_THAT(repeats.least(), ElementsAre(5, kTasks - 1));
  EXPECT_EQ(set.AbsentCount(), kTasks - 4);
  EXPECT_THAT(set.FirstAbsent(3), ElementsAre(2, 3, 4));
  EXPECT_LT(set.bytes(), 1000u);
}

}  // namespace
}  // namespace tilebound::oracle
