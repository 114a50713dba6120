#include "gpu/harness/reserve_plan.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"

namespace tilebound::gpu {
namespace {

uint32_t RoundUp(uint32_t value, uint32_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

uint32_t Warps(const pb::ResidencyLimits& limits, const BlockDemand& block) {
  const uint32_t size = std::max(1u, limits.warp_size());
  return (block.threads + size - 1) / size;
}

// A resource of an SM, what the background leaves of it and what one block of
// the urgent kernel takes.
struct Resource {
  const char* name;
  uint32_t total;
  uint32_t taken;
  uint32_t need;

  uint32_t Left() const { return total > taken ? total - taken : 0; }
  uint32_t Blocks() const { return need == 0 ? ~0u : Left() / need; }
};

uint32_t Registers(const pb::ResidencyLimits& limits,
                   const BlockDemand& block) {
  return Warps(limits, block) *
         RoundUp(block.registers_per_thread * limits.warp_size(),
                 limits.register_allocation_unit());
}

uint32_t Shared(const pb::ResidencyLimits& limits, const BlockDemand& block) {
  return RoundUp(block.shared_bytes + limits.shared_bytes_reserved_per_block(),
                 limits.shared_allocation_unit_bytes());
}

}  // namespace

SlotFit FitReserved(const pb::ResidencyLimits& limits,
                    const BlockDemand& background, uint32_t background_blocks,
                    const BlockDemand& urgent) {
  const std::array<Resource, 4> resources = {
      Resource{"registers", limits.registers_per_sm(),
               background_blocks * Registers(limits, background),
               Registers(limits, urgent)},
      Resource{"shared memory", limits.shared_bytes_per_sm(),
               background_blocks * Shared(limits, background),
               Shared(limits, urgent)},
      Resource{
          "threads", limits.threads_per_sm(),
          background_blocks * Warps(limits, background) * limits.warp_size(),
          Warps(limits, urgent) * limits.warp_size()},
      Resource{"blocks", limits.blocks_per_sm(), background_blocks, 1}};
  const Resource& least =
      *std::min_element(resources.begin(), resources.end(),
                        [](const Resource& a, const Resource& b) {
                          return a.Blocks() < b.Blocks();
                        });
  SlotFit fit;
  fit.blocks = least.Blocks();
  fit.fits = fit.blocks > 0;
  fit.binding = least.name;
  if (!fit.fits) {
    fit.reason = absl::StrCat(
        "does not fit the reserved slot: needs ", least.need, " ", least.name,
        least.name == std::string("shared memory") ? " bytes" : "",
        " of an SM, ", least.Left(), " are left by ", background_blocks,
        " background blocks of ", background.registers_per_thread,
        " registers x ", background.threads, " threads and ",
        background.shared_bytes, " B (", least.total, " in all)");
  }
  return fit;
}

}  // namespace tilebound::gpu
