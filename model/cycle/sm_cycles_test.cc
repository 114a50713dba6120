#include "model/cycle/sm_cycles.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "model/cycle/naive_sm_cycles.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

TileStream Stream(const std::string& elect, const std::string& fetch,
                  const std::string& chunk, const std::string& epilogue) {
  pb::InstructionStream text;
  text.set_compute_capability(86);
  text.set_elect(elect);
  text.set_fetch(fetch);
  text.set_chunk(chunk);
  text.set_epilogue(epilogue);
  const auto stream = ParseStream(text);
  EXPECT_TRUE(stream.ok()) << stream.status();
  return *stream;
}

SmRun RunSm(const TileStream& stream, const CycleParameters& parameters,
            const SmRunOptions& options) {
  const auto run = SimulateSm(stream, parameters, options);
  EXPECT_TRUE(run.ok()) << run.status();
  return *run;
}

// Cycles from one tile to the next, after the first few.
int64_t LastTile(const SmRun& run, size_t slot = 0) {
  const std::vector<int64_t>& starts = run.tile_starts[slot];
  return starts.back() - starts[starts.size() - 2];
}

TEST(SmCycles, AChainOfOneWarpTakesItsStalls) {
  const SmRun run = RunSm(Stream("int,s7", "5*int,s4", "10*fma,s5", "int,s2"),
                          {}, {.warps_per_block = 1, .chunks = 3, .tiles = 5});
  EXPECT_EQ(LastTile(run), 7 + 5 * 4 + 3 * 10 * 5 + 2);
}

TEST(SmCycles, ALoadAndItsUserAreALatencyApart) {
  CycleParameters parameters;
  parameters.clock_mhz = 1000;
  parameters.l2_latency_us = 0.5;
  parameters.memory_jitter = 0;
  parameters.global_load_cycles = 4;
  // Issue, pipe a cycle later for 4 cycles, 500 cycles, user; then its stall.
  const SmRun run = RunSm(Stream("ldg,w0", "", "int,m0", ""), parameters,
                          {.warps_per_block = 1, .tiles = 5});
  EXPECT_EQ(LastTile(run), 1 + 4 + 500 + 1);
}

