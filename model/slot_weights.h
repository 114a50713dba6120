// The weights with which blocks must share an SM for each slot's tiles to take
// the time that they are known to take.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       SlotWeights solved, SolveSlotWeights(timing, {13.5e6, 15.0e6}));
//   SmServer server(ScaleService(timing, solved.service_scale),
//                   solved.weights, random, 1.0);
//
// Slot tile times come from a calibration: measured block by block, or computed
// by the cycle level from a kernel's counted instructions. They say how an SM
// is shared and nothing about what happens when the work changes: how much of a
// checkpoint is hidden, what a starved block gains while another one waits. The
// server knows that; the weights tie it to the tile times.
//
// The relation is inverted by simulation: a slot that runs too slowly gets more
// weight, and a common factor on the service time takes care of the sum.
#ifndef TILEBOUND_MODEL_SLOT_WEIGHTS_H_
#define TILEBOUND_MODEL_SLOT_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/tile_timing.h"

namespace tilebound::model {

struct SlotWeights {
  // For SmServer, oldest slot first.
  std::vector<int64_t> weights;
  // What the service of a tile takes here, relative to the timing's: a full SM
  // wastes less of its time than one that waits for memory.
  double service_scale = 1;
  // Largest relative distance of a simulated mean tile time from its target.
  double residual = 0;
};

// No target is further off than this in what SolveSlotWeights returns.
inline constexpr double kMostSlotResidual = 0.03;

// `tile_ps` has the mean tile time of each slot, oldest first, in picoseconds;
// `timing` is the tile's at the load at which they hold. The result is the same
// in every run. Error if no weights give these times: the message names the
// slot and how near one comes.
absl::StatusOr<SlotWeights> SolveSlotWeights(
    const TileTiming& timing, const std::vector<double>& tile_ps);

// The same tile with its service phases, and nothing else, `scale` times as
// long.
TileTiming ScaleService(TileTiming timing, double scale);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SLOT_WEIGHTS_H_
