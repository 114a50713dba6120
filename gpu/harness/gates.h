// What must hold before a number is believed. Gates are checked in order and
// the first that fails ends the run, in one sentence.
//
//   Gates gates;
//   gates.Check(TimerTickGate(facts.timer_tick_ns));
//   gates.Check(PoisonGate(10'000, caught));
//   TILEBOUND_RETURN_IF_ERROR(gates.status());
//   gates.Summary()     "timer tick: 32 ns; poison control: 10000 of 10000"
//
// A gate is arithmetic on figures that a run brought back, so each is tested on
// planted ones.
#ifndef TILEBOUND_GPU_HARNESS_GATES_H_
#define TILEBOUND_GPU_HARNESS_GATES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tilebound::gpu {

struct GateResult {
  // "timer tick".
  std::string name = {};
  bool passed = false;
  // What was found, and what was needed where it failed.
  std::string detail = {};
};

class Gates {
 public:
  // Remembers the result; after a failure further ones are not looked at.
  void Check(GateResult result);
  // OK, or kFailedPrecondition: "gate NAME: DETAIL".
  absl::Status status() const { return status_; }
  const std::vector<GateResult>& results() const { return results_; }
  // All of them in one line, for a surface's note.
  std::string Summary() const;

 private:
  absl::Status status_;
  std::vector<GateResult> results_;
};

// The timer moves, in steps of at most 2 us: with coarser ones a handoff would
// be a handful of ticks.
GateResult TimerTickGate(uint64_t tick_ns);

// As many blocks were on each busy SM at once as the plan says, and no block
// waited for another one's place. `blocks_on_sm` counts the blocks that started
// on each SM by SM id.
GateResult ResidencyGate(uint32_t planned_blocks,
                         uint32_t planned_blocks_per_sm,
                         const std::vector<uint32_t>& blocks_on_sm);

// Nothing of a thread lives in local memory.
GateResult SpillGate(uint64_t local_bytes);

// Every output agrees with float64. `what`: "background", "urgent".
GateResult ReferenceGate(const std::string& what, uint64_t checked,
                         uint64_t corrupt);

// Fills are seen before the launch and gone after it: all of `before` outputs
// are NaN, none of `after` is.
GateResult NanGate(uint64_t outputs, uint64_t nan_before, uint64_t nan_after);

// Every planted corruption is found.
GateResult PoisonGate(uint64_t planted, uint64_t caught);

// Events that went wrong, by kind. They are left out of every distribution, and
// their number is a metric of the cell.
struct Anomalies {
  // Never set, never claimed, urgent work not finished, not seen by some block,
  // seen before it was set, or later than it was over.
  uint64_t unset = 0;
  uint64_t unclaimed = 0;
  uint64_t incomplete = 0;
  uint64_t unobserved = 0;
  uint64_t out_of_order = 0;

  uint64_t total() const {
    return unset + unclaimed + incomplete + unobserved + out_of_order;
  }
  // "none", or the kinds that occur: "2 unset, 1 incomplete".
  std::string ToString() const;
};

// No anomaly, and no deadline.
GateResult AnomalyGate(const Anomalies& anomalies, bool expired);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_GATES_H_
