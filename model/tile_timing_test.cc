#include "model/tile_timing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "data/schema/catalog.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

Catalog CatalogOrDie() {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  return *catalog;
}

pb::TileProgram Sgemm() {
  const auto kernel = CatalogOrDie().FindKernel("sgemm64");
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return kernel->programs(0);
}

// Round figures near those of the A10.
constexpr TileParameters kParameters = {.service_us = 6,
                                        .latency_us = 2.75,
                                        .latency_load_us2 = 0.25,
                                        .boundary_us = 0.75,
                                        .service_spread = 0.08,
                                        .sm_spread = 0.012};

TileTiming TimingOrDie(const TileParameters& parameters, uint32_t k,
                       double rate) {
  const auto timing = MakeTileTiming(Sgemm(), parameters, k, rate);
  EXPECT_TRUE(timing.ok()) << timing.status();
  return *timing;
}

// Boundary 0.75; a chunk waits (2.75 - 0.75) / 2 = 1 and is served 0.43 x 6 =
// 2.58; the epilogue is served 0.12 x 6 = 0.72. The first wait follows the
// boundary's without anything between them, the epilogue the last service.
TEST(TileTiming, IsBoundaryThenChunksThenEpilogue) {
  const TileTiming timing = TimingOrDie(kParameters, 64, 0);
  const std::vector<std::pair<bool, int64_t>> expected = {
      {false, 750'000 + 1'000'000},
      {true, 2'580'000},
      {false, 1'000'000},
      {true, 2'580'000 + 720'000}};
  ASSERT_EQ(timing.phases.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(timing.phases[i].service, expected[i].first) << i;
    EXPECT_EQ(timing.phases[i].duration_ps, expected[i].second) << i;
  }
  EXPECT_EQ(timing.service_spread, 0.08);
  EXPECT_EQ(timing.sm_spread, 0.012);
}

// 0.75 + chunks x 3.58 + 0.72, served chunks x 2.58 + 0.72.
TEST(TileTiming, GrowsByOneChunkForEveryChunkOfK) {
  struct Case {
    uint32_t k;
    int64_t solo_ps, service_ps;
  };
  for (const Case& c :
       {Case{32, 5'050'000, 3'300'000}, Case{64, 8'630'000, 5'880'000},
        Case{128, 15'790'000, 11'040'000}}) {
    const TileTiming timing = TimingOrDie(kParameters, c.k, 0);
    EXPECT_EQ(timing.SoloPs(), c.solo_ps) << c.k;
    EXPECT_EQ(timing.ServicePs(), c.service_ps) << c.k;
  }
}

// 4 tiles/us x 0.25 add 1 us of latency at the reference k, half of it a chunk.
TEST(TileTiming, LoadOfTheGridLengthensTheLatencyOfEveryChunk) {
  for (uint32_t k : {32u, 64u, 128u}) {
    EXPECT_EQ(TimingOrDie(kParameters, k, 4).SoloPs() -
                  TimingOrDie(kParameters, k, 0).SoloPs(),
              500'000 * (k / 32))
        << k;
    EXPECT_EQ(TimingOrDie(kParameters, k, 4).ServicePs(),
              TimingOrDie(kParameters, k, 0).ServicePs());
  }
}

TEST(TileTiming, FlagIsSampledInTheMiddleOfTheBoundary) {
  const TileTiming timing = TimingOrDie(kParameters, 64, 3);
  EXPECT_EQ(timing.marks[0].sample_offset_ps, 375'000);
  EXPECT_EQ(timing.marks[0].observe_offset_ps, 750'000);
}

TEST(TileTiming, LatencyUnderTheBoundarysCountsAsTheBoundarys) {
  TileParameters parameters = kParameters;
  parameters.latency_us = 0.5;
  EXPECT_EQ(TimingOrDie(parameters, 64, 0).SoloPs(),
            750'000 + 2 * 2'580'000 + 720'000);
}

// The task fetch comes once a tile, however deep: 0.75 of boundary, 0.85 more
// until the task is there, and a chunk waits (2.75 - 1.6) / 2 = 0.575.
TEST(TileTiming, FetchesItsTaskOnceATile) {
  TileParameters parameters = kParameters;
  parameters.fetch_us = 1.6;
  for (uint32_t k : {32u, 64u, 128u}) {
    EXPECT_EQ(TimingOrDie(parameters, k, 0).SoloPs(),
              1'600'000 + (k / 32) * (575'000 + 2'580'000) + 720'000)
        << k;
  }
  const TileTiming timing = TimingOrDie(parameters, 64, 0);
  EXPECT_EQ(timing.phases[0].duration_ps, 1'600'000 + 575'000);
  EXPECT_EQ(timing.marks[0].observe_offset_ps, 750'000);
  // A tile of the reference depth takes as long as one without.
  EXPECT_EQ(timing.SoloPs(), TimingOrDie(kParameters, 64, 0).SoloPs());
}

TEST(TileTiming, FetchLongerThanAllLatencyLeavesNoneToTheChunks) {
  TileParameters parameters = kParameters;
  parameters.fetch_us = 100;
  EXPECT_EQ(TimingOrDie(parameters, 64, 0).SoloPs(),
            TimingOrDie(kParameters, 64, 0).SoloPs());
  ASSERT_EQ(TimingOrDie(parameters, 64, 0).phases.size(), 2u);
  EXPECT_EQ(TimingOrDie(parameters, 64, 0).phases[1].duration_ps, 5'880'000);
}

// The study: 6.7 / 10.3 / 17.8 us alone on an A10's SM, one block on each
// of 72. Slot times are those of K = 64; the other two follow from the formula.
TEST(TileTiming, ReproducesThePublishedTilesAloneOnTheirSm) {
  const auto calibration = CatalogOrDie().FindCalibration("a10", "sgemm64");
  ASSERT_TRUE(calibration.ok()) << calibration.status();
  const auto parameters = ReadTileParameters(*calibration, Sgemm());
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  struct Published {
    uint32_t k;
    double us, tolerance;
  };
  for (const Published& p :
       {Published{32, 6.7, 0.02}, Published{64, 10.3, 0.01},
        Published{128, 17.8, 0.02}}) {
    const double load = 72 / p.us * p.k / 64;
    const double predicted =
        static_cast<double>(TimingOrDie(*parameters, p.k, load).SoloPs()) *
        1e-6;
    EXPECT_NEAR(predicted, p.us, p.tolerance * p.us) << p.k;
  }
}

TEST(TileTiming, TileThatTakesNextToNoTimeIsRefused) {
  EXPECT_EQ(
      MakeTileTiming(Sgemm(), {}, 64, 0).status().message(),
      "a tile of k 64 takes 0 to 0 us by its calibration; accepted are 0.1 "
      "to 34359.7 us");
  TileParameters parameters = {};
  parameters.boundary_us = 0.11;
  EXPECT_EQ(TimingOrDie(parameters, 64, 0).SoloPs(), 110'000);
  parameters.boundary_us = 0.09;
  EXPECT_EQ(MakeTileTiming(Sgemm(), parameters, 64, 0).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// With a service drawn 10.09 deviations from the mean on an SM 3 deviations
// off, 34.36 ms are what the servers' clocks hold.
TEST(TileTiming, TileTooLongForTheClocksIsRefused) {
  TileParameters parameters = {};
  parameters.boundary_us = 34'359;
  EXPECT_EQ(TimingOrDie(parameters, 64, 0).SoloPs(), 34'359'000'000);
  for (double TileParameters::*spread :
       {&TileParameters::service_spread, &TileParameters::sm_spread}) {
    TileParameters wide = parameters;
    wide.*spread = 0.1;
    EXPECT_FALSE(MakeTileTiming(Sgemm(), wide, 64, 0).ok());
  }
  parameters.boundary_us = 30'000;
  parameters.service_spread = 0.1;
  EXPECT_EQ(
      MakeTileTiming(Sgemm(), parameters, 64, 0).status().message(),
      "a tile of k 64 takes 30000 to 60271.1 us by its calibration; accepted "
      "are 0.1 to 34359.7 us");
  // A depth whose phases would not fit into memory.
  EXPECT_FALSE(MakeTileTiming(Sgemm(), kParameters, 4'294'967'264, 0).ok());
}

// tensor128 without its pipeline, so that every chunk has a wait.
pb::TileProgram TensorTile() {
  const auto kernel = CatalogOrDie().FindKernel("tensor128");
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  pb::TileProgram program = kernel->programs(0);
  program.set_pipeline_stages(1);
  return program;
}

LookPlan Plan(pb::Site site) {
  LookPlan plan;
  plan.site = site;
  plan.round_trip_us = 0.5;
  plan.site_us = 0.3;
  plan.site_service_us = 0.1;
  plan.tile_us = 0.4;
  plan.tile_service_us = 0.05;
  return plan;
}

TileTiming WithLooks(const LookPlan& plan, uint32_t k = 64) {
  const auto timing = MakeTileTiming(TensorTile(), kParameters, k, 0, plan);
  EXPECT_TRUE(timing.ok()) << timing.status();
  return *timing;
}

// Marks that decide, over the phases of a tile.
int Decisions(const TileTiming& timing) {
  int decisions = timing.marks[0].decides ? 1 : 0;
  for (const Phase& phase : timing.phases) {
    decisions += phase.mark != 0 && timing.marks[phase.mark].decides;
  }
  return decisions;
}

// k 64 is two chunks of tensor128.
TEST(TileTiming, EverySiteIsLookedAtOnceInATile) {
  EXPECT_EQ(Decisions(WithLooks(Plan(pb::BOUNDARY))), 1);
  EXPECT_EQ(Decisions(WithLooks(Plan(pb::STAGE))), 2);
  EXPECT_EQ(Decisions(WithLooks(Plan(pb::ISSUE))), 2);
  // The chunks' and the vote of the task fetch.
  EXPECT_EQ(Decisions(WithLooks(Plan(pb::FOLDED))), 3);
  EXPECT_EQ(WithLooks(Plan(pb::FOLDED)).LeastLooks(), 3u);
  EXPECT_EQ(Decisions(WithLooks({})), 0);
}

TEST(TileTiming, LooksLengthenTheTileByWhatTheyCost) {
  const int64_t bare = WithLooks({}).SoloPs();
  const int64_t served = WithLooks({}).ServicePs();
  struct Case {
    pb::Site site;
    bool exposed;
    int64_t total_ps, service_ps;
  };
  for (const Case& c : {Case{pb::BOUNDARY, false, 400'000, 50'000},
                        Case{pb::BOUNDARY, true, 900'000, 50'000},
                        Case{pb::STAGE, false, 1'000'000, 250'000},
                        Case{pb::STAGE, true, 2'000'000, 250'000},
                        Case{pb::ISSUE, true, 2'000'000, 250'000}}) {
    LookPlan plan = Plan(c.site);
    plan.exposed_round_trip = c.exposed;
    EXPECT_EQ(WithLooks(plan).SoloPs() - bare, c.total_ps) << c.site;
    EXPECT_EQ(WithLooks(plan).ServicePs() - served, c.service_ps) << c.site;
  }
}

TEST(TileTiming, CostOfALookIsSpreadOverThePeriod) {
  LookPlan plan = Plan(pb::BOUNDARY);
  plan.period = 4;
  EXPECT_EQ(WithLooks(plan).SoloPs() - WithLooks({}).SoloPs(), 100'000);
  plan.site = pb::STAGE;
  // A tile can be abandoned whether or not anybody looks: 0.4 stay.
  EXPECT_EQ(WithLooks(plan).SoloPs() - WithLooks({}).SoloPs(),
            400'000 + 2 * 75'000);
}

// A stage's look comes after the wait of its chunk, an issue's before it.
TEST(TileTiming, StageLooksAfterTheWaitAndIssueBeforeIt) {
  for (pb::Site site : {pb::STAGE, pb::ISSUE}) {
    const TileTiming timing = WithLooks(Plan(site));
    const auto look =
        std::find_if(timing.phases.begin(), timing.phases.end(),
                     [](const Phase& phase) { return phase.mark == 2; });
    ASSERT_NE(look, timing.phases.end());
    EXPECT_FALSE(look->service);
    const Mark& mark = timing.marks[2];
    EXPECT_TRUE(mark.inside && mark.samples && mark.decides);
    EXPECT_EQ(mark.sample_offset_ps, 0);
    EXPECT_EQ(mark.observe_offset_ps, 200'000);
    EXPECT_EQ(look->duration_ps, 200'000);
    EXPECT_TRUE(look->hands_on);
    // 2 us of wait over the 8 chunks of reference_k, on the other side.
    const Phase& wait = site == pb::STAGE ? look[-1] : look[1];
    EXPECT_FALSE(wait.service || wait.hands_on);
    EXPECT_EQ(wait.duration_ps, 250'000);
  }
}

// 2 us over the 8 chunks of reference_k: before the first chunk, whatever k.
TEST(TileTiming, PipelinedTileWaitsForItsFirstChunkOnly) {
  pb::TileProgram program = TensorTile();
  program.set_pipeline_stages(3);
  for (uint32_t k : {64u, 512u}) {
    const auto timing = MakeTileTiming(program, kParameters, k, 0);
    ASSERT_TRUE(timing.ok()) << timing.status();
    ASSERT_EQ(timing->phases.size(), 2u);
    EXPECT_EQ(timing->phases[0].duration_ps, 750'000 + 2'000'000);
    EXPECT_EQ(timing->phases[1].duration_ps, timing->ServicePs());
  }
}

// Read where a chunk's compute starts, decided where it ends: the mark after.
TEST(TileTiming, FoldedReadsAtTheStartOfAChunkAndDecidesAtItsEnd) {
  const TileTiming timing = WithLooks(Plan(pb::FOLDED));
  std::vector<std::pair<bool, uint32_t>> marked;
  for (const Phase& phase : timing.phases) {
    if (phase.mark != 0) marked.emplace_back(phase.service, phase.mark);
  }
  const std::vector<std::pair<bool, uint32_t>> expected = {
      {true, 1}, {false, 2}, {true, 3}, {false, 4}};
  EXPECT_EQ(marked, expected);
  for (uint32_t read : {1u, 3u}) {
    EXPECT_TRUE(timing.marks[read].samples && !timing.marks[read].decides);
    EXPECT_TRUE(timing.marks[read + 1].decides &&
                !timing.marks[read + 1].samples);
  }
  EXPECT_TRUE(timing.marks[0].samples && timing.marks[0].decides &&
              !timing.marks[0].inside);
}

TEST(TileTiming, MixHoldsEveryProgramWithItsDepthAndItsWork) {
  pb::Kernel kernel;
  *kernel.add_programs() = Sgemm();
  *kernel.add_programs() = Sgemm();
  kernel.mutable_programs(0)->set_weight(3);
  kernel.mutable_programs(1)->set_fixed_k(128);
  LookPlan free;
  free.site = pb::FOLDED;
  const auto timing =
      MakeKernelTiming(kernel, {kParameters, kParameters}, 64, 0, free);
  ASSERT_TRUE(timing.ok()) << timing.status();
  ASSERT_EQ(timing->programs.size(), 2u);
  EXPECT_EQ(timing->programs[0].weight, 3);
  EXPECT_EQ(timing->programs[1].first, timing->programs[0].end);
  EXPECT_EQ(timing->programs[1].end, timing->phases.size());
  // (3 x 8.63 + 15.79) / 4 us.
  EXPECT_EQ(timing->SoloPs(), (3 * 8'630'000 + 15'790'000) / 4);
  // Two chunks and the vote; the other program has four chunks.
  EXPECT_EQ(timing->LeastLooks(), 3u);
  for (const Phase& phase : timing->phases) {
    ASSERT_LT(phase.mark, timing->marks.size());
  }
}

pb::Calibration Complete() {
  pb::Calibration calibration;
  calibration.set_part("a10");
  calibration.set_kernel("sgemm64");
  double value = 0.01;
  for (const char* quantity :
       {"service_time", "memory_latency", "memory_latency_load",
        "boundary_time", "service_spread", "sm_spread"}) {
    pb::CalibrationValue* added = calibration.add_declared();
    added->set_quantity(quantity);
    added->set_value(value);
    if (value < 0.035) added->set_k(64);
    value += 0.01;
  }
  return calibration;
}

TEST(ReadTileParameters, TakesEveryNumberFromItsQuantity) {
  const auto parameters = ReadTileParameters(Complete(), Sgemm());
  ASSERT_TRUE(parameters.ok()) << parameters.status();
  EXPECT_DOUBLE_EQ(parameters->service_us, 0.01);
  EXPECT_DOUBLE_EQ(parameters->latency_us, 0.02);
  EXPECT_DOUBLE_EQ(parameters->latency_load_us2, 0.03);
  EXPECT_DOUBLE_EQ(parameters->boundary_us, 0.04);
  EXPECT_DOUBLE_EQ(parameters->service_spread, 0.05);
  EXPECT_DOUBLE_EQ(parameters->sm_spread, 0.06);
}

TEST(ReadTileParameters, NamesTheQuantityThatIsMissing) {
  for (int missing = 0; missing < Complete().declared_size(); ++missing) {
    pb::Calibration calibration = Complete();
    const std::string quantity = calibration.declared(missing).quantity();
    calibration.mutable_declared()->DeleteSubrange(missing, 1);
    const absl::Status status =
        ReadTileParameters(calibration, Sgemm()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << quantity;
    EXPECT_EQ(std::string(status.message()),
              "the calibration of sgemm64 on a10 has no " + quantity +
                  (missing < 3 ? " at k 64" : ""));
  }
}

// Values at another k do not count.
TEST(ReadTileParameters, DoesNotTakeAValueOfAnotherK) {
  pb::Calibration calibration = Complete();
  calibration.mutable_declared(0)->set_k(128);
  EXPECT_FALSE(ReadTileParameters(calibration, Sgemm()).ok());
}

TEST(ReadTileParameters, RefusesASpreadThatCouldStopAnSm) {
  pb::Calibration calibration = Complete();
  calibration.mutable_declared(5)->set_value(0.29);
  EXPECT_EQ(
      ReadTileParameters(calibration, Sgemm()).status().message(),
      "the calibration of sgemm64 on a10 has sm_spread 0.29; under 1/3.5 is "
      "accepted, because SMs are drawn up to 3.5 deviations apart from the "
      "mean");
}

}  // namespace
}  // namespace tilebound::model
