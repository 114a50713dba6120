#include "model/cycle/fit_cycles.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/cycle/slot_times.h"

namespace tilebound::model {
namespace {

constexpr uint32_t kWarps = 4;

TileStream SmallStream() {
  pb::InstructionStream text;
  text.set_elect("atom,w0");
  text.set_fetch("int,m0 bar");
  text.set_chunk("2*ldg,w0 int,m0 bar 24*lds.2,w1 24*fma,m1 bar");
  text.set_epilogue("4*stg");
  return *ParseStream(text);
}

CycleObservation Observe(const CycleParameters& truth,
                         CycleObservation observation) {
  const auto slots = ComputeCycleSlotTimes(SmallStream(), truth,
                                           {.blocks = observation.blocks,
                                            .warps_per_block = kWarps,
                                            .chunks = observation.chunks,
                                            .tiles = 150,
                                            .seed = 77});
  EXPECT_TRUE(slots.ok()) << slots.status();
  observation.us = observation.slot ? (*slots)[*observation.slot].mean_us
                                    : MeanCycleTileUs(*slots);
  return observation;
}

TEST(FitCycles, RecoversWhatMadeTheData) {
  CycleParameters truth;
  truth.l2_latency_us = 0.45;
  truth.atomic_round_trip_us = 1.3;
  truth.lsu_cost_scale = 1.25;
  CycleObservations observed;
  observed.solo = {Observe(truth, {.chunks = 1}),
                   Observe(truth, {.chunks = 4})};
  observed.mean = Observe(truth, {.blocks = 8, .chunks = 4});
  CycleParameters start = truth;
  start.l2_latency_us = 0.8;
  start.atomic_round_trip_us = 2.4;
  start.lsu_cost_scale = 1;
  const auto fit =
      FitCycleParameters(SmallStream(), kWarps, start, observed, {.tiles = 50});
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->parameters.l2_latency_us, 0.45, 0.02);
  EXPECT_NEAR(fit->parameters.atomic_round_trip_us, 1.3, 0.06);
  EXPECT_NEAR(fit->parameters.lsu_cost_scale, 1.25, 0.06);
  EXPECT_EQ(fit->parameters.queue_places, truth.queue_places);
  EXPECT_EQ(fit->fitted,
            (std::vector<std::string>{"l2_latency_us", "atomic_round_trip_us",
                                      "lsu_cost_scale"}));
  ASSERT_EQ(fit->residuals.size(), 3u);
  for (const CycleResidual& residual : fit->residuals) {
    EXPECT_NEAR(residual.predicted_us, residual.observed.us,
                0.02 * residual.observed.us);
  }
}

TEST(FitCycles, OneSlotsTimeBringsItsOwnPredictionThere) {
  CycleParameters truth;
  truth.queue_places = 6;
  CycleObservations observed;
  observed.slot = Observe(truth, {.blocks = 8, .chunks = 4, .slot = 7});
  const auto fit =
      FitCycleParameters(SmallStream(), kWarps, {}, observed, {.tiles = 50});
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->residuals[0].predicted_us, observed.slot->us,
              0.03 * observed.slot->us);
  EXPECT_EQ(fit->fitted, std::vector<std::string>{"queue_places"});
}

TEST(FitCycles, OneDepthLeavesTheAtomicAlone) {
  CycleObservations observed;
  CycleParameters truth;
  truth.l2_latency_us = 0.5;
  observed.solo = {Observe(truth, {.chunks = 4})};
  const auto fit =
      FitCycleParameters(SmallStream(), kWarps, {}, observed, {.tiles = 50});
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_NEAR(fit->parameters.l2_latency_us, 0.5, 0.02);
  EXPECT_EQ(fit->parameters.atomic_round_trip_us,
            CycleParameters().atomic_round_trip_us);
}

std::string ErrorOf(CycleObservations observed) {
  const auto fit =
      FitCycleParameters(SmallStream(), kWarps, {}, observed, {.tiles = 20});
  return fit.ok() ? "no error" : std::string(fit.status().message());
}

TEST(FitCycles, AnUnreachableTimeTellsTheNearest) {
  CycleObservations observed;
  observed.mean = CycleObservation{.blocks = 2, .chunks = 1, .us = 1e-3};
  EXPECT_NE(ErrorOf(observed).find("the nearest is"), std::string::npos)
      << ErrorOf(observed);
}

TEST(FitCycles, ObservationsOfTheWrongKindAreRefused) {
  CycleObservations solo;
  solo.solo = {{.blocks = 2, .us = 1}};
  EXPECT_EQ(ErrorOf(solo), "a solo tile time is of 2 blocks; 1 is solo");
  CycleObservations slot;
  slot.slot = CycleObservation{.blocks = 4, .slot = 4, .us = 1};
  EXPECT_EQ(ErrorOf(slot),
            "the slot's time is of slot 4 of 4 blocks; slots count from 0");
  CycleObservations mean;
  mean.mean = CycleObservation{.us = 0};
  EXPECT_EQ(ErrorOf(mean), "the mean is 0 us; a time over 0 is needed");
}

}  // namespace
}  // namespace tilebound::model
