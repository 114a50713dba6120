#include "model/slot_weights.h"

#include <algorithm>
#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/random.h"
#include "model/sm_server.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kUs = 1'000'000;

TileTiming Tile() {
  TileTiming timing;
  timing.phases = {
      {false, 2 * kUs}, {true, 3 * kUs}, {false, 1 * kUs}, {true, 3 * kUs}};
  timing.service_spread = 0.05;
  return timing;
}

std::vector<double> TilePs(const TileTiming& timing,
                           const std::vector<double>& shares, uint64_t seed) {
  std::vector<int64_t> weights;
  for (double share : shares) {
    weights.push_back(std::llround(share * kWeightOne));
  }
  const StationaryTrace trace(SmServer(timing, weights, Random(seed), 1.0),
                              {Mark{}}, 1000 * kUs, 50'000 * kUs, 1);
  std::vector<double> means;
  for (uint32_t slot = 0; slot < shares.size(); ++slot) {
    const auto& starts = trace.Starts(slot);
    means.push_back(static_cast<double>(starts.back() - starts.front()) /
                    static_cast<double>(starts.size() - 1));
  }
  return means;
}

TEST(SlotWeights, FindsTheSharesThatMadeTheTileTimes) {
  for (const std::vector<double>& planted :
       {std::vector<double>{1, 0.6}, {1, 0.66, 0.33}, {1, 0.7, 0.3, 0.15}}) {
    const auto solved = SolveSlotWeights(Tile(), TilePs(Tile(), planted, 7));
    ASSERT_TRUE(solved.ok()) << solved.status();
    ASSERT_EQ(solved->weights.size(), planted.size());
    for (size_t slot = 0; slot < planted.size(); ++slot) {
      EXPECT_NEAR(static_cast<double>(solved->weights[slot]) / kWeightOne /
                      planted[slot],
                  1, 0.05)
          << "slot " << slot << " of " << planted.size();
    }
    EXPECT_NEAR(solved->service_scale, 1, 0.01);
  }
}

TEST(SlotWeights, FindsTheServiceThatMadeTheTileTimes) {
  const std::vector<double> slower =
      TilePs(ScaleService(Tile(), 1.1), {1, 0.6, 0.3}, 7);
  const auto solved = SolveSlotWeights(Tile(), slower);
  ASSERT_TRUE(solved.ok()) << solved.status();
  EXPECT_NEAR(solved->service_scale, 1.1, 0.01);
}

TEST(SlotWeights, AServerWithTheSolutionHasTheTileTimes) {
  // What the cycle level says of the 64x64 tile on an A10, scaled to this one.
  const std::vector<double> wanted = {15.8 * kUs, 19.0 * kUs, 28.4 * kUs};
  const auto solved = SolveSlotWeights(Tile(), wanted);
  ASSERT_TRUE(solved.ok()) << solved.status();
  std::vector<double> shares;
  for (int64_t weight : solved->weights) {
    shares.push_back(static_cast<double>(weight) / kWeightOne);
  }
  const std::vector<double> got =
      TilePs(ScaleService(Tile(), solved->service_scale), shares, 99);
  for (size_t slot = 0; slot < wanted.size(); ++slot) {
    EXPECT_NEAR(got[slot] / wanted[slot], 1, 0.01) << "slot " << slot;
  }
}

TEST(SlotWeights, GivesTheSameEveryTime) {
  const std::vector<double> wanted = {12.0 * kUs, 15.0 * kUs};
  const auto once = SolveSlotWeights(Tile(), wanted);
  const auto again = SolveSlotWeights(Tile(), wanted);
  ASSERT_TRUE(once.ok() && again.ok());
  EXPECT_EQ(once->weights, again->weights);
  EXPECT_EQ(once->service_scale, again->service_scale);
}

TEST(SlotWeights, ATileFasterThanAloneIsRefused) {
  // The latency alone takes 3 us.
  const auto solved = SolveSlotWeights(Tile(), {2.0 * kUs, 60.0 * kUs});
  ASSERT_FALSE(solved.ok());
  EXPECT_THAT(solved.status().message(), HasSubstr("of 2 blocks on an SM"));
}

TEST(SlotWeights, ScalesServiceAndNothingElse) {
  const TileTiming scaled = ScaleService(Tile(), 2);
  EXPECT_EQ(scaled.phases[0].duration_ps, 2 * kUs);
  EXPECT_EQ(scaled.phases[1].duration_ps, 6 * kUs);
}

}  // namespace
}  // namespace tilebound::model
