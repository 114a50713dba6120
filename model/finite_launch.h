// A launch of a stated number of background tiles, from its first pop to its
// last end: the makespan, and what is left of it when urgent work comes.
//
//   int64_t makespan_ps = MakespanPs(cell, /*tasks=*/14'000, /*launch=*/0);
#ifndef TILEBOUND_MODEL_FINITE_LAUNCH_H_
#define TILEBOUND_MODEL_FINITE_LAUNCH_H_

#include <cstdint>

#include "model/cell_model.h"

namespace tilebound::model {

// Time from the start of the grid to the end of its last tile. All blocks start
// together, pop tiles from one counter, and exit when it has run out, which
// leaves their share to the others. `tasks` is at least 1; `launch` names the
// random streams. About a microsecond a tile.
int64_t MakespanPs(const CellModel& cell, uint64_t tasks, uint64_t launch);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_FINITE_LAUNCH_H_
