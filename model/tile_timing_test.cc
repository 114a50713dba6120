#include "model/tile_timing.h"

#include <string>
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

// The study: 6.7 / 10.3 / 17.8 us alone on an A10's SM, one block on each
// of 72. The fit reads the one of K = 64; the other two follow from the
// formula.
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
       {Published{32, 6.7, 0.08}, Published{64, 10.3, 0.001},
        Published{128, 17.8, 0.03}}) {
    const double predicted =
        static_cast<double>(TimingOrDie(*parameters, p.k, 72 / p.us).SoloPs()) *
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

// With a service drawn 3.47 deviations from the mean on an SM 3 deviations off,
// 34.36 ms are what the servers' clocks hold.
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
      "a tile of k 64 takes 30000 to 40410 us by its calibration; accepted "
      "are 0.1 to 34359.7 us");
  // A depth whose phases would not fit into memory.
  EXPECT_FALSE(MakeTileTiming(Sgemm(), kParameters, 4'294'967'264, 0).ok());
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
