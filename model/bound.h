// The longest that a block can take to let go, whatever is drawn and whoever
// runs beside it: what no event of any length of run exceeds.
//
//   LatencyBoundPs(cell)        of the grid's worst block
//   BoundOfSlot(cell, 4, 3)     of the youngest of four
//
// A set may come just after a block has read the flag. It then takes a period
// of sites, and one more for each look that a value is stale, until what the
// block acts on is newer than the set. On that way every service phase is taken
// at the share that the block has while all the others are in service too, with
// the largest work that can be drawn, on the slowest SM that can be drawn.
#ifndef TILEBOUND_MODEL_BOUND_H_
#define TILEBOUND_MODEL_BOUND_H_

#include <cstdint>

#include "model/cell_model.h"

namespace tilebound::model {

struct SlotBound {
  // From a set to the block's observation.
  int64_t latency_ps = 0;
  // From one reading of the flag to the next one, a period of 1 given.
  int64_t gap_ps = 0;
  // From reading the flag to acting on what was read.
  int64_t answer_ps = 0;
};

// Of a block in residency slot `slot` of an SM that holds `blocks`. Not for
// independent tiles (Sharing::kIid), which have no longest one.
SlotBound BoundOfSlot(const CellModel& cell, uint32_t blocks, uint32_t slot);

// The largest of all slots of the grid.
SlotBound BoundOfGrid(const CellModel& cell);

// The bound of the metric latency: stamps are floored to the timer's tick, so
// that a latency can seem a tick longer than it was.
int64_t LatencyBoundPs(const CellModel& cell);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_BOUND_H_
