// The verdict on a run with exact counters: what was executed how often.
//
//   ExactlyOnce verdict;
//   verdict.Add(log);
//   verdict.executions, verdict.wrong()
//
// Counters are independent of the queue that they check: each execution adds
// one to its own task's word, whoever did it.
#ifndef TILEBOUND_GPU_SUITES_EXACTLY_ONCE_H_
#define TILEBOUND_GPU_SUITES_EXACTLY_ONCE_H_

#include <cstdint>

#include "gpu/harness/run_log.h"

namespace tilebound::gpu {

struct ExactlyOnce {
  // Background executions counted, over all tasks.
  uint64_t executions = 0;
  // Tasks that were drawn and not executed once, or executed and never drawn.
  uint64_t tasks_wrong = 0;
  // Urgent tiles that were not executed once.
  uint64_t urgent = 0;
  uint64_t urgent_wrong = 0;
  // Events, and those that went wrong otherwise.
  uint64_t events = 0;
  uint64_t anomalies = 0;
  // Outputs that differ from float64: urgent, restarted and background.
  uint64_t corrupt = 0;
  // Tiles given up while copies were in flight.
  uint64_t conflicts = 0;

  // Takes in a launch of Recording::kCounters that counted executions.
  void Add(const RunLog& log);

  // Violations of what the scheduler promised; 0 is the oracle's OK. Wrong
  // outputs are not its fault.
  uint64_t wrong() const { return tasks_wrong + urgent_wrong + anomalies; }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_EXACTLY_ONCE_H_
