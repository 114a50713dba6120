// Slot tile times for a part and kernel that nobody has measured: the cycle
// level, with the parameters that a calibration holds.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       std::vector<pb::CalibrationValue> computed,
//       ComputeSlotTimes(part, kernel, calibration, {}));
#ifndef TILEBOUND_MODEL_CYCLE_CALIBRATION_H_
#define TILEBOUND_MODEL_CYCLE_CALIBRATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"

namespace tilebound::model {

struct CycleOptions {
  // Of the youngest slot; the mean of its tile time is known to a few tenths of
  // a percent.
  uint32_t tiles = 400;
  // "" for none.
  std::string cache_folder = {};
};

// The compute capability whose machine code stands for the part's: its own, and
// 86 for 89, whose SMs have the same pipes.
uint32_t StreamCapability(const pb::Part& part);

// The part's defaults with the calibration's clock and with whichever of
// global_latency, atomic_round_trip, pipe_cost and admission_queue it holds.
absl::StatusOr<CycleParameters> CycleParametersOf(
    const pb::Part& part, const pb::Calibration& calibration);

// tile_time_slot, tile_spread_slot and tile_correlation_slot at the first
// program's reference_k, for every residency up to the kernel's on the part;
// with blocks on every SM. Error if the kernel has no instruction stream for
// the part's compute capability.
absl::StatusOr<std::vector<pb::CalibrationValue>> ComputeSlotTimes(
    const pb::Part& part, const pb::Kernel& kernel,
    const pb::Calibration& calibration, const CycleOptions& options);

// service_time and memory_latency from the slot tile times at the first
// program's reference_k:
//   service  of the fullest SM that is known, 1 / (sum of the slots' rates),
//            over the program's shares; at one block per SM all but the
//            boundary
//   latency  what a tile alone takes beyond its service, less what the load of
//            the whole grid adds
// Errors: slot times or memory_latency_load that are missing, a tile alone that
// is shorter than its service.
absl::StatusOr<std::vector<pb::CalibrationValue>> ComputeServerParameters(
    const pb::Part& part, const pb::Kernel& kernel,
    const pb::Calibration& calibration);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_CALIBRATION_H_
