// Which resource stops the next block of a kernel from being resident, from
// what the device and the compiled kernel say; the rule of NVIDIA's
// cuda_occupancy.h for compute capability 8.0 and up.
//
//   Residency residency = ComputeResidency(part.limits(), {.threads = 256,
//       .registers = 64, .shared_bytes = 16448});
//   residency.binding        "registers"
#ifndef TILEBOUND_GPU_HARNESS_RESIDENCY_H_
#define TILEBOUND_GPU_HARNESS_RESIDENCY_H_

#include <cstdint>
#include <string>

#include "data/schema/part.pb.h"

namespace tilebound::gpu {

struct BlockNeeds {
  uint32_t threads = 0;
  uint32_t registers = 0;
  // Static and dynamic, without what the system takes.
  uint32_t shared_bytes = 0;
};

struct Residency {
  // Blocks an SM holds by each resource alone.
  uint32_t by_registers = 0;
  uint32_t by_shared_memory = 0;
  uint32_t by_warps = 0;
  uint32_t by_blocks = 0;
  uint32_t blocks_per_sm = 0;
  // The one that allows the fewest.
  std::string binding;
};

Residency ComputeResidency(const pb::ResidencyLimits& limits,
                           const BlockNeeds& needs);

// "registers (64 a thread x 256 threads)": what binds, in figures.
std::string DescribeBinding(const Residency& residency,
                            const BlockNeeds& needs);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_RESIDENCY_H_
