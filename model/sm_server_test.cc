// The server against closed forms.
#include "model/sm_server.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "model/sharing.h"

namespace tilebound::model {
namespace {

constexpr int64_t kOne = kWeightOne;

TileTiming Timing(std::vector<Phase> phases, double service_spread = 0) {
  return {.phases = std::move(phases),
          .service_spread = service_spread,
          .sm_spread = 0};
}

// The tile of the published 64x64 product, about: boundary, two chunks,
// epilogue.
TileTiming Sgemm() {
  return Timing({{false, 750'000},
                 {false, 1'025'001},
                 {true, 2'730'500},
                 {false, 1'025'001},
                 {true, 2'730'500},
                 {true, 762'003}});
}

TileTiming ServiceOnly(int64_t service_ps) {
  return Timing({{true, service_ps}});
}

// Tile starts by slot, from when every block has started until one of them has
// `tiles` tiles.
std::vector<std::vector<int64_t>> Starts(SmServer server, size_t tiles) {
  std::vector<std::vector<int64_t>> starts(server.blocks());
  std::vector<bool> started(server.blocks());
  while (true) {
    const SmServer::Passing at = server.NextBoundary();
    started[at.slot] = true;
    if (std::count(started.begin(), started.end(), false) > 0) continue;
    starts[at.slot].push_back(at.time_ps);
    if (starts[at.slot].size() > tiles) return starts;
  }
}

double MeanTile(const std::vector<int64_t>& starts) {
  return static_cast<double>(starts.back() - starts.front()) /
         static_cast<double>(starts.size() - 1);
}

TEST(SmServer, OneBlockAloneTakesTheSoloTimeForEveryTile) {
  for (int64_t weight : {kOne, kOne / 3, int64_t{12'345}, int64_t{1}}) {
    const auto starts = Starts(SmServer(Sgemm(), {weight}, Random(1), 1), 1000);
    for (size_t i = 1; i < starts[0].size(); ++i) {
      ASSERT_EQ(starts[0][i] - starts[0][i - 1], Sgemm().SoloPs())
          << "tile " << i << ", weight " << weight;
    }
  }
}

// 10 s of simulated time.
TEST(SmServer, LongRunDoesNotDriftByOnePicosecond) {
  SmServer server(Sgemm(), {kOne}, Random(2), 1);
  const int64_t first = server.NextBoundary().time_ps;
  int64_t tiles = 0, time = first;
  while (time < 10'000'000'000'000) {
    time = server.NextBoundary().time_ps;
    ++tiles;
  }
  EXPECT_EQ(time - first, tiles * Sgemm().SoloPs());
}

// Hours of the longest tile at the smallest weight: the virtual clock runs as
// fast as it ever does and is set back many times while blocks are in service.
TEST(SmServer, SmallestWeightAndLongestTileKeepTheClocksInTheirRange) {
  for (int64_t c : {1, 2, 32}) {
    const auto tiles = static_cast<size_t>(100'000 / c);
    for (const auto& starts :
         Starts(SmServer(ServiceOnly(kMostTilePs), std::vector<int64_t>(c, 1),
                         Random(3), 1),
                tiles)) {
      ASSERT_GE(starts.size(), tiles - 1) << c << " blocks";
      for (size_t i = 1; i < starts.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(starts[i] - starts[i - 1]),
                    static_cast<double>(c * kMostTilePs),
                    static_cast<double>(c - 1))
            << c << " blocks, tile " << i;
      }
    }
  }
}

// Each of c blocks that are always in service gets 1 / c. Every finish is
// rounded up by less than 1 ps, and c of them fall into a tile.
TEST(SmServer, EqualWeightsShareFairly) {
  constexpr int64_t kService = 2'730'511;
  for (int64_t c = 1; c <= 8; ++c) {
    for (const auto& starts :
         Starts(SmServer(ServiceOnly(kService), std::vector<int64_t>(c, kOne),
                         Random(4), 1),
                500)) {
      for (size_t i = 1; i < starts.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(starts[i] - starts[i - 1]),
                    static_cast<double>(c * kService), static_cast<double>(c))
            << c << " blocks";
      }
    }
  }
}

TEST(SmServer, WeightsTwoToOneServeAtTwoThirdsAndOneThird) {
  constexpr int64_t kService = 3'000'000;
  const auto starts = Starts(
      SmServer(ServiceOnly(kService), {kOne, kOne / 2}, Random(5), 1), 500);
  for (size_t i = 1; i < starts[0].size(); ++i) {
    ASSERT_NEAR(static_cast<double>(starts[0][i] - starts[0][i - 1]),
                kService * 3 / 2, 4);
  }
  for (size_t i = 1; i < starts[1].size(); ++i) {
    ASSERT_NEAR(static_cast<double>(starts[1][i] - starts[1][i - 1]),
                kService * 3, 4);
  }
}

// Tile times of blocks that are always in service are in inverse proportion to
// their weights.
TEST(SmServer, YoungestSlotStarvesAsTheDecayGoesToZero) {
  constexpr int64_t kService = 1'000'000;
  for (double decay : {0.9, 0.5, 0.1, 0.01, 1e-3}) {
    const auto starts =
        Starts(SmServer(ServiceOnly(kService), GeometricWeights(2, decay),
                        Random(6), 1),
               static_cast<size_t>(10 / decay));
    EXPECT_NEAR(MeanTile(starts[1]), kService * (1 + 1 / decay),
                1e-3 * kService / decay)
        << decay;
    EXPECT_NEAR(MeanTile(starts[0]), kService * (1 + decay), 0.01 * kService)
        << decay;
  }
  // At decay 0 the youngest keeps the smallest weight there is: it runs one
  // tile while the other runs 2^20. (Its first may have met an idle server.)
  SmServer server(ServiceOnly(kService), GeometricWeights(2, 0), Random(7), 1);
  int64_t of_the_oldest = 0, youngest_starts = 0;
  while (youngest_starts < 3) {
    if (server.NextBoundary().slot == 1) {
      ++youngest_starts;
    } else if (youngest_starts == 2) {
      ++of_the_oldest;
    }
  }
  EXPECT_NEAR(static_cast<double>(of_the_oldest), kOne, 2);
}

// While somebody is in service, service is delivered at rate 1: a server that
// never idles finishes as much work as time passes, but for the tiles under
// way.
TEST(SmServer, DeliversAllItsTimeAsServiceWhileItIsBusy) {
  constexpr int64_t kService = 1'234'567;
  for (double decay : {1.0, 0.5, 0.2}) {
    for (uint32_t c : {1u, 2u, 3u, 4u}) {
      const auto starts =
          Starts(SmServer(ServiceOnly(kService), GeometricWeights(c, decay),
                          Random(8), 1),
                 20'000);
      int64_t begin = 0, end = 0, tiles = 0;
      for (const auto& of_block : starts) {
        begin = std::max(begin, of_block.front());
        end = std::max(end, of_block.back());
      }
      for (const auto& of_block : starts) {
        // Whole tiles between the two.
        int64_t inside = 0;
        for (int64_t start : of_block) inside += begin <= start && start <= end;
        tiles += std::max<int64_t>(0, inside - 1);
      }
      const int64_t work = tiles * kService;
      EXPECT_LE(work, end - begin) << c << " blocks, decay " << decay;
      // Up to two tiles of each block are cut by the ends; each finish is up to
      // a picosecond late.
      EXPECT_GE(work, end - begin - 2 * c * kService - tiles)
          << c << " blocks, decay " << decay;
    }
  }
}

TEST(SmServer, NeverDeliversMoreServiceThanTimeAndNeverATileUnderItsSoloTime) {
  const TileTiming timing = Sgemm();
  for (uint32_t c : {1u, 2u, 4u, 6u}) {
    const auto starts =
        Starts(SmServer(timing, GeometricWeights(c, 0.5), Random(9), 1), 5000);
    int64_t begin = starts[0].front(), end = begin, tiles = 0;
    for (const auto& of_block : starts) {
      if (of_block.empty()) continue;
      begin = std::min(begin, of_block.front());
      end = std::max(end, of_block.back());
      tiles += static_cast<int64_t>(of_block.size()) - 1;
      for (size_t i = 1; i < of_block.size(); ++i) {
        ASSERT_GE(of_block[i] - of_block[i - 1], timing.SoloPs());
      }
    }
    EXPECT_LE(tiles * timing.ServicePs(), end - begin) << c << " blocks";
  }
}

// The share that no waiting hides: six of these tiles want the server for 37 us
// and wait for under 3, so the server is always busy and the mean tile of all
// blocks takes c times its service.
TEST(SmServer, SaturatedServerMakesTheMeanTileAsLongAsAllServiceTogether) {
  const TileTiming timing = Sgemm();
  for (uint32_t c : {6u, 8u}) {
    const auto starts =
        Starts(SmServer(timing, GeometricWeights(c, 1), Random(10), 1), 2000);
    double rate = 0;
    for (const auto& of_block : starts) rate += 1 / MeanTile(of_block);
    EXPECT_NEAR(1 / rate, static_cast<double>(timing.ServicePs()),
                1e-3 * static_cast<double>(timing.ServicePs()))
        << c;
  }
}

// Two blocks alike, each waiting for L and then wanting service S. Let one
// start its tile d after the other, d the smaller of the two distances. It
// enters service d later; what the first has left by then, S - d, is shared and
// takes twice as long; then the second has d left, and runs alone while the
// first waits. So both finish d apart again, after L + S + (S - d): the
// distance never changes. If d >= S they never meet and a tile takes L + S; if
// d > L the server never idles and a tile takes 2 S.
TEST(SmServer, TwoBlocksAlikeKeepTheirDistanceAndThePeriodThatFollowsFromIt) {
  struct Case {
    int64_t latency, service;
  };
  bool met = false, apart = false, saturated = false;
  for (const Case& c : {Case{5'000'000, 2'000'000}, Case{3'000'000, 3'000'000},
                        Case{1'000'000, 4'000'000}}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const auto starts =
          Starts(SmServer(Timing({{false, c.latency}, {true, c.service}}),
                          {kOne, kOne}, Random(seed), 1),
                 1000);
      const auto& a = starts[0];
      const auto& b = starts[1];
      // Past the first tiles, which met an idle server.
      size_t i = 10, j = 10;
      while (b[j] < a[i]) ++j;
      const int64_t period = a[i + 1] - a[i];
      const int64_t distance = std::min(b[j] - a[i], a[i + 1] - b[j]);
      const int64_t expected = std::max(
          2 * c.service,
          c.latency + c.service + std::max<int64_t>(0, c.service - distance));
      // Two finishes of each block fall into a period.
      EXPECT_NEAR(static_cast<double>(period), static_cast<double>(expected), 4)
          << "L " << c.latency << ", S " << c.service << ", d " << distance;
      // Still the same 900 tiles later.
      size_t m = i + 900, n = j;
      while (b[n] < a[m]) ++n;
      const int64_t later = std::min(b[n] - a[m], a[m + 1] - b[n]);
      EXPECT_NEAR(static_cast<double>(later), static_cast<double>(distance),
                  4 * 900);
      met |= distance < c.service && distance < c.latency;
      apart |= distance > c.service;
      saturated |= distance > c.latency;
    }
  }
  EXPECT_TRUE(met);
  EXPECT_TRUE(apart);
  EXPECT_TRUE(saturated);
}

TEST(SmServer, TimesNeverDecrease) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    SmServer server(
        Timing({{false, 0}, {true, 700'001}, {true, 0}, {false, 300'007}}, 0.3),
        GeometricWeights(5, 0.6), Random(seed), 1.01);
    int64_t last = 0;
    for (int i = 0; i < 10'000; ++i) {
      const int64_t time = server.NextBoundary().time_ps;
      ASSERT_GE(time, last);
      last = time;
    }
  }
}

TEST(SmServer, ScaleStretchesEveryDuration) {
  TileTiming stretched = Sgemm();
  for (Phase& phase : stretched.phases) phase.duration_ps *= 3;
  SmServer scaled(Sgemm(), GeometricWeights(4, 0.5), Random(11), 3);
  SmServer plain(stretched, GeometricWeights(4, 0.5), Random(11), 1);
  for (int i = 0; i < 5000; ++i) {
    const SmServer::Passing left = scaled.NextBoundary();
    const SmServer::Passing right = plain.NextBoundary();
    ASSERT_EQ(left.time_ps, right.time_ps);
    ASSERT_EQ(left.slot, right.slot);
  }
}

// Four standard errors of the mean; the deviation's is under 1 % of itself.
TEST(SmServer, SpreadChangesTheServiceOfATileAndNotItsMean) {
  constexpr int64_t kLatency = 1'000'000, kService = 5'000'000;
  constexpr double kSpread = 0.08;
  constexpr size_t kTiles = 100'000;
  const auto starts =
      Starts(SmServer(Timing({{false, kLatency}, {true, kService}}, kSpread),
                      {kOne}, Random(12), 1),
             kTiles);
  double sum = 0, squares = 0;
  for (size_t i = 1; i < starts[0].size(); ++i) {
    const double tile =
        static_cast<double>(starts[0][i] - starts[0][i - 1]) - kLatency;
    sum += tile;
    squares += tile * tile;
  }
  const double mean = sum / kTiles;
  const double deviation = std::sqrt(squares / kTiles - mean * mean);
  EXPECT_NEAR(mean, kService, 4 * kSpread * kService / std::sqrt(kTiles));
  EXPECT_NEAR(deviation, kSpread * kService, 0.01 * kSpread * kService);
}

TEST(SmServer, CountsThePhasesThatItRan) {
  SmServer server(Sgemm(), {kOne}, Random(13), 1);
  server.NextBoundary();
  const uint64_t before = server.phase_events();
  for (int tile = 0; tile < 10; ++tile) server.NextBoundary();
  EXPECT_EQ(server.phase_events() - before, 10 * Sgemm().phases.size());
}

// Boundary, a marked wait inside, a marked service.
TileTiming Marked() {
  TileTiming timing = Timing({{false, 1'000'000},
                              {true, 2'000'000},
                              {false, 500'000, 1},
                              {true, 3'000'000, 2}});
  timing.marks.resize(3);
  return timing;
}

TEST(SmServer, PassesTheMarksOfATileInOrderWhenTheirPhasesBegin) {
  SmServer server(Marked(), {kOne}, Random(14), 1);
  const int64_t start = server.NextBoundary().time_ps;
  for (int64_t tile = 0; tile < 3; ++tile) {
    const int64_t from = start + tile * 6'500'000;
    const SmServer::Passing wait = server.NextPassing();
    EXPECT_EQ(wait.mark, 1u);
    EXPECT_EQ(wait.time_ps, from + 3'000'000);
    const SmServer::Passing service = server.NextPassing();
    EXPECT_EQ(service.mark, 2u);
    EXPECT_EQ(service.time_ps, from + 3'500'000);
    EXPECT_EQ(server.NextPassing().mark, 0u);
  }
}

TEST(SmServer, MarksChangeNoTime) {
  TileTiming plain = Marked();
  for (Phase& phase : plain.phases) phase.mark = 0;
  SmServer marked(Marked(), {kOne, kOne / 2}, Random(15), 1);
  SmServer unmarked(plain, {kOne, kOne / 2}, Random(15), 1);
  for (int i = 0; i < 1000; ++i) {
    const SmServer::Passing a = marked.NextBoundary();
    const SmServer::Passing b = unmarked.NextBoundary();
    ASSERT_EQ(a.time_ps, b.time_ps);
    ASSERT_EQ(a.slot, b.slot);
  }
}

TEST(SmServer, RunsUpToALimitAndNoFurther) {
  SmServer server(Marked(), {kOne}, Random(16), 1);
  const int64_t start = server.NextBoundary().time_ps;
  EXPECT_EQ(server.NextEventPs(), start + 1'000'000);
  EXPECT_FALSE(server.NextPassingBy(start + 2'999'999).has_value());
  EXPECT_EQ(server.NextEventPs(), start + 3'000'000);
  const auto at = server.NextPassingBy(start + 3'000'000);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(at->time_ps, start + 3'000'000);
}

// A tile given up takes no more service; the neighbour has the SM to itself
// until the next one is served.
TEST(SmServer, RestartedBlockBeginsAnewAndLeavesItsShare) {
  SmServer server(Marked(), {kOne}, Random(17), 1);
  SmServer::Passing at = server.NextBoundary();
  at = server.NextPassing();
  ASSERT_EQ(at.mark, 1u);
  server.RestartAt(0, at.time_ps + 40'000'000);
  const SmServer::Passing begun = server.NextPassing();
  EXPECT_EQ(begun.mark, 0u);
  EXPECT_EQ(begun.time_ps, at.time_ps + 40'000'000);
  EXPECT_EQ(server.NextBoundary().time_ps, begun.time_ps + 6'500'000);

  SmServer pair(Marked(), {kOne, kOne}, Random(18), 1);
  do at = pair.NextPassing();
  while (at.mark != 1 || at.slot != 0 || at.time_ps < 100'000'000);
  pair.RestartAt(0, at.time_ps + 400'000'000);
  int64_t last = 0;
  while (true) {
    const SmServer::Passing next = pair.NextBoundary();
    if (next.slot == 0) break;
    if (last > at.time_ps) EXPECT_EQ(next.time_ps - last, 6'500'000);
    last = next.time_ps;
  }
}

// Weights 3 and 1: three quarters of 40,000 tiles, 0.2 % a standard error.
TEST(SmServer, DrawsProgramsByTheirWeights) {
  TileTiming timing = Timing({{false, 1'000'000}, {false, 7'000'000}});
  timing.programs = {{0, 1, 3.0}, {1, 2, 1.0}};
  const auto starts = Starts(SmServer(timing, {kOne}, Random(19), 1), 40'000);
  int shorter = 0;
  for (size_t i = 1; i < starts[0].size(); ++i) {
    const int64_t tile = starts[0][i] - starts[0][i - 1];
    ASSERT_TRUE(tile == 1'000'000 || tile == 7'000'000) << tile;
    shorter += tile == 1'000'000;
  }
  EXPECT_NEAR(shorter / 40'000.0, 0.75, 0.009);
}

// Two blocks of weights 1 and 1/4 in service: the second is served at a fifth.
TEST(SmServer, LongestPhaseIsThatWithEverybodyInServiceAndTheLargestDraw) {
  const SmServer server(Timing({{false, 1'000'000}, {true, 2'000'000}}, 0.1),
                        {kOne, kOne / 4}, Random(20), 1);
  EXPECT_EQ(server.LongestPs(1, 0), 1'000'000);
  EXPECT_NEAR(static_cast<double>(server.LongestPs(1, 1)),
              5 * 2'000'000 * (1 + 0.1 * Random::kMostLate), 2);
}

// Two blocks in turn, one in service while the other one waits: with all of a
// waiting block's turn handed on each has the SM to itself; with none of it
// each gets its own half only.
TEST(SmServer, WaitingBlockKeepsTheUnclaimedShareOfItsTurn) {
  for (const double unclaimed : {0.0, 0.5, 1.0}) {
    TileTiming timing = Timing({{false, 1'000'000'000}, {true, 1'000'000}});
    timing.unclaimed_share = unclaimed;
    SmServer server(timing, {kOne, kOne}, Random(21), 1);
    int64_t before = server.NextBoundary().time_ps;
    for (int i = 0; i < 20; ++i) server.NextBoundary();
    // Services are too short beside the wait to meet.
    SmServer::Passing one = server.NextBoundary();
    SmServer::Passing next = server.NextBoundary();
    while (next.slot != one.slot) next = server.NextBoundary();
    EXPECT_NEAR(static_cast<double>(next.time_ps - one.time_ps),
                1'000'000'000 + 1'000'000 * (1 + unclaimed), 4)
        << unclaimed;
    EXPECT_GT(one.time_ps, before);
  }
}

TEST(SmServer, BlockThatWaitsForALookHandsAllOfItsTurnOn) {
  TileTiming timing = Timing({{false, 1'000'000'000}, {true, 1'000'000}});
  timing.unclaimed_share = 1;
  timing.phases[0].hands_on = true;
  SmServer server(timing, {kOne, kOne}, Random(21), 1);
  for (int i = 0; i < 20; ++i) server.NextBoundary();
  const SmServer::Passing one = server.NextBoundary();
  SmServer::Passing next = server.NextBoundary();
  while (next.slot != one.slot) next = server.NextBoundary();
  EXPECT_NEAR(static_cast<double>(next.time_ps - one.time_ps), 1'001'000'000,
              4);
}

TEST(SmServer, BlockThatHasLeftKeepsNothingOfItsTurn) {
  TileTiming timing = Timing({{false, 1'000'000}, {true, 1'000'000}});
  timing.unclaimed_share = 1;
  SmServer server(timing, {kOne, kOne}, Random(22), 1);
  SmServer::Passing at = server.NextBoundary();
  while (at.slot != 1) at = server.NextBoundary();
  server.Leave(1);
  for (int i = 0; i < 5; ++i) at = server.NextBoundary();
  EXPECT_NEAR(static_cast<double>(server.NextBoundary().time_ps - at.time_ps),
              2'000'000, 4);
}

// Alone and without spread a tile takes its latency and its service, which a
// sag makes longer; the clock sags half of the time.
TEST(SmServer, TilesOfASagTakeLonger) {
  SmServer server(Timing({{false, 1'000'000}, {true, 2'000'000}}), {kOne},
                  Random(23), 1);
  server.SetClock(
      ClockSagSchedule({.slowdown = 1.25, .share = 0.5}, Random(24)));
  int usual = 0, sagging = 0;
  int64_t before = server.NextBoundary().time_ps;
  for (int i = 0; i < 200'000; ++i) {
    const int64_t now = server.NextBoundary().time_ps;
    if (now - before == 3'000'000) ++usual;
    if (now - before == 3'500'000) ++sagging;
    before = now;
  }
  EXPECT_EQ(usual + sagging, 200'000);
  EXPECT_GT(usual, 40'000);
  EXPECT_GT(sagging, 40'000);
}

}  // namespace
}  // namespace tilebound::model
