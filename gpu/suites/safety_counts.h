// What the runs of a safety cell add up to, its metrics, and the gates that it
// must pass. Free of CUDA, so that it is tested on planted logs.
#ifndef TILEBOUND_GPU_SUITES_SAFETY_COUNTS_H_
#define TILEBOUND_GPU_SUITES_SAFETY_COUNTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "data/schema/surface.pb.h"
#include "gpu/harness/run_log.h"

namespace tilebound::gpu {

struct SafetyCounts {
  uint64_t events = 0;
  // Outputs checked against float64, and those of them that are wrong: of
  // urgent tiles, and of tiles that were given up and run again.
  uint64_t urgent = 0;
  uint64_t urgent_corrupt = 0;
  uint64_t restarted = 0;
  uint64_t restarted_corrupt = 0;
  // The background's last outputs.
  uint64_t background_corrupt = 0;
  // Yields with copies in flight.
  uint64_t conflicts = 0;
  uint64_t anomalies = 0;

  void Add(const RunLog& log);
};

// Metrics corrupt, conflicts, anomalies; under poison also poison_caught, and
// corrupt is of the tiles that nobody poisoned.
pb::Cell SafetyCell(const pb::CellKey& key, const SafetyCounts& counts);

// Poison: every urgent output is wrong, and nothing else is. Drain: no output
// is wrong. Both: at stage and issue sites tiles were given up at all. Naive:
// whatever comes is the finding. The error names the cell and the gate.
absl::Status CheckSafetyGates(const pb::CellKey& key,
                              const SafetyCounts& counts);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_SAFETY_COUNTS_H_
