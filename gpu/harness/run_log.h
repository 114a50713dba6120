// What a launch of a persistent kernel left behind, on the host. Free of CUDA,
// so that what is made of it can be tested on planted logs.
#ifndef TILEBOUND_GPU_HARNESS_RUN_LOG_H_
#define TILEBOUND_GPU_HARNESS_RUN_LOG_H_

#include <cstdint>
#include <vector>

#include "gpu/protocol/params.h"

namespace tilebound::gpu {

// Anomalies are told apart, never blended into the numbers.
struct RunLog {
  uint32_t events = 0;
  uint32_t blocks = 0;
  uint32_t urgent_tiles = 0;
  // [events]; 0 where it did not happen.
  std::vector<uint64_t> set_ns, claim_ns, end_ns;
  // [events * blocks].
  std::vector<uint64_t> observed_ns;
  std::vector<BlockInfo> block;

  // Tasks drawn; all of them were executed unless `expired`.
  uint64_t tasks = 0;
  // The deadline ended the run: no number of it is to be believed.
  bool expired = false;
  // Most blocks that were on one SM; differs from the plan's where the hardware
  // placed them unevenly.
  uint32_t most_blocks_on_an_sm = 0;
  // Between start of the first and end of the last block.
  double makespan_us = 0;
  // clock64 over globaltimer, median over blocks.
  double clock_mhz = 0;

  // 1 for each wrong output, by event * urgent_tiles + tile; restarted: where
  // a tile was abandoned for it.
  std::vector<uint8_t> urgent_corrupt, restarted_corrupt;
  uint64_t background_corrupt = 0;
  // Abandoned tiles by event * urgent_tiles + tile, kNoTask where none was.
  std::vector<uint64_t> restarted_task;

  // Recording::kCounters: executions by task and by urgent tile, and copy
  // groups in flight at the yield plus 1 (see KernelParams).
  std::vector<uint32_t> executions, urgent_executions, yield_groups;

  uint64_t observed(uint32_t event, uint32_t at_block) const {
    return observed_ns[uint64_t{event} * blocks + at_block];
  }
  // Events without set, without end, or not seen by some block.
  uint64_t unset = 0, incomplete = 0, unobserved = 0;
  uint64_t anomalies() const {
    return unset + incomplete + unobserved + (expired ? 1 : 0);
  }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_RUN_LOG_H_
