#include "model/trace_calibration.h"

#include <algorithm>
#include <cmath>

#include "data/schema/calibration.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/planted_trace.h"
#include "model/slot_statistics.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

TraceCalibrationInput Input(const std::vector<PlantedTrace>& plans) {
  TraceCalibrationInput input;
  input.part.set_name("a10");
  input.part.set_sm_count(72);
  input.kernel = "sgemm64";
  input.recipe.set_sm_clock_mhz(1200);
  input.recipe.set_build("mine");
  for (const PlantedTrace& plan : plans) {
    auto tiles = ReadTraceTiles(MakePlantedTrace(plan), 10);
    EXPECT_TRUE(tiles.ok()) << tiles.status();
    input.traces.push_back({*std::move(tiles), plan.k});
  }
  return input;
}

const pb::CalibrationValue& ValueOf(const TraceCalibration& result,
                                    absl::string_view quantity,
                                    const CalibrationConditions& at) {
  const pb::CalibrationValue* value =
      FindCalibrationValue(result.calibration, quantity, at);
  EXPECT_NE(value, nullptr) << quantity << " slot " << at.slot;
  return value == nullptr ? pb::CalibrationValue::default_instance() : *value;
}

TEST(CalibrateFromTraces, RecoversPlantedTilesOfEverySlot) {
  const std::vector<std::vector<double>> slot_us = {
      {10.3}, {13.5, 15}, {15.8, 19.1, 28.4}, {16.8, 20.7, 33.5, 62.5}};
  std::vector<PlantedTrace> plans;
  for (const auto& us : slot_us) {
    plans.push_back({.slot_us = us, .spread = 0.1, .correlation = 0.4});
  }
  const auto result = CalibrateFromTraces(Input(plans));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(ValidateCalibration(result->calibration).ok())
      << ValidateCalibration(result->calibration);
  for (uint32_t c = 1; c <= 4; ++c) {
    for (uint32_t slot = 0; slot < c; ++slot) {
      const CalibrationConditions at = {
          .k = 64, .blocks_per_sm = c, .slot = slot};
      const auto& time = ValueOf(*result, kTileTimeSlot, at);
      // Three standard errors: 10 slots are looked at.
      const double half = 1.4 * (time.high() - time.low()) / 2;
      EXPECT_NEAR(time.value(), slot_us[c - 1][slot], half) << c << "/" << slot;
      EXPECT_LT(time.high() - time.low(), 0.05 * time.value());
      EXPECT_NEAR(ValueOf(*result, kTileSpreadSlot, at).value(), 0.1, 0.01);
      EXPECT_NEAR(ValueOf(*result, kTileCorrelationSlot, at).value(), 0.4, 0.1);
    }
  }
  // Four SMs of four blocks finish 4 (1/16.8 + 1/20.7 + 1/33.5 + 1/62.5) tiles
  // a microsecond; sixteen blocks over that.
  const double rate = 4 * (1 / 16.8 + 1 / 20.7 + 1 / 33.5 + 1 / 62.5);
  EXPECT_NEAR(ValueOf(*result, kTileTimeMean, {.k = 64, .blocks = 16}).value(),
              16 / rate, 0.01 * 16 / rate);
  EXPECT_NEAR(ValueOf(*result, kTileTimeSolo, {.k = 64, .blocks = 4}).value(),
              10.3, 0.1);
}

TEST(CalibrateFromTraces, CoversThePlantedTimeNineteenTimesInTwenty) {
  constexpr int kSeeds = 200;
  int covered = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto result = CalibrateFromTraces(Input({{.slot_us = {10},
                                                    .sms = 3,
                                                    .length_us = 4000,
                                                    .spread = 0.2,
                                                    .correlation = 0.5,
                                                    .seed = seed}}));
    ASSERT_TRUE(result.ok()) << result.status();
    const auto& time =
        ValueOf(*result, kTileTimeSlot, {.k = 64, .blocks_per_sm = 1});
    covered += time.low() <= 10 && 10 <= time.high();
  }
  EXPECT_GE(covered, 0.90 * kSeeds);
  EXPECT_LE(covered, 0.99 * kSeeds);
}

// A clock that ticks every 1.024 us, as the A10's does: a tile's stamps are off
// by up to a tick each, the mean is not, and spread and correlation are freed
// of it.
TEST(CalibrateFromTraces, TakesTheTickOutOfSpreadAndCorrelation) {
  const PlantedTrace plan = {.slot_us = {10},
                             .sms = 24,
                             .spread = 0.03,
                             .correlation = 0.3,
                             .quantum_ps = 1'024'000};
  const auto result = CalibrateFromTraces(Input({plan}));
  ASSERT_TRUE(result.ok()) << result.status();
  const CalibrationConditions at = {.k = 64, .blocks_per_sm = 1};
  EXPECT_NEAR(ValueOf(*result, kTileTimeSlot, at).value(), 10, 0.01);
  // Untreated, sqrt(0.3^2 + 1.024^2 / 6) us would make it 0.0514.
  EXPECT_NEAR(ValueOf(*result, kTileSpreadSlot, at).value(), 0.03, 0.002);
  EXPECT_NEAR(ValueOf(*result, kTileCorrelationSlot, at).value(), 0.3, 0.05);
}

