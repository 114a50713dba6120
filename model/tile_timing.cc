#include "model/tile_timing.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

int64_t Picoseconds(double us) {
  return std::max<int64_t>(0, std::llround(us * 1e6));
}

// Phases of a kind that follow one another are one: nothing happens between
// them that anybody else could see, and a tile costs fewer events.
void AddPhase(bool service, double us, std::vector<Phase>& phases) {
  if (!phases.empty() && phases.back().service == service) {
    phases.back().duration_ps += Picoseconds(us);
  } else {
    phases.push_back({service, Picoseconds(us)});
  }
}

}  // namespace

int64_t TileTiming::SoloPs() const {
  int64_t sum = 0;
  for (const Phase& phase : phases) sum += phase.duration_ps;
  return sum;
}

int64_t TileTiming::ServicePs() const {
  int64_t sum = 0;
  for (const Phase& phase : phases)
    sum += phase.service ? phase.duration_ps : 0;
  return sum;
}

absl::StatusOr<TileParameters> ReadTileParameters(
    const pb::Calibration& calibration, const pb::TileProgram& program) {
  const CalibrationConditions at_k = {.k = program.reference_k()};
  TileParameters parameters;
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.service_us,
      CalibrationNumber(calibration, kServiceTime, at_k));
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.latency_us,
      CalibrationNumber(calibration, kMemoryLatency, at_k));
  TILEBOUND_ASSIGN_OR_RETURN(
      parameters.latency_load_us2,
      CalibrationNumber(calibration, kMemoryLatencyLoad, at_k));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.boundary_us,
                             CalibrationNumber(calibration, kBoundaryTime));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.service_spread,
                             CalibrationNumber(calibration, kServiceSpread));
  TILEBOUND_ASSIGN_OR_RETURN(parameters.sm_spread,
                             CalibrationNumber(calibration, kSmSpread));
  if (!(parameters.sm_spread * kMostSmDeviations < 1)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the calibration of ", calibration.kernel(), " on ", calibration.part(),
        " has ", kSmSpread, " ", parameters.sm_spread,
        "; under 1/3.5 is accepted, because SMs are drawn up to ",
        kMostSmDeviations, " deviations apart from the mean"));
  }
  return parameters;
}

absl::StatusOr<TileTiming> MakeTileTiming(const pb::TileProgram& program,
                                          const TileParameters& parameters,
                                          uint32_t k, double rate) {
  const double reference_chunks = program.reference_k() / program.chunk_k();
  const uint32_t chunks = k / program.chunk_k();
  const double chunk_latency_us = std::max(
      0.0, (parameters.latency_us + parameters.latency_load_us2 * rate -
            parameters.boundary_us) /
               reference_chunks);
  const double chunk_service_us =
      parameters.service_us * program.chunk_service_share();
  const double epilogue_us =
      parameters.service_us * program.epilogue_service_share();
  // Before anything is rounded to picoseconds, for which it may be too large.
  const double solo_us = parameters.boundary_us + epilogue_us +
                         chunks * (chunk_latency_us + chunk_service_us);
  const double most_us = solo_us *
                         (1 + Random::kMostBell * parameters.service_spread) *
                         (1 + kMostSmDeviations * parameters.sm_spread);
  if (!(solo_us >= kLeastTilePs * 1e-6) || !(most_us <= kMostTilePs * 1e-6)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a tile of k ", k, " takes ", solo_us, " to ", most_us,
                     " us by its calibration; accepted are ",
                     kLeastTilePs * 1e-6, " to ", kMostTilePs * 1e-6, " us"));
  }
  TileTiming timing;
  AddPhase(false, parameters.boundary_us, timing.phases);
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    AddPhase(false, chunk_latency_us, timing.phases);
    AddPhase(true, chunk_service_us, timing.phases);
  }
  AddPhase(true, epilogue_us, timing.phases);
  timing.sample_offset_ps = Picoseconds(parameters.boundary_us / 2);
  timing.observe_offset_ps = Picoseconds(parameters.boundary_us);
  timing.service_spread = parameters.service_spread;
  timing.sm_spread = parameters.sm_spread;
  return timing;
}

}  // namespace tilebound::model
