// Turns the rings that a recorder filled into a trace for the oracle.
//
//   pb::TraceHeader header = ...;        // what the kernel promised
//   TILEBOUND_ASSIGN_OR_RETURN(
//       CollectSummary summary,
//       CollectTrace(rings, header, /*host_sets=*/{}, "run.tbtrace"));
//   std::cerr << summary.dropped << " records dropped\n";
//
// One ring is in memory at a time. What the kernel did not write down the
// collector does not make up: a block whose ring went round gets a drop record
// with the count, one that never exited gets no exit, and the oracle then says
// UNKNOWN. The slot of a block is its rank by age on its SM, worked out from
// the starts and exits of all blocks, so the device needs no counter for it.
#ifndef TILEBOUND_GPU_RECORDER_COLLECTOR_H_
#define TILEBOUND_GPU_RECORDER_COLLECTOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/trace/trace.pb.h"
#include "gpu/recorder/ring_source.h"

namespace tilebound::gpu {

// A set by the host, its time on the device's clock.
struct HostSet {
  uint64_t generation;
  uint64_t time_ns;
};

struct CollectSummary {
  // Written to the trace; starts, exits and drops included.
  uint64_t records = 0;
  // Overwritten in rings that went round.
  uint64_t dropped = 0;
  uint32_t blocks_that_dropped = 0;
  // Without an exit.
  uint32_t unfinished_blocks = 0;
};

// Writes `path`. The header's blocks may be 0: the number of rings is put in;
// so are times in nanoseconds where it has no time_unit_ps. Time 0 of the trace
// is the first start or set. Errors: a header that does not fit the rings, a
// ring that holds what no recorder writes (block, record and value are named),
// those of TraceWriter.
absl::StatusOr<CollectSummary> CollectTrace(
    RingSource& rings, pb::TraceHeader header,
    const std::vector<HostSet>& host_sets, const std::string& path);

// Slot of each block: how many blocks were resident on its SM when it started.
std::vector<uint32_t> SlotsByAge(const std::vector<RecorderBlock>& blocks);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_RECORDER_COLLECTOR_H_
