// What it takes a block from seeing the flag to holding an urgent tile: a
// barrier, an atomic that competes for the event, a barrier that tells the
// block, an atomic that pops the tile. Barriers are served by the SM like all
// else, so a young slot takes longer over them: that is how old slots win the
// race for few urgent tiles though all see the flag alike.
//
//   ClaimDelays delays(cell);
//   int64_t pop_ps = observe_ps + delays.DrawPs(blocks_on_sm, slot, random);
#ifndef TILEBOUND_MODEL_CLAIM_H_
#define TILEBOUND_MODEL_CLAIM_H_

#include <cstdint>
#include <vector>

#include "model/cell_model.h"
#include "model/random.h"

namespace tilebound::model {

class ClaimDelays {
 public:
  // Simulates an SM of each residency of the cell with a claim at the start of
  // every tile, and keeps how long those took.
  explicit ClaimDelays(const CellModel& cell);

  // One of them, for a slot of an SM with `blocks` residents, which is a
  // residency of the cell.
  int64_t DrawPs(uint32_t blocks, uint32_t slot, Random& random) const {
    const std::vector<int64_t>& taken = taken_ps_[blocks][slot];
    return taken[random.Below(taken.size())];
  }

 private:
  // By residency and slot.
  std::vector<std::vector<std::vector<int64_t>>> taken_ps_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CLAIM_H_
