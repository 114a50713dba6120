#include "model/handoff.h"

#include <string>
#include <vector>

#include "data/schema/metric.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

struct Dealt {
  uint32_t block;
  int64_t begin_ps;
  int64_t end_ps;
  bool operator==(const Dealt&) const = default;
};

// Deals to blocks with tiles of constant length: the first ends `first_ps`
// after the observation, every further one `tile_ps` later.
struct Block {
  int64_t observe_ps;
  int64_t first_ps;
  int64_t tile_ps;
};

std::vector<Dealt> Deal(uint32_t urgent_tiles,
                        const std::vector<Block>& blocks) {
  std::vector<int64_t> observe_ps;
  for (const Block& block : blocks) observe_ps.push_back(block.observe_ps);
  std::vector<Dealt> dealt;
  for (const UrgentTile& tile : DealUrgentTiles(
           urgent_tiles, observe_ps, [&](uint32_t block, uint32_t nth) {
             return blocks[block].observe_ps + blocks[block].first_ps +
                    (nth - 1) * blocks[block].tile_ps;
           })) {
    dealt.push_back({tile.block, tile.begin_ps, tile.end_ps});
  }
  return dealt;
}

TEST(DealUrgentTiles, GivesTheOnlyTileToTheFirstObserver) {
  EXPECT_EQ(Deal(1, {{300, 50, 50}, {200, 70, 70}, {250, 10, 10}}),
            (std::vector<Dealt>{{1, 200, 270}}));
}

TEST(DealUrgentTiles, GivesNothingWhereThereIsNothing) {
  EXPECT_TRUE(Deal(0, {{300, 50, 50}}).empty());
  EXPECT_TRUE(Deal(0, {}).empty());
}

// Block 0 asks at 100, is done at 140 and asks again before block 1 has seen
// the flag at 150; by 180 the tiles are gone, and block 2 gets none.
TEST(DealUrgentTiles, FastBlockTakesASecondTileBeforeASlowOneAsks) {
  EXPECT_EQ(Deal(3, {{100, 40, 40}, {150, 400, 400}, {500, 10, 10}}),
            (std::vector<Dealt>{{0, 100, 140}, {0, 140, 180}, {1, 150, 550}}));
}

TEST(DealUrgentTiles, BlockAloneRunsThemOneAfterAnother) {
  EXPECT_EQ(Deal(3, {{10, 5, 20}}),
            (std::vector<Dealt>{{0, 10, 15}, {0, 15, 35}, {0, 35, 55}}));
}

TEST(DealUrgentTiles, EqualTimesGoToTheLowerBlock) {
  EXPECT_EQ(Deal(2, {{100, 30, 30}, {100, 20, 20}, {100, 10, 10}}),
            (std::vector<Dealt>{{0, 100, 130}, {1, 100, 120}}));
  // Block 0 is done and asks again just when block 1 asks first.
  EXPECT_EQ(Deal(2, {{100, 30, 30}, {130, 20, 20}}),
            (std::vector<Dealt>{{0, 100, 130}, {0, 130, 160}}));
}

const pb::Metric& Find(const std::vector<pb::Metric>& metrics,
                       const std::string& name) {
  for (const pb::Metric& metric : metrics) {
    if (metric.name() == name) return metric;
  }
  ADD_FAILURE() << "no metric " << name;
  return metrics.front();
}

// In ticks; -1 if there is none.
double Median(const HandoffMetrics& metrics, const std::string& name,
              double quantum_us) {
  const auto metrics_list = metrics.ToMetrics();
  const auto value = MetricQuantile(Find(metrics_list, name), 0.5);
  return value.has_value() ? *value / quantum_us : -1;
}

// Ticks of 1 us. Set at 0.9 -> tick 0; first at 2.1 -> 2; last at 5.0 -> 5;
// setter at 3.9 -> 3; urgent done at 7.99 -> 7. Floored after the subtraction
// they would be 1, 4 and 7 instead of 2, 5 and 7, and the spread 2 instead
// of 3.
TEST(HandoffMetrics, FloorsStampsBeforeTheyAreSubtracted) {
  HandoffMetrics metrics(1'000'000);
  metrics.Add({.set_ps = 900'000,
               .first_ps = 2'100'000,
               .last_ps = 5'000'000,
               .setter_ps = 3'900'000,
               .urgent_end_ps = 7'990'000,
               .has_others = true});
  EXPECT_DOUBLE_EQ(Median(metrics, kFirst, 1), 2);
  EXPECT_DOUBLE_EQ(Median(metrics, kLatency, 1), 5);
  EXPECT_DOUBLE_EQ(Median(metrics, kLatencyWithSetter, 1), 5);
  EXPECT_DOUBLE_EQ(Median(metrics, kSpread, 1), 3);
  EXPECT_DOUBLE_EQ(Median(metrics, kE2e, 1), 7);
}