TEST(SmCycles, SharedLoadsUnderLoadTakeTheirWavefronts) {
  // 8 warps x 50 loads of 4 wavefronts a tile, and nothing else to wait for.
  const SmRun run =
      RunSm(Stream("int", "", "50*lds.4", ""), {},
            {.blocks = 2, .tiles = 1'000'000, .most_cycles = 100'000});
  const auto loads = static_cast<double>(run.instructions);
  EXPECT_NEAR(run.pipe_busy_cycles / static_cast<double>(run.cycles), 1, 0.02);
  EXPECT_NEAR(loads * 4 / static_cast<double>(run.cycles), 1, 0.03);
}

TEST(SmCycles, FractionsOfACycleAreNotLostUnderLoad) {
  CycleParameters parameters;
  parameters.lsu_cost_scale = 0.9;
  const SmRun run =
      RunSm(Stream("int", "", "400*lds.1", ""), parameters,
            {.blocks = 2, .tiles = 1'000'000, .most_cycles = 100'000});
  // Subpartitions may issue 4 a cycle: the pipe alone limits.
  EXPECT_NEAR(
      static_cast<double>(run.instructions) / static_cast<double>(run.cycles),
      1 / 0.9, 0.02);
}

TEST(SmCycles, FmaThroughputIsOneEachInterval) {
  CycleParameters parameters;
  for (double interval : {1.0, 1.3, 2.0}) {
    parameters.fma_interval_cycles = interval;
    const SmRun run =
        RunSm(Stream("fma", "", "500*fma", ""), parameters,
              {.blocks = 2, .tiles = 1'000'000, .most_cycles = 100'000});
    EXPECT_NEAR(
        static_cast<double>(run.cycles) / static_cast<double>(run.instructions),
        interval / 4, 0.01);
  }
}

TEST(SmCycles, TensorThroughputIsThePipesMultiplyAdds) {
  CycleParameters parameters;
  parameters.tensor_multiply_adds_per_cycle = 256;
  const SmRun run =
      RunSm(Stream("int", "", "100*mma.2048", ""), parameters,
            {.blocks = 2, .tiles = 1'000'000, .most_cycles = 100'000});
  EXPECT_NEAR(
      static_cast<double>(run.instructions) / static_cast<double>(run.cycles),
      4 * 256 / 2048., 0.01);
}

TEST(SmCycles, ABarrierHoldsEveryWarpForTheSlowest) {
  CycleParameters parameters;
  parameters.barrier_cycles = 20;
  // Warp 0 comes 10 * 8 cycles after the others.
  const SmRun run = RunSm(Stream("10*int,s8", "bar", "int,s3", ""), parameters,
                          {.warps_per_block = 4, .tiles = 5});
  EXPECT_EQ(LastTile(run), 10 * 8 + 20 + 3);
}

TEST(SmCycles, AWaitLetsSoManyGroupsBeOnTheirWay) {
  CycleParameters parameters;
  parameters.clock_mhz = 1000;
  parameters.l2_latency_us = 1;
  parameters.memory_jitter = 0;
  const SmRunOptions options = {.warps_per_block = 1, .tiles = 5};
  const std::string two = "cpa commit,w0 cpa commit,w0 ";
  EXPECT_GT(LastTile(RunSm(Stream("int", "", two + "wait.1,w0", ""), parameters,
                           options)),
            500);
  EXPECT_GT(LastTile(RunSm(Stream("int", "", two + "wait.0,w0", ""), parameters,
                           options)),
            1000);
  // The last chunk leaves the copies out: empty groups are done at once.
  EXPECT_LT(LastTile(RunSm(Stream("int", "", "cpa? commit,w0 wait.0,w0", ""),
                           parameters, options)),
            10);
}

// Loads in flight a warp, and then a use of each.
std::string Loads(int in_flight) {
  return absl::StrCat(in_flight, "*lds.1,w0 ", in_flight, "*int,m0,s5 ");
}

TEST(SmCycles, ShorterQueuesMakeBlocksLessEqual) {
  // In the queue a young warp waits no longer than an old one.
  CycleParameters parameters;
  const TileStream stream = Stream("int", "", Loads(8) + Loads(8), "");
  double before = 1e9;
  for (double places : {4., 9., 16.}) {
    parameters.queue_places = places;
    const SmRun run =
        RunSm(stream, parameters,
              {.blocks = 4, .tiles = 1'000'000, .most_cycles = 300'000});
    const auto oldest = static_cast<double>(run.tile_starts[0].size());
    const auto youngest = static_cast<double>(run.tile_starts[3].size());
    EXPECT_LT(oldest / youngest, before) << places;
    before = oldest / youngest;
  }
}

TEST(SmCycles, AStarvedSlotEndsAtTheCyclesAllowed) {
  // Integer work alone: strictly the oldest first.
  const SmRun run = RunSm(Stream("int", "", "100*int", ""), {},
                          {.blocks = 3, .tiles = 100, .most_cycles = 50'000});
  EXPECT_EQ(run.cycles, 50'000);
  EXPECT_LT(run.tile_starts[2].size(), run.tile_starts[0].size() / 10);
}

TEST(SmCycles, RefusesWhatNoSmHolds) {
  const TileStream stream = Stream("int", "", "int", "");
  EXPECT_EQ(SimulateSm(stream, {}, {.blocks = 9}).status().message(),
            "9 blocks of 8 warps; 1 to 64 warps fit an SM");
  EXPECT_FALSE(SimulateSm(stream, {}, {.blocks = 0}).ok());
  EXPECT_FALSE(SimulateSm(stream, {}, {.chunks = 0}).ok());
  EXPECT_FALSE(SimulateSm({}, {}, {}).ok());
  CycleParameters parameters;
  parameters.queue_places = 0;
  EXPECT_EQ(SimulateSm(stream, parameters, {}).status().message(),
            "cycle parameter queue_places is 0; 1 to 60 is accepted");
}

std::vector<double> Shares(const std::string& chunk, uint32_t tiles) {
  const SmRun run =
      RunSm(Stream("int", "", chunk, ""), *DefaultCycleParameters(90),
            {.blocks = 4, .tiles = tiles, .most_cycles = 400'000});
  std::vector<double> shares;
  for (const auto& starts : run.tile_starts) {
    shares.push_back(static_cast<double>(starts.size()));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.);
  for (double& share : shares) share /= sum;
  return shares;
}

// Throughput shares of 4 blocks of 256 threads, measured on an H200 with one
// kind of instruction each.
TEST(SmCycles, IntegerWorkAloneServesTheOldestBlockAsOnTheH200) {
  // .97 / .02 / 0 / 0
  const std::vector<double> shares = Shares("200*int", 1'000'000);
  EXPECT_GT(shares[0], 0.94);
  EXPECT_LT(shares[2] + shares[3], 0.01);
}

TEST(SmCycles, SharedLoadsAloneAreSharedByAgeAsOnTheH200) {
  // .50 / .35 / .13 / .02; how many loads the probe had in flight is not on
  // record, 8 give .41 and 16 give .52 to the oldest.
  const std::vector<double> shares = Shares(Loads(12) + Loads(12), 1'000'000);
  EXPECT_NEAR(shares[0], 0.50, 0.06);
  EXPECT_NEAR(shares[1], 0.35, 0.06);
  EXPECT_NEAR(shares[2], 0.13, 0.06);
  EXPECT_NEAR(shares[3], 0.02, 0.03);
}

TEST(SmCycles, LoadsBoundByLatencyAreSharedEvenlyAsOnTheH200) {
  // About .25 each.
  for (double share : Shares("ldg,w0 int,m0", 1'000'000)) {
    EXPECT_NEAR(share, 0.25, 0.02);
  }
}

// A stream of anything, with every kind and field.
std::string RandomSegment(Random& random, int count, bool is_elect,
                          bool is_chunk) {
  const std::vector<std::string> names = {
      "int",       "var",       "fma",  "fma", "mma.2048", "lds.4",
      "lds.1",     "sts.2",     "ldg",  "stg", "cpa",      "cpa?",
      "commit,w0", "wait.1,w0", "atom", "fma", "bar",      "fma"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string name = names[random.Below(names.size())];
    if (is_elect && name == "bar") name = "int";
    if (!is_chunk && name == "cpa?") name = "cpa";
    absl::StrAppend(&text, name, ",s", 1 + random.Below(15));
    const bool has_board = name.find(",w0") != std::string::npos;
    if (!has_board && name != "bar" && random.Below(3) == 0) {
      absl::StrAppend(&text, ",w", 1 + random.Below(5));
    }
    const bool is_memory = name[0] == 'l' || name[0] == 's' || name == "cpa";
    if (is_memory && random.Below(4) == 0) {
      absl::StrAppend(&text, ",r", 1 + random.Below(5));
    }
    if (random.Below(4) == 0) absl::StrAppend(&text, ",m", random.Below(6));
    text += ' ';
  }
  return text;
}

TEST(SmCycles, AgreesWithTheNaiveSimulationCycleByCycle) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const TileStream stream = Stream(RandomSegment(random, 6, true, false),
                                     RandomSegment(random, 10, false, false),
                                     RandomSegment(random, 40, false, true),
                                     RandomSegment(random, 10, false, false));
    CycleParameters parameters;
    parameters.queue_places = 1 + static_cast<double>(random.Below(64)) / 4;
    parameters.fma_interval_cycles = 1 + random.Unit();
    parameters.lsu_cost_scale = 0.3 + random.Unit();
    parameters.l2_latency_us = random.Unit() / 2;
    parameters.atomic_round_trip_us = random.Unit();
    const uint64_t warps[] = {1, 3, 4, 8};
    const SmRunOptions options = {
        .blocks = static_cast<uint32_t>(1 + random.Below(4)),
        .warps_per_block = static_cast<uint32_t>(warps[random.Below(4)]),
        .chunks = static_cast<uint32_t>(1 + random.Below(4)),
        .tiles = 12,
        .most_cycles = 60'000,
        .seed = seed};
    const SmProgram program = MakeSmProgram(stream, parameters);
    SmRun naive = NaiveSm(program, options).Run();
    EXPECT_EQ(RunSm(stream, parameters, options), naive) << "seed " << seed;
    EXPECT_GT(naive.instructions, 0u);
  }
}

TEST(SmCycles, TheSeedDecidesTheRunAndNothingElse) {
  const TileStream stream = Stream("atom,w0", "int,m0", "20*lds.2 20*fma", "");
  const SmRunOptions options = {.blocks = 3, .tiles = 20, .seed = 7};
  EXPECT_EQ(RunSm(stream, {}, options), RunSm(stream, {}, options));
  SmRunOptions other = options;
  other.seed = 8;
  EXPECT_NE(RunSm(stream, {}, options), RunSm(stream, {}, other));
}

}  // namespace
}  // namespace tilebound::model
