#include "gpu/suites/offset_bounds.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// The host's clock is 5,000,000 ns ahead; a write takes 700 to 900 ns to be
// seen, an end 400 to 600.
TEST(OffsetBounds, EncloseTheTrueOffsetWithinTheFastestWays) {
  OffsetBounds bounds;
  for (uint64_t i = 0; i < 10; ++i) {
    const uint64_t write = 6'000'000 + i * 300'000;
    bounds.NotBefore(write, write - 5'000'000 + 700 + 20 * i);
    bounds.NotAfter(write + 20'000, write + 20'000 - 5'000'000 - 400 - 20 * i);
  }
  ASSERT_TRUE(bounds.consistent());
  EXPECT_DOUBLE_EQ(bounds.error_ns(), 550);
  EXPECT_NEAR(static_cast<double>(bounds.ToDeviceNs(9'000'000)), 4'000'000,
              bounds.error_ns());
}

TEST(OffsetBounds, OneSidedOrContradictoryMomentsGiveNone) {
  OffsetBounds bounds;
  bounds.NotBefore(1'000, 500);
  EXPECT_FALSE(bounds.consistent());
  bounds.NotAfter(1'000, 600);
  EXPECT_FALSE(bounds.consistent());
}

}  // namespace
}  // namespace tilebound::gpu
