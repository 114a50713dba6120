// Where the hardware puts the blocks of a resident grid: one per SM in turn,
// then a second round, so that block b sits on SM b mod SMs in residency slot
// b / SMs. (The dispatch order is not documented; the published study and our
// own readings on an H200 show this one for grids of up to saturation.)
#ifndef TILEBOUND_MODEL_PLACEMENT_H_
#define TILEBOUND_MODEL_PLACEMENT_H_

#include <algorithm>
#include <cstdint>

namespace tilebound::model {

class Placement {
 public:
  Placement(uint32_t blocks, uint32_t sm_count)
      : blocks_(blocks), sm_count_(sm_count) {}

  // SMs with at least one block; they are 0 .. busy_sms() - 1.
  uint32_t busy_sms() const { return std::min(blocks_, sm_count_); }
  uint32_t BlocksOn(uint32_t sm) const {
    return blocks_ / sm_count_ + (sm < blocks_ % sm_count_ ? 1 : 0);
  }
  uint32_t BlockAt(uint32_t sm, uint32_t slot) const {
    return slot * sm_count_ + sm;
  }
  uint32_t SmOf(uint32_t block) const { return block % sm_count_; }
  uint32_t SlotOf(uint32_t block) const { return block / sm_count_; }
  uint32_t sm_count() const { return sm_count_; }
  uint32_t most_blocks_per_sm() const { return BlocksOn(0); }

 private:
  uint32_t blocks_;
  uint32_t sm_count_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PLACEMENT_H_
