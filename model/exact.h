// The reference fidelity: every SM, every tile, every gap between events,
// simulated event by event.
#ifndef TILEBOUND_MODEL_EXACT_H_
#define TILEBOUND_MODEL_EXACT_H_

#include <cstdint>
#include <vector>

#include "model/cell_model.h"
#include "model/handoff.h"

namespace tilebound::model {

// What one block did, for a trace: the start of each tile, which of them are
// looked-at boundaries, and where it saw which generation.
struct BlockHistory {
  struct Observation {
    uint64_t generation;
    int64_t time_ps;
    // Index into `starts_ps` of the tile that follows.
    size_t tile;
  };
  std::vector<int64_t> starts_ps;
  std::vector<Observation> observations;
};

struct RunHistory {
  // Set times by generation, the first is generation 1.
  std::vector<int64_t> sets_ps;
  std::vector<BlockHistory> blocks;
  // Urgent tiles by generation.
  std::vector<std::vector<UrgentTile>> urgent;
};

// The metrics of `events` events after `warmup_events` that are left out.
// `history`, if not null, receives everything that happened, the warm-up
// included: memory grows with the run, so it is for short ones.
HandoffMetrics SimulateHandoff(const CellModel& cell, uint64_t events,
                               uint64_t warmup_events, RunHistory* history);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_EXACT_H_
