#include "gpu/harness/reserve_plan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Compute capability 8.6 (CUDA C++ Programming Guide, Compute Capabilities).
pb::ResidencyLimits Sm86() {
  pb::ResidencyLimits limits;
  limits.set_warp_size(32);
  limits.set_threads_per_sm(1536);
  limits.set_blocks_per_sm(16);
  limits.set_registers_per_sm(65536);
  limits.set_register_allocation_unit(256);
  limits.set_subpartitions_per_sm(4);
  limits.set_shared_bytes_per_sm(102400);
  limits.set_shared_bytes_reserved_per_block(1024);
  limits.set_shared_allocation_unit_bytes(128);
  return limits;
}

constexpr BlockDemand kSgemm64 = {
    .threads = 256, .registers_per_thread = 64, .shared_bytes = 8192};

// The published study launched an urgent kernel of 79 registers into one
// reserved slot of an A10 and waited for ever: 65,536 - 3 x 64 x 256 = 16,384
// registers are left and 79 (handed out as 80) x 256 needed.
TEST(FitReserved, RefusesTheUrgentKernelThatNeverFitted) {
  const SlotFit fit = FitReserved(
      Sm86(), kSgemm64, 3,
      {.threads = 256, .registers_per_thread = 79, .shared_bytes = 8192});
  EXPECT_FALSE(fit.fits);
  EXPECT_EQ(fit.binding, "registers");
  EXPECT_THAT(fit.reason, AllOf(HasSubstr("needs 20480 registers"),
                                HasSubstr("16384 are left by 3")));
}

TEST(FitReserved, TakesAnUrgentKernelPinnedToTheSlot) {
  const SlotFit fit = FitReserved(Sm86(), kSgemm64, 3, kSgemm64);
  EXPECT_TRUE(fit.fits) << fit.reason;
  EXPECT_EQ(fit.blocks, 1u);
  EXPECT_EQ(fit.reason, "");
}

TEST(FitReserved, NothingFitsBesideASaturatedSm) {
  EXPECT_FALSE(FitReserved(Sm86(), kSgemm64, 4, kSgemm64).fits);
}

TEST(FitReserved, CountsTheSharedMemoryThatTheSystemTakes) {
  // 56,832 B of the tensor core tile twice: with 1 KiB each it is 115,712 B of
  // 102,400 B.
  const BlockDemand tensor128 = {
      .threads = 128, .registers_per_thread = 128, .shared_bytes = 56832};
  EXPECT_TRUE(FitReserved(Sm86(), tensor128, 0, tensor128).fits);
  const SlotFit second = FitReserved(Sm86(), tensor128, 1, tensor128);
  EXPECT_FALSE(second.fits);
  EXPECT_EQ(second.binding, "shared memory");
}

TEST(FitReserved, CountsThreadsAndBlocks) {
  const BlockDemand light = {.threads = 768, .registers_per_thread = 16};
  EXPECT_EQ(FitReserved(Sm86(), light, 2, light).binding, "threads");
  const BlockDemand small = {.threads = 32, .registers_per_thread = 16};
  EXPECT_EQ(FitReserved(Sm86(), small, 16, small).binding, "blocks");
}

}  // namespace
}  // namespace tilebound::gpu
