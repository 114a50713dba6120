// SmServer against a second implementation that shares nothing with it.
#include "model/naive_sm_server.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "model/random.h"
#include "model/sm_server.h"

namespace tilebound::model {
namespace {

struct Case {
  TileTiming timing;
  std::vector<int64_t> weights;
  double scale;
};

// 1 to 6 phases of up to 0.4 ms in any order, 1 to 4 blocks, weights from 1/16
// on, with and without spread. The phases are far longer than real ones, so
// that the picosecond that SmServer rounds to is small beside them.
Case RandomCase(Random& random) {
  Case made = {
      .timing = {.phases = {},
                 .service_spread =
                     random.Below(2) == 0 ? 0 : 0.2 * random.Unit(),
                 .sm_spread = 0,
                 .unclaimed_share = random.Below(2) == 0 ? 0 : random.Unit()},
      .weights = {},
      .scale = 0.9 + 0.2 * random.Unit()};
  const uint64_t phases = 1 + random.Below(6);
  for (uint64_t i = 0; i < phases; ++i) {
    made.timing.phases.push_back(
        {.service = random.Below(2) == 0,
         .duration_ps =
             1'000'000 + static_cast<int64_t>(random.Below(400'000'000)),
         // Not the last one, which stands for the wait before the first tile.
         .hands_on = i + 1 < phases && random.Below(3) == 0});
  }
  const uint64_t blocks = 1 + random.Below(4);
  for (uint64_t i = 0; i < blocks; ++i) {
    made.weights.push_back(
        kWeightOne / 16 +
        static_cast<int64_t>(random.Below(kWeightOne - kWeightOne / 16 + 1)));
  }
  return made;
}

// SmServer rounds each finish up to a whole picosecond. Sharing by unequal
// weights amplifies that: a block of weight W that enters e late leaves e x W /
// w to one of weight w. It does so without limit: two runs that differ by a
// picosecond are thousands apart after a hundred boundaries and have nothing in
// common after a few hundred. So the comparison is of the first 20, in which
// 2,000 cases stayed within 8 ps for each phase run; a wrong rate would be off
// by a millionfold.
TEST(SmServer, AgreesWithATextbookSimulationOnRandomSmallCases) {
  constexpr int kCases = 500;
  constexpr int kBoundaries = 20;
  constexpr int kTolerancePs = 25;
  Random random(20);
  int shared = 0;
  for (int number = 0; number < kCases; ++number) {
    const Case made = RandomCase(random);
    const uint64_t seed = random.Next();
    SmServer server(made.timing, made.weights, Random(seed), made.scale);
    NaiveSmServer naive(made.timing, made.weights, Random(seed), made.scale);
    for (int boundary = 0; boundary < kBoundaries; ++boundary) {
      const SmServer::Passing ours = server.NextBoundary();
      const NaiveSmServer::Boundary theirs = naive.NextBoundary();
      ASSERT_EQ(ours.slot, theirs.slot)
          << "case " << number << ", boundary " << boundary;
      ASSERT_LE(std::fabs(ours.time_ps - theirs.time_ps),
                kTolerancePs * server.phase_events())
          << "case " << number << ", boundary " << boundary;
    }
    if (made.weights.size() > 1 && made.timing.ServicePs() > 0) ++shared;
  }
  // Most cases have something to share.
  EXPECT_GT(shared, kCases / 2);
}

// Means over many tiles of a real kernel, its starved youngest block included,
// do not depend on such details: rounding does not add up to a bias.
TEST(SmServer, AgreesWithATextbookSimulationInTheMeanOverManyTiles) {
  const TileTiming timing = {.phases = {{false, 750'000},
                                        {false, 1'025'000},
                                        {true, 2'730'500},
                                        {false, 1'025'000},
                                        {true, 2'730'500},
                                        {true, 762'000}},
                             .service_spread = 0.08,
                             .sm_spread = 0,
                             .unclaimed_share = 0.5};
  std::vector<int64_t> weights;
  for (double weight : {1.0, 0.5, 0.25, 0.125}) {
    weights.push_back(static_cast<int64_t>(weight * kWeightOne));
  }
  constexpr int kBoundaries = 200'000;
  SmServer server(timing, weights, Random(1), 1);
  NaiveSmServer naive(timing, weights, Random(1), 1);
  std::vector<double> ours(4), theirs(4);
  int64_t our_end = 0;
  long double their_end = 0;
  for (int i = 0; i < kBoundaries; ++i) {
    const SmServer::Passing left = server.NextBoundary();
    const NaiveSmServer::Boundary right = naive.NextBoundary();
    ++ours[left.slot];
    ++theirs[right.slot];
    our_end = left.time_ps;
    their_end = right.time_ps;
  }
  EXPECT_NEAR(static_cast<double>(our_end / their_end), 1, 1e-3);
  for (int slot = 0; slot < 4; ++slot) {
    EXPECT_NEAR(ours[slot] / theirs[slot], 1, 5e-3) << "slot " << slot;
  }
}

}  // namespace
}  // namespace tilebound::model
