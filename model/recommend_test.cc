#include "model/recommend.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

pb::Metric Quantiles(const char* name, double p50, double p99) {
  pb::Metric metric;
  metric.set_name(name);
  metric.set_unit(FindMetricInfo(name)->unit);
  for (const auto& [q, value] : {std::pair(0.5, p50), std::pair(0.99, p99)}) {
    metric.mutable_quantiles()->add_q(q);
    metric.mutable_quantiles()->add_value(value);
  }
  return metric;
}

struct Planted {
  uint32_t blocks;
  uint32_t period;
  double p99_us;
  double tile_us;
  double band_pct = 0;
  double site_pct = 0;
};

pb::Surface SurfaceOf(const std::vector<Planted>& cells) {
  pb::Surface surface;
  for (const Planted& planted : cells) {
    pb::Cell* cell = surface.add_cells();
    *cell->mutable_key() = DefaultCellKey();
    cell->mutable_key()->set_blocks(planted.blocks);
    cell->mutable_key()->set_period(planted.period);
    *cell->add_metrics() =
        Quantiles(kLatency, 0.5 * planted.p99_us, planted.p99_us);
    *cell->add_metrics() =
        Quantiles(kErrorBand, planted.band_pct, planted.band_pct);
    *cell->add_metrics() = ScalarMetric("tile_time_mean", planted.tile_us, 0);
    *cell->add_metrics() = ScalarMetric(kOverhead, planted.site_pct, 0);
  }
  return surface;
}

// 72 blocks are sooner and slower, 288 later and faster.
const std::vector<Planted> kGrids = {
    {72, 1, 11, 10}, {144, 1, 17, 14}, {288, 1, 70, 25}, {288, 2, 130, 25}};

TEST(Recommend, PutsTheFastestThatMeetsTheGoalFirst) {
  const Recommendation result =
      Recommend(SurfaceOf(kGrids), {.slo_p99_us = 20});
  EXPECT_EQ(result.choices[0].key.blocks(), 144u);
  EXPECT_EQ(result.choices[0].verdict, Verdict::kMeets);
  EXPECT_EQ(result.choices[1].key.blocks(), 72u);
  EXPECT_EQ(result.choices[2].verdict, Verdict::kMisses);
  EXPECT_THAT(result.choices[2].why, HasSubstr("p99 70.0 us is over the goal"));
  // 288 / 25 against 144 / 14 tiles a microsecond.
  EXPECT_NEAR(result.choices[0].overhead_pct, 12, 1e-6);
  EXPECT_THAT(result.summary, HasSubstr("144 blocks: p99 17.0 us"));
}

TEST(Recommend, JudgesByTheUpperEdgeOfTheBand) {
  const std::vector<Planted> cells = {{288, 1, 48, 25, 10},
                                      {144, 1, 17, 14, 10}};
  const Recommendation result = Recommend(SurfaceOf(cells), {.slo_p99_us = 50});
  EXPECT_EQ(result.choices[0].key.blocks(), 144u);
  EXPECT_EQ(result.choices[1].verdict, Verdict::kMisses);
  EXPECT_NEAR(result.choices[1].p99_high_us, 52.8, 1e-9);
  EXPECT_THAT(result.choices[1].why, HasSubstr("may be up to 52.8 us"));
}

TEST(Recommend, CountsWhatSitesCostAgainstTheFastestGridWithoutThem) {
  const std::vector<Planted> cells = {{288, 1, 20, 25, 0, 25},
                                      {288, 2, 70, 20, 0, 0}};
  const Recommendation result =
      Recommend(SurfaceOf(cells), {.slo_p99_us = 100, .max_overhead_pct = 10});
  EXPECT_EQ(result.choices[0].key.period(), 2u);
  EXPECT_NEAR(result.choices[1].overhead_pct, 25, 1e-9);
  EXPECT_THAT(result.choices[1].why, HasSubstr("costs 25.0 %, over 10.0 %"));
}

