#include "gpu/harness/regression.h"

#include <cmath>

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

TEST(FitLine, FindsAPlantedSlopeFarFromZero) {
  // Waits of 88.1 ns per task, stamped long after boot.
  std::vector<double> queued, wait;
  for (int i = 0; i < 100; ++i) {
    queued.push_back(10'000 + 37 * i);
    wait.push_back(1e15 + 88.1 * queued.back());
  }
  const auto line = FitLine(queued, wait);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_NEAR(line->slope, 88.1, 0.05);
  EXPECT_NEAR(line->correlation, 1, 1e-6);
}

TEST(FitLine, AgreesWithAWorkedExample) {
  // x 1..5, y 2 4 5 4 5: slope 6/10, intercept 4 - 0.6 * 3, r = 6/sqrt(60).
  const auto line = FitLine({1, 2, 3, 4, 5}, {2, 4, 5, 4, 5});
  EXPECT_NEAR(line->slope, 0.6, 1e-12);
  EXPECT_NEAR(line->intercept, 2.2, 1e-12);
  EXPECT_NEAR(line->correlation, 6 / std::sqrt(60.0), 1e-12);
}

TEST(FitLine, RefusesWhatHasNoLine) {
  EXPECT_FALSE(FitLine({1, 2}, {1, 2}).ok());
  EXPECT_FALSE(FitLine({1, 2, 3}, {1, 2}).ok());
  EXPECT_FALSE(FitLine({1, 1, 1}, {1, 2, 3}).ok());
  EXPECT_FALSE(FitLine({1, 2, 3}, {4, 4, 4}).ok());
}

}  // namespace
}  // namespace tilebound::gpu
