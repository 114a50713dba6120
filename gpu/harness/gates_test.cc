#include "gpu/harness/gates.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;

TEST(Gates, TheFirstFailureIsTheOneThatIsTold) {
  Gates gates;
  gates.Check(TimerTickGate(1024));
  EXPECT_TRUE(gates.status().ok());
  gates.Check(PoisonGate(10'000, 9'999));
  gates.Check(SpillGate(8));
  EXPECT_EQ(gates.status().message(),
            "gate poison control: 9999 of 10000 were caught; all are needed");
  EXPECT_EQ(gates.Summary(),
            "timer tick: 1024 ns; poison control: 9999 of 10000 were caught; "
            "all are needed (FAILED)");
}

TEST(TimerTickGate, NeedsATimerThatMovesInSmallSteps) {
  EXPECT_TRUE(TimerTickGate(32).passed);
  EXPECT_FALSE(TimerTickGate(0).passed);
  EXPECT_FALSE(TimerTickGate(1'000'000).passed);
}

TEST(ResidencyGate, CatchesAnSmThatRanMoreBlocksThanItHolds) {
  EXPECT_TRUE(ResidencyGate(8, 4, {4, 4}).passed);
  EXPECT_TRUE(ResidencyGate(7, 4, {3, 4}).passed);
  // Register pressure cut 4 blocks an SM to 3; the last two blocks came later,
  // onto the first SM that was free.
  EXPECT_THAT(ResidencyGate(8, 4, {5, 3}).detail, HasSubstr("SM 0 ran 5"));
  // The deadline came before they did.
  EXPECT_THAT(ResidencyGate(8, 4, {3, 3}).detail, HasSubstr("6 of 8"));
}

TEST(ReferenceGate, ACheckOfNothingIsNoPass) {
  EXPECT_TRUE(ReferenceGate("urgent", 10'000, 0).passed);
  EXPECT_FALSE(ReferenceGate("urgent", 0, 0).passed);
  EXPECT_FALSE(ReferenceGate("urgent", 10'000, 1).passed);
  EXPECT_EQ(ReferenceGate("urgent", 9, 1).name, "urgent outputs");
}

TEST(PoisonGate, AControlThatPlantedNothingIsNoPass) {
  EXPECT_TRUE(PoisonGate(10'000, 10'000).passed);
  EXPECT_FALSE(PoisonGate(0, 0).passed);
}

TEST(NanGate, SeesAFillThatCameLateAndAnOutputThatNeverCame) {
  EXPECT_TRUE(NanGate(4096, 4096, 0).passed);
  EXPECT_THAT(NanGate(4096, 4000, 0).detail, HasSubstr("before the launch"));
  EXPECT_THAT(NanGate(4096, 4096, 1).detail, HasSubstr("never written"));
}

TEST(SpillGate, AcceptsNoLocalMemoryAtAll) {
  EXPECT_TRUE(SpillGate(0).passed);
  EXPECT_FALSE(SpillGate(4).passed);
}

TEST(AnomalyGate, NamesWhatHappened) {
  EXPECT_TRUE(AnomalyGate({}, false).passed);
  EXPECT_EQ(AnomalyGate({.unset = 2, .out_of_order = 1}, false).detail,
            "2 unset, 1 out of order");
  EXPECT_FALSE(AnomalyGate({}, true).passed);
}

}  // namespace
}  // namespace tilebound::gpu