TEST(HandoffMetrics, CountInTheUnitOfThePartsTick) {
  HandoffMetrics metrics(1'024'000);
  metrics.Add({.set_ps = 10 * 1'024'000,
               .first_ps = 12 * 1'024'000,
               .last_ps = 73 * 1'024'000,
               .setter_ps = 13 * 1'024'000,
               .urgent_end_ps = 80 * 1'024'000,
               .has_others = true});
  EXPECT_DOUBLE_EQ(Median(metrics, kLatency, 1.024), 63);
}

TEST(HandoffMetrics, SetterCountsForAllButTheLatency) {
  HandoffMetrics metrics(1000);
  metrics.Add({.set_ps = 0,
               .first_ps = 20'000,
               .last_ps = 50'000,
               .setter_ps = 90'000,
               .urgent_end_ps = 99'000,
               .has_others = true});
  EXPECT_DOUBLE_EQ(Median(metrics, kLatency, 1e-3), 50);
  EXPECT_DOUBLE_EQ(Median(metrics, kLatencyWithSetter, 1e-3), 90);
  EXPECT_DOUBLE_EQ(Median(metrics, kFirst, 1e-3), 20);
  EXPECT_DOUBLE_EQ(Median(metrics, kSpread, 1e-3), 70);
}

TEST(HandoffMetrics, SetterIsNeverTheFirstObserver) {
  HandoffMetrics metrics(1000);
  metrics.Add({.set_ps = 0,
               .first_ps = 20'000,
               .last_ps = 50'000,
               .setter_ps = 10'000,
               .urgent_end_ps = 99'000,
               .has_others = true});
  EXPECT_DOUBLE_EQ(Median(metrics, kFirst, 1e-3), 20);
  EXPECT_DOUBLE_EQ(Median(metrics, kSpread, 1e-3), 30);
}

HandoffEvent SetterAt(int64_t setter_ps) {
  return {.set_ps = 0,
          .first_ps = 20'000,
          .last_ps = 50'000,
          .setter_ps = setter_ps,
          .urgent_end_ps = 99'000,
          .has_others = true};
}

TEST(HandoffMetrics, SetterLastIsThePercentageOfEventsThatItEnds) {
  HandoffMetrics metrics(1000);
  for (int64_t setter_ps : {10'000, 49'999, 50'000, 50'001}) {
    metrics.Add(SetterAt(setter_ps));
  }
  const auto list = metrics.ToMetrics();
  EXPECT_DOUBLE_EQ(*MetricScalar(Find(list, kSetterLast)), 25);
  EXPECT_EQ(Find(list, kSetterLast).n(), 4u);
}

TEST(HandoffMetrics, WithoutOthersHaveNoLatencyAndNobodyToBeLastAfter) {
  HandoffMetrics metrics(1000);
  metrics.Add({.set_ps = 0,
               .first_ps = 30'000,
               .last_ps = 30'000,
               .setter_ps = 30'000,
               .urgent_end_ps = 40'000,
               .has_others = false});
  const auto list = metrics.ToMetrics();
  for (const char* name : {kLatency, kSetterLast}) {
    EXPECT_EQ(Find(list, name).status(), pb::Metric::SKIPPED) << name;
    EXPECT_EQ(Find(list, name).reason(), "the setter is the only block");
  }
  EXPECT_DOUBLE_EQ(Median(metrics, kLatencyWithSetter, 1e-3), 30);
  EXPECT_DOUBLE_EQ(Median(metrics, kFirst, 1e-3), 30);
  EXPECT_DOUBLE_EQ(Median(metrics, kSpread, 1e-3), 0);
  EXPECT_DOUBLE_EQ(Median(metrics, kE2e, 1e-3), 40);
}

TEST(HandoffMetrics, MergingEqualsAddingEverythingToOne) {
  HandoffMetrics left(1000), right(1000), whole(1000);
  for (int64_t i = 0; i < 100; ++i) {
    const HandoffEvent event = SetterAt(20'000 + 777 * i);
    (i % 3 == 0 ? left : right).Add(event);
    whole.Add(event);
  }
  left.Merge(right);
  const auto merged = left.ToMetrics();
  const auto expected = whole.ToMetrics();
  ASSERT_EQ(merged.size(), expected.size());
  for (size_t i = 0; i < merged.size(); ++i) {
    EXPECT_EQ(merged[i].SerializeAsString(), expected[i].SerializeAsString())
        << expected[i].name();
  }
}

TEST(HandoffMetrics, AreAllValidByTheRegistry) {
  HandoffMetrics metrics(1000);
  metrics.Add(SetterAt(10'000));
  const auto list = metrics.ToMetrics();
  EXPECT_EQ(list.size(), 6u);
  for (const pb::Metric& metric : list) {
    EXPECT_EQ(ValidateMetric(metric), absl::OkStatus()) << metric.name();
  }
}

}  // namespace
}  // namespace tilebound::model
