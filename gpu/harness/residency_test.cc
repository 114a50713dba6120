#include "gpu/harness/residency.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// Compute capability 8.6, as the CUDA C++ Programming Guide has it.
pb::ResidencyLimits Sm86() {
  pb::ResidencyLimits limits;
  limits.set_warp_size(32);
  limits.set_threads_per_sm(1536);
  limits.set_blocks_per_sm(16);
  limits.set_registers_per_sm(65536);
  limits.set_register_allocation_unit(256);
  limits.set_subpartitions_per_sm(4);
  limits.set_shared_bytes_per_sm(102400);
  limits.set_shared_bytes_per_block(101376);
  limits.set_shared_bytes_reserved_per_block(1024);
  limits.set_shared_allocation_unit_bytes(128);
  return limits;
}

TEST(Residency, SixtyFourRegistersHoldFourBlocksOf256Threads) {
  const BlockNeeds needs = {
      .threads = 256, .registers = 64, .shared_bytes = 16448};
  const Residency residency = ComputeResidency(Sm86(), needs);
  EXPECT_EQ(residency.blocks_per_sm, 4u);
  EXPECT_EQ(DescribeBinding(residency, needs),
            "registers (64 a thread x 256 threads)");
}

// What happened to the published study: one register more, one block less.
TEST(Residency, SixtyFiveRegistersHoldOnlyThree) {
  EXPECT_EQ(
      ComputeResidency(Sm86(),
                       {.threads = 256, .registers = 65, .shared_bytes = 16448})
          .blocks_per_sm,
      3u);
}

TEST(Residency, SharedMemoryBindsTheTensorTile) {
  const Residency residency = ComputeResidency(
      Sm86(), {.threads = 256, .registers = 120, .shared_bytes = 56896});
  EXPECT_EQ(residency.blocks_per_sm, 1u);
  EXPECT_EQ(residency.by_registers, 2u);
  EXPECT_EQ(residency.binding, "shared memory");
}

}  // namespace
}  // namespace tilebound::gpu