TEST(CalibrateFromTraces, FindsTheSpreadAmongSms) {
  PlantedTrace plan = {.slot_us = {10}, .sms = 72, .length_us = 6000};
  double squares = 0;
  Random random(9);
  for (uint32_t sm = 0; sm < plan.sms; ++sm) {
    const double off = 0.02 * random.Normal();
    plan.sm_factors.push_back(1 + off);
    squares += off * off / plan.sms;
  }
  const auto result = CalibrateFromTraces(Input({plan}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NEAR(ValueOf(*result, kSmSpread, {}).value(), std::sqrt(squares),
              0.15 * std::sqrt(squares));
}

TEST(CalibrateFromTraces, IsNotMovedByUrgentWorkBetweenTiles) {
  const auto result = CalibrateFromTraces(
      Input({{.slot_us = {10}, .sms = 8, .urgent_every = 12}}));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NEAR(
      ValueOf(*result, kTileTimeSlot, {.k = 64, .blocks_per_sm = 1}).value(),
      10, 0.05);
}

TEST(CalibrateFromTraces, DrawsALineThroughTheDepths) {
  const auto result =
      CalibrateFromTraces(Input({{.slot_us = {6.7}, .k = 32},
                                 {.slot_us = {10.3}, .k = 64},
                                 {.slot_us = {17.5}, .k = 128}}));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->depth_fits.size(), 1u);
  const SlotDepthFit& line = result->depth_fits[0];
  EXPECT_NEAR(line.fit.fixed_us.value, 3.1, 0.15);
  EXPECT_NEAR(line.fit.per_k_us.value, 0.1125, 0.003);
  EXPECT_NEAR(line.fit.predicted_us[2], 17.5, 0.1);
}

TEST(CalibrateFromTraces, DeclaresWhatTheRecipeDeclaresButNotWhatWasMeasured) {
  TraceCalibrationInput input =
      Input({{.slot_us = {10}, .sms = 8, .length_us = 6000}});
  for (const char* quantity : {kSmSpread, kBoundaryTime}) {
    pb::CalibrationValue* value = input.recipe.add_declared();
    value->set_quantity(quantity);
    value->set_unit(FindQuantityInfo(quantity)->unit);
    value->set_value(0.75);
    value->set_source("table 1");
  }
  const auto result = CalibrateFromTraces(input);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->calibration.declared_size(), 1);
  EXPECT_EQ(result->calibration.declared(0).quantity(), kBoundaryTime);
}

struct Refused {
  const char* what;
  std::vector<PlantedTrace> plans;
  const char* says;
};

TEST(CalibrateFromTraces, SaysWhichMeasurementIsMissing) {
  const std::vector<Refused> cases = {
      {"no solo",
       {{.slot_us = {13.5, 15}}},
       "tile_time_solo of 1 block per SM at k 64 cannot be determined, as no "
       "trace has so many; record one with at most 72 blocks"},
      {"a residency",
       {{.slot_us = {10}}, {.slot_us = {16, 19, 28}}},
       "tile_time_slot of 2 blocks per SM at k 64 cannot be determined, as no "
       "trace has so many; record one with 144 blocks"},
      {"too short",
       {{.slot_us = {10}, .length_us = 500}},
       "undisturbed tiles, 100 are needed; record for longer"},
      {"cut up",
       {{.slot_us = {10}, .urgent_every = 2}},
       "record a run with longer gaps between events"},
      {"two grids",
       {{.slot_us = {10}, .sms = 2}, {.slot_us = {10}, .sms = 3}},
       "with grids of 2 and 3 blocks"},
  };
  for (const Refused& refused : cases) {
    EXPECT_THAT(CalibrateFromTraces(Input(refused.plans)).status().message(),
                HasSubstr(refused.says))
        << refused.what;
  }
}

TEST(CalibrateFromTraces, GivesWhatIsDeterminedWhereThatWasAsked) {
  TraceCalibrationInput input = Input({{.slot_us = {13.5, 15}}});
  input.partial = true;
  const auto result = CalibrateFromTraces(input);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->missing.size(), 1u);
  EXPECT_NEAR(
      ValueOf(*result, kTileTimeSlot, {.k = 64, .blocks_per_sm = 2, .slot = 1})
          .value(),
      15, 0.2);
}

TEST(CalibrateFromTraces, RefusesATraceOfSomethingElse) {
  TraceCalibrationInput input = Input({{.slot_us = {10}}});
  input.kernel = "tensor128";
  EXPECT_THAT(
      CalibrateFromTraces(input).status().message(),
      HasSubstr(
          "planted.tbtrace: recorded with kernel sgemm64, not tensor128"));
  input.kernel = "sgemm64";
  input.traces[0].k = 128;
  EXPECT_THAT(CalibrateFromTraces(input).status().message(),
              HasSubstr("recorded with k 64, not 128"));
}

}  // namespace
}  // namespace tilebound::model
