// How the blocks of a grid share their SMs, by residency, from the slot tile
// times of a calibration.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       SlotSharing sharing,
//       SolveSlotSharing(calibration, program.reference_k(), sm_count,
//                        {3, 4}, timing_at_rate));
//   sharing[4].weights ...
#ifndef TILEBOUND_MODEL_SLOT_SHARING_H_
#define TILEBOUND_MODEL_SLOT_SHARING_H_

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "model/slot_weights.h"
#include "model/tile_timing.h"

namespace tilebound::model {

// By blocks per SM.
using SlotSharing = std::map<uint32_t, SlotWeights>;

// The tile's timing at a tile rate of the whole grid, in tiles per microsecond.
using TimingAtRate = std::function<absl::StatusOr<TileTiming>(double rate)>;

// Mean tile time of each slot at `k` with `blocks_per_sm` blocks on every SM,
// oldest first, in microseconds: the calibration's tile_time_slot, or with one
// block its tile_time_solo if there is one. Error if one is missing: names it
// and the commands that give it.
absl::StatusOr<std::vector<double>> SlotTileTimes(
    const pb::Calibration& calibration, uint32_t k, uint32_t blocks_per_sm);

// Weights and service scale for each of `residencies` from the slot tile times
// at `k`, which hold for a grid that fills all `sm_count` SMs alike. A block
// alone on its SM shares with nobody and needs no tile times. The shares at
// `k` are taken for all depths (docs/model.md says how far that holds).
absl::StatusOr<SlotSharing> SolveSlotSharing(
    const pb::Calibration& calibration, uint32_t k, uint32_t sm_count,
    const std::vector<uint32_t>& residencies,
    const TimingAtRate& timing_at_rate);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SLOT_SHARING_H_
