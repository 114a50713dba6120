// Whether an urgent kernel fits into what a background kernel leaves of an SM,
// before it is launched: a kernel that does not fit waits for the background to
// end, which looks like a hang.
//
//   const SlotFit fit = FitReserved(limits, background, 3, urgent);
//   if (!fit.fits) ... fit.reason
//     "does not fit the reserved slot: needs 20480 registers of an SM, 16384
//      are left by 3 background blocks ... (65536 in all)"
#ifndef TILEBOUND_GPU_HARNESS_RESERVE_PLAN_H_
#define TILEBOUND_GPU_HARNESS_RESERVE_PLAN_H_

#include <cstdint>
#include <string>

#include "data/schema/part.pb.h"

namespace tilebound::gpu {

// What one block takes, as cudaFuncGetAttributes and the launch say.
struct BlockDemand {
  uint32_t threads = 0;
  uint32_t registers_per_thread = 0;
  // Static plus dynamic.
  uint32_t shared_bytes = 0;
};

struct SlotFit {
  bool fits = false;
  // Blocks of the urgent kernel that fit beside the background at once.
  uint32_t blocks = 0;
  // The resource that allows the fewest: "registers", "shared memory",
  // "threads", "blocks".
  std::string binding;
  // One sentence; empty where it fits.
  std::string reason;
};

// Blocks of `urgent` that an SM holds beside `background_blocks` blocks of
// `background`. Registers are handed out to warps in allocation units; shared
// memory in units, plus what the system reserves. Warps of a block are taken
// to divide evenly over the subpartitions, as those of 128 or 256 threads do.
SlotFit FitReserved(const pb::ResidencyLimits& limits,
                    const BlockDemand& background, uint32_t background_blocks,
                    const BlockDemand& urgent);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_RESERVE_PLAN_H_
