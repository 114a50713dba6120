#include "model/occupancy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::model {
namespace {

constexpr uint32_t kUnlimited = std::numeric_limits<int32_t>::max();

// 64 bits, so that a kernel far over a limit is found to be so: 32 would wrap.
uint64_t RoundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

uint64_t WarpsPerBlock(const pb::ResidencyLimits& limits,
                       const pb::Kernel& kernel) {
  return (uint64_t{kernel.threads_per_block()} + limits.warp_size() - 1) /
         limits.warp_size();
}

// Registers of one warp, as they are handed out.
uint64_t RegistersPerWarp(const pb::ResidencyLimits& limits,
                          const pb::Kernel& kernel) {
  return RoundUp(uint64_t{kernel.registers_per_thread()} * limits.warp_size(),
                 limits.register_allocation_unit());
}

// Shared memory of one block, as it is handed out.
uint64_t SharedBytesPerBlock(const pb::ResidencyLimits& limits,
                             const pb::Kernel& kernel) {
  return RoundUp(uint64_t{kernel.shared_bytes_per_block()} +
                     limits.shared_bytes_reserved_per_block(),
                 limits.shared_allocation_unit_bytes());
}

// Registers are handed out to warps, and each subpartition has its own file: a
// warp that does not fit into what is left of one cannot borrow from another.
uint32_t ByRegisters(const pb::ResidencyLimits& limits,
                     const pb::Kernel& kernel) {
  if (kernel.registers_per_thread() == 0) return kUnlimited;
  if (kernel.registers_per_thread() > limits.registers_per_thread()) return 0;
  const uint64_t warps = WarpsPerBlock(limits, kernel);
  const uint64_t per_warp = RegistersPerWarp(limits, kernel);
  // The launch check assumes that all subpartitions allocate alike.
  const uint64_t assumed =
      per_warp * RoundUp(warps, limits.subpartitions_per_sm());
  if (assumed > limits.registers_per_block()) return 0;
  const uint64_t warps_per_subpartition =
      limits.registers_per_sm() / limits.subpartitions_per_sm() / per_warp;
  return static_cast<uint32_t>(warps_per_subpartition *
                               limits.subpartitions_per_sm() / warps);
}

uint32_t BySharedMemory(const pb::ResidencyLimits& limits,
                        const pb::Kernel& kernel) {
  const uint64_t reserved = limits.shared_bytes_reserved_per_block();
  const uint64_t allocated = SharedBytesPerBlock(limits, kernel);
  if (allocated > limits.shared_bytes_per_block() + reserved) return 0;
  if (allocated == 0) return kUnlimited;
  return static_cast<uint32_t>(limits.shared_bytes_per_sm() / allocated);
}

uint32_t ByWarps(const pb::ResidencyLimits& limits, const pb::Kernel& kernel) {
  if (kernel.threads_per_block() > limits.threads_per_block()) return 0;
  return static_cast<uint32_t>(limits.threads_per_sm() / limits.warp_size() /
                               WarpsPerBlock(limits, kernel));
}

}  // namespace

std::string Occupancy::ToString() const {
  const auto show = [](uint32_t blocks) {
    return blocks == kUnlimited ? std::string("any") : absl::StrCat(blocks);
  };
  return absl::StrCat(blocks_per_sm, " blocks per SM, bound by ", binding,
                      " (registers ", show(by_registers), ", shared memory ",
                      show(by_shared_memory), ", warps ", show(by_warps),
                      ", blocks ", show(by_blocks), ")");
}

Occupancy ComputeOccupancy(const pb::Part& part, const pb::Kernel& kernel) {
  Occupancy occupancy;
  occupancy.by_registers = ByRegisters(part.limits(), kernel);
  occupancy.by_shared_memory = BySharedMemory(part.limits(), kernel);
  occupancy.by_warps = ByWarps(part.limits(), kernel);
  occupancy.by_blocks = part.limits().blocks_per_sm();
  occupancy.blocks_per_sm = kUnlimited;
  const std::pair<const char*, uint32_t> resources[] = {
      {"registers", occupancy.by_registers},
      {"shared memory", occupancy.by_shared_memory},
      {"warps", occupancy.by_warps},
      {"blocks", occupancy.by_blocks}};
  for (const auto& [name, blocks] : resources) {
    if (blocks >= occupancy.blocks_per_sm) continue;
    occupancy.blocks_per_sm = blocks;
    occupancy.binding = name;
  }
  return occupancy;
}

Occupancy OccupancyBeside(const pb::Part& part, const pb::Kernel& kernel,
                          uint32_t residents, const pb::Kernel& guest) {
  pb::Part rest = part;
  pb::ResidencyLimits& limits = *rest.mutable_limits();
  const auto left = [residents](uint64_t all, uint64_t of_each) {
    const uint64_t taken = residents * of_each;
    return static_cast<uint32_t>(taken < all ? all - taken : 0);
  };
  const uint64_t warps = WarpsPerBlock(part.limits(), kernel);
  limits.set_registers_per_sm(
      left(limits.registers_per_sm(),
           warps * RegistersPerWarp(part.limits(), kernel)));
  limits.set_shared_bytes_per_sm(
      left(limits.shared_bytes_per_sm(),
           SharedBytesPerBlock(part.limits(), kernel)));
  limits.set_threads_per_sm(
      left(limits.threads_per_sm(), warps * limits.warp_size()));
  limits.set_blocks_per_sm(left(limits.blocks_per_sm(), 1));
  return ComputeOccupancy(rest, guest);
}

absl::StatusOr<uint32_t> SaturationBlocks(const pb::Part& part,
                                          const pb::Kernel& kernel) {
  const Occupancy occupancy = ComputeOccupancy(part, kernel);
  if (occupancy.blocks_per_sm == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("kernel ", kernel.name(), " does not fit on ", part.name(),
                     ": ", occupancy.ToString()));
  }
  return occupancy.blocks_per_sm * part.sm_count();
}

absl::Status CheckResident(const pb::Part& part, const pb::Kernel& kernel,
                           uint32_t blocks) {
  TILEBOUND_ASSIGN_OR_RETURN(const uint32_t most,
                             SaturationBlocks(part, kernel));
  if (blocks <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "blocks ", blocks, " are not resident at once: ", part.name(), " holds ",
      most, " of ", kernel.name(), ", ",
      ComputeOccupancy(part, kernel).ToString(), "; accepted are 1 to ", most));
}

}  // namespace tilebound::model
