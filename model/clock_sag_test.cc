#include "model/clock_sag.h"

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

TEST(ClockSagSchedule, SagsForItsShareOfTheTime) {
  constexpr int64_t kStepPs = 10'000'000;
  constexpr int kSteps = 4'000'000;
  ClockSagSchedule clock({.slowdown = 1.2, .share = 0.1}, Random(1));
  int sagging = 0, changes = 0;
  double before = 1;
  for (int i = 0; i < kSteps; ++i) {
    const double factor = clock.FactorAt(i * kStepPs);
    ASSERT_TRUE(factor == 1 || factor == 1.2) << factor;
    if (factor != 1) ++sagging;
    if (factor != before) ++changes;
    before = factor;
  }
  // 40 s hold 2,000 sags of 2 ms, so that a share of 0.1 comes out within 7 %
  // at three deviations.
  EXPECT_NEAR(1.0 * sagging / kSteps, 0.1, 0.007);
  EXPECT_NEAR(changes, 2 * 2000, 300);
}

TEST(ClockSagSchedule, CopiesAgree) {
  ClockSagSchedule one({.slowdown = 1.1, .share = 0.3}, Random(7));
  ClockSagSchedule other = one;
  for (int64_t time = 0; time < 1'000'000'000'000; time += 777'000'000) {
    ASSERT_EQ(one.FactorAt(time), other.FactorAt(time));
  }
}

TEST(ClockSag, NeedsBothADepthAndAShare) {
  EXPECT_FALSE(ClockSag().happens());
  EXPECT_FALSE((ClockSag{.slowdown = 1.1, .share = 0}).happens());
  EXPECT_TRUE((ClockSag{.slowdown = 1.1, .share = 0.01}).happens());
}

}  // namespace
}  // namespace tilebound::model
