// The reference fidelity: every SM, every tile, every gap between events,
// simulated event by event. A block that gets urgent work at a site inside a
// tile gives the tile up, waits for its copies, runs the urgent work and starts
// the tile anew.
#ifndef TILEBOUND_MODEL_EXACT_H_
#define TILEBOUND_MODEL_EXACT_H_

#include <cstdint>
#include <vector>

#include "data/trace/record.h"
#include "model/cell_model.h"
#include "model/handoff.h"

namespace tilebound::model {

// Everything that blocks did, in the order in which each did it, as a trace
// has it but for the numbers of tasks: here every block numbers those that it
// pops from 0.
struct RunHistory {
  uint64_t events = 0;
  std::vector<std::vector<Record>> blocks;
  // The last so many of `blocks` are streams of the urgent kernel.
  uint32_t urgent_streams = 0;
  // The sets, where the host raises the flag.
  std::vector<Record> host;
};

// The metrics of `events` events after `warmup_events` that are left out.
// `history`, if not null, receives everything that happened, the warm-up
// included: memory grows with the run, so it is for short ones.
HandoffMetrics SimulateHandoff(const CellModel& cell, uint64_t events,
                               uint64_t warmup_events, RunHistory* history);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_EXACT_H_
