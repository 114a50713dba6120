#include "gpu/harness/interrupt.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

TEST(Interrupt, IsAFlagAfterTheFirstSignal) {
  InterruptGuard guard;
  EXPECT_FALSE(Interrupted());
  std::raise(SIGINT);
  EXPECT_TRUE(Interrupted());
}

TEST(Interrupt, EndsTheProcessAtTheSecondSignal) {
  EXPECT_EXIT(
      {
        InterruptGuard guard;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

TEST(Interrupt, BelongsToTheGuardOnly) {
  {
    InterruptGuard guard;
    std::raise(SIGTERM);
    EXPECT_TRUE(Interrupted());
  }
  {
    InterruptGuard guard;
    EXPECT_FALSE(Interrupted()) << "a new guard starts afresh";
  }
  EXPECT_EXIT(std::raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace tilebound::gpu
