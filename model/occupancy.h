// How many blocks of a kernel are resident on one SM, and what stops the next.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Occupancy occupancy,
//                              ComputeOccupancy(part, kernel));
//   occupancy.blocks_per_sm    4
//   occupancy.binding          "registers"
//
// The rule is the one of NVIDIA's cuda_occupancy.h (CUDA Toolkit 13.0) for
// compute capability 8.0 and up; a test compares the two where a toolkit is
// installed.
#ifndef TILEBOUND_MODEL_OCCUPANCY_H_
#define TILEBOUND_MODEL_OCCUPANCY_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"

namespace tilebound::model {

// Blocks per SM that each resource alone would allow.
struct Occupancy {
  uint32_t blocks_per_sm = 0;
  // The resource that allows the fewest: "registers", "shared memory",
  // "warps", "blocks".
  std::string binding;
  uint32_t by_registers = 0;
  uint32_t by_shared_memory = 0;
  uint32_t by_warps = 0;
  uint32_t by_blocks = 0;

  // "4 blocks per SM, bound by registers (registers 4, shared memory 9, ...)".
  std::string ToString() const;
};

// Occupancy of `kernel`, which has at least one thread; 0 blocks where a single
// block exceeds a limit.
Occupancy ComputeOccupancy(const pb::Part& part, const pb::Kernel& kernel);

// Blocks of `guest` that fit on an SM beside `residents` blocks of `kernel`, by
// what those leave of each resource. (Shared memory and registers that are left
// count as one piece; the hardware may find them in several.)
Occupancy OccupancyBeside(const pb::Part& part, const pb::Kernel& kernel,
                          uint32_t residents, const pb::Kernel& guest);

// The largest grid that is resident at once: blocks per SM times SMs. Error,
// naming the binding resource, if not even one block fits.
absl::StatusOr<uint32_t> SaturationBlocks(const pb::Part& part,
                                          const pb::Kernel& kernel);

// Error if `blocks` are not resident at once; it names the limit and what
// binds. A persistent kernel with more blocks than are resident would deadlock
// or run in waves, so this is never a prediction.
absl::Status CheckResident(const pb::Part& part, const pb::Kernel& kernel,
                           uint32_t blocks);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_OCCUPANCY_H_
