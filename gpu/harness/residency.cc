#include "gpu/harness/residency.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tilebound::gpu {
namespace {

uint32_t RoundUp(uint32_t value, uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Residency ComputeResidency(const pb::ResidencyLimits& limits,
                           const BlockNeeds& needs) {
  Residency residency;
  const uint32_t warps =
      RoundUp(needs.threads, limits.warp_size()) / limits.warp_size();
  // Warps are dealt out to the partitions, each with its part of the registers.
  const uint32_t registers =
      RoundUp(std::max(needs.registers, 1u) * limits.warp_size(),
              limits.register_allocation_unit());
  const uint32_t warps_by_registers = limits.registers_per_sm() /
                                      limits.subpartitions_per_sm() /
                                      registers * limits.subpartitions_per_sm();
  residency.by_registers = warps_by_registers / warps;
  const uint32_t shared =
      RoundUp(needs.shared_bytes + limits.shared_bytes_reserved_per_block(),
              limits.shared_allocation_unit_bytes());
  residency.by_shared_memory = limits.shared_bytes_per_sm() / shared;
  if (needs.shared_bytes > limits.shared_bytes_per_block()) {
    residency.by_shared_memory = 0;
  }
  residency.by_warps = limits.threads_per_sm() / limits.warp_size() / warps;
  residency.by_blocks = limits.blocks_per_sm();
  residency.blocks_per_sm =
      std::min({residency.by_registers, residency.by_shared_memory,
                residency.by_warps, residency.by_blocks});
  residency.binding =
      residency.blocks_per_sm == residency.by_registers       ? "registers"
      : residency.blocks_per_sm == residency.by_shared_memory ? "shared memory"
      : residency.blocks_per_sm == residency.by_warps         ? "warps"
                                                              : "blocks";
  return residency;
}

std::string DescribeBinding(const Residency& residency,
                            const BlockNeeds& needs) {
  if (residency.binding == "registers") {
    return absl::StrCat("registers (", needs.registers, " a thread x ",
                        needs.threads, " threads)");
  }
  if (residency.binding == "shared memory") {
    return absl::StrCat("shared memory (", needs.shared_bytes, " B a block)");
  }
  if (residency.binding == "warps") {
    return absl::StrCat("warps (", needs.threads, " threads a block)");
  }
  return "the number of blocks an SM can hold";
}

}  // namespace tilebound::gpu
