// From the tiles of recorded traces to a calibration.
//
//   TraceCalibrationInput input = {.part = part, .kernel = "mine", ...};
//   input.traces.push_back({.tiles = tiles, .k = 64});
//   TILEBOUND_ASSIGN_OR_RETURN(TraceCalibration result,
//                              CalibrateFromTraces(input));
//
// Each trace measures the residency that most of its SMs have, at its depth:
//   tile_time_slot, tile_spread_slot, tile_correlation_slot   by k, blocks per
//       SM and slot
//   tile_time_mean   by k and blocks, from the rate of the whole grid
//   tile_time_solo   by k and blocks, where there is one block per SM
//   sm_spread        from the traces with one block per SM
// Traces of the same k, residency and grid are taken together.
#ifndef TILEBOUND_MODEL_TRACE_CALIBRATION_H_
#define TILEBOUND_MODEL_TRACE_CALIBRATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/part.pb.h"
#include "model/depth_fit.h"
#include "model/trace_tiles.h"

namespace tilebound::model {

struct CalibrationTrace {
  TraceTiles tiles;
  uint32_t k;
};

struct TraceCalibrationInput {
  pb::Part part;
  // Catalog name of the kernel.
  std::string kernel;
  std::vector<CalibrationTrace> traces;
  // Declared values, clock, build; its observations are not read.
  pb::FitRecipe recipe;
  // Give what the traces determine although something is missing.
  bool partial = false;
};

// The line through the tile times of one slot at different depths.
struct SlotDepthFit {
  uint32_t blocks_per_sm;
  uint32_t slot;
  std::vector<DepthPoint> points;
  DepthFit fit;
};

struct TraceCalibration {
  pb::Calibration calibration;
  // Slots that were measured at two depths or more.
  std::vector<SlotDepthFit> depth_fits;
  // What the traces do not determine, with the measurement that would. Empty
  // unless input.partial.
  std::vector<std::string> missing;
};

// More than this share of a trace's tiles cut by events, and what is left is no
// fair sample of its tiles.
inline constexpr double kMostCutShare = 0.2;

// Errors: what the traces do not determine (the message names the measurement
// that is missing); two traces of one residency and depth with different grids;
// a trace of another part, kernel or depth than was said.
absl::StatusOr<TraceCalibration> CalibrateFromTraces(
    const TraceCalibrationInput& input);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_CALIBRATION_H_
