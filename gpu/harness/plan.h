// Which instantiation runs a cell, on how many blocks, and whether they are all
// resident: a persistent kernel with a block that is not would wait for ever.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Plan plan, PlanCell(device, kernel, key));
#ifndef TILEBOUND_GPU_HARNESS_PLAN_H_
#define TILEBOUND_GPU_HARNESS_PLAN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"
#include "gpu/harness/device.h"
#include "gpu/kernels/launch_table.h"

namespace tilebound::gpu {

struct Plan {
  KernelEntry entry;
  KernelFacts facts;
  uint32_t blocks = 0;
  // Most blocks that an SM gets when the grid is spread evenly.
  uint32_t blocks_per_sm = 0;
};

absl::StatusOr<TileKind> TileOfKernel(absl::string_view kernel);

// The variant that a key asks for. Errors name the axis and what is accepted.
absl::StatusOr<KernelVariant> VariantOfKey(const pb::CellKey& key,
                                           Recording recording,
                                           Control control);

// Errors: not instantiated (kUnimplemented: a cell to SKIP), and a plan that
// does not fit (kFailedPrecondition), naming the resource that binds; also when
// the device holds fewer blocks than the kernel file says, or the code spills.
absl::StatusOr<Plan> PlanVariant(const Device& device, const pb::Kernel& kernel,
                                 const KernelVariant& variant, uint32_t blocks);
absl::StatusOr<Plan> PlanCell(const Device& device, const pb::Kernel& kernel,
                              const pb::CellKey& key);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_PLAN_H_