TEST(Recommend, SaysPlainlyThatNothingMeetsAnImpossibleGoal) {
  const Recommendation result = Recommend(SurfaceOf(kGrids), {.slo_p99_us = 2});
  for (const Choice& choice : result.choices) {
    EXPECT_EQ(choice.verdict, Verdict::kMisses);
  }
  EXPECT_EQ(result.choices[0].key.blocks(), 72u);
  EXPECT_THAT(result.summary,
              HasSubstr("Nothing meets p99 of the handoff up to 2.0 us. "
                        "Nearest: cooperative, site boundary, period 1, 72"));
}

TEST(Recommend, ListsWhatIsNotPredictedLastWithItsReason) {
  pb::Surface surface = SurfaceOf(kGrids);
  pb::Cell* cell = surface.add_cells();
  *cell->mutable_key() = DefaultCellKey();
  *cell->add_metrics() =
      AbsentMetric(kLatency, pb::Metric::NOT_MODELLED, "no law for it");
  const Recommendation result = Recommend(surface, {.slo_p99_us = 20});
  EXPECT_EQ(result.choices.back().verdict, Verdict::kNotPredicted);
  EXPECT_EQ(result.choices.back().why, "not predicted: no law for it");
}

// Against the definition, pair by pair.
TEST(Recommend, MarksTheParetoFrontAndNothingElse) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Planted> cells;
    for (uint32_t i = 0; i < 30; ++i) {
      // Few values, so that ties come up.
      cells.push_back(
          {100, i + 1, 10.0 + random.Below(8), 10.0 + random.Below(8)});
    }
    const Recommendation result =
        Recommend(SurfaceOf(cells), {.slo_p99_us = 13});
    ASSERT_EQ(result.choices.size(), cells.size());
    for (const Choice& choice : result.choices) {
      bool beaten = false;
      for (const Planted& other : cells) {
        const double rate = 100 / other.tile_us;
        const bool no_worse =
            other.p99_us <= choice.p99_us && rate >= choice.tiles_per_us;
        const bool better =
            other.p99_us < choice.p99_us || rate > choice.tiles_per_us;
        beaten = beaten || (no_worse && better);
      }
      EXPECT_EQ(choice.on_front, !beaten);
    }
  }
}

// A looser goal never leads to a dearer choice, and never to fewer.
TEST(Recommend, IsMonotoneInTheGoal) {
  Random random(4);
  std::vector<Planted> cells;
  for (uint32_t i = 0; i < 40; ++i) {
    cells.push_back(
        {100, i + 1, 5 + 100 * random.Unit(), 10 + 10 * random.Unit(), 5});
  }
  const pb::Surface surface = SurfaceOf(cells);
  double overhead_pct = 1e9;
  long meeting = 0;
  for (double slo = 5; slo < 120; slo += 5) {
    const Recommendation result = Recommend(surface, {.slo_p99_us = slo});
    const long now = std::count_if(
        result.choices.begin(), result.choices.end(),
        [](const Choice& c) { return c.verdict == Verdict::kMeets; });
    EXPECT_GE(now, meeting);
    meeting = now;
    if (now == 0) continue;
    EXPECT_LE(result.choices[0].overhead_pct, overhead_pct);
    overhead_pct = result.choices[0].overhead_pct;
  }
  EXPECT_EQ(meeting, 40);
}

TEST(Recommend, JudgesUrgentWorkCompleteInEveryArm) {
  pb::Surface surface;
  for (const auto& [arm, metric, p99] :
       {std::tuple(pb::COOPERATIVE, kE2e, 90.0),
        std::tuple(pb::RESERVED, kE2e, 40.0),
        std::tuple(pb::NONE, kWait, 9000.0)}) {
    pb::Cell* cell = surface.add_cells();
    *cell->mutable_key() = DefaultCellKey();
    cell->mutable_key()->set_arm(arm);
    cell->mutable_key()->set_blocks(280);
    *cell->add_metrics() = Quantiles(metric, p99 / 2, p99);
    *cell->add_metrics() = ScalarMetric("tile_time_mean", 25, 0);
  }
  const Recommendation result =
      Recommend(surface, {.slo_p99_us = 50, .end_to_end = true});
  EXPECT_EQ(result.choices[0].key.arm(), pb::RESERVED);
  EXPECT_EQ(result.choices[1].key.arm(), pb::COOPERATIVE);
  EXPECT_EQ(result.choices[2].key.arm(), pb::NONE);
}

}  // namespace
}  // namespace tilebound::model
