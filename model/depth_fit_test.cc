#include "model/depth_fit.h"

#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

TEST(FitDepth, GoesThroughTwoPoints) {
  const auto fit = FitDepth({{32, 6.5, 0.1}, {64, 10.5, 0.3}});
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(fit->fixed_us.value, 2.5, 1e-9);
  EXPECT_NEAR(fit->per_k_us.value, 0.125, 1e-9);
  EXPECT_EQ(fit->degrees_of_freedom, 0);
  // Slope: (y2 - y1) / 32, so its error is sqrt(0.1^2 + 0.3^2) / 32.
  EXPECT_NEAR(fit->per_k_us.standard_error, std::sqrt(0.1) / 32, 1e-9);
  // At k = 0 it is 2 y1 - y2.
  EXPECT_NEAR(fit->fixed_us.standard_error, std::sqrt(4 * 0.01 + 0.09), 1e-9);
}

// The published tile alone on its SM (K = 32, 64, 128) is no straight line to
// 0.01 us; the weighted line stays closest to the point that is known best.
TEST(FitDepth, LeansOnThePointThatIsKnownBest) {
  const auto fit = FitDepth({{32, 6.7, 1}, {64, 10.3, 1e-3}, {128, 17.8, 1}});
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(fit->predicted_us[1], 10.3, 1e-4);
  EXPECT_GT(std::abs(fit->predicted_us[0] - 6.7), 0.01);
}

TEST(FitDepth, WidensTheIntervalsOfPointsOffTheLine) {
  const auto on = FitDepth({{32, 6, 0.01}, {64, 10, 0.01}, {96, 14, 0.01}});
  const auto off = FitDepth({{32, 6, 0.01}, {64, 10.3, 0.01}, {96, 14, 0.01}});
  ASSERT_TRUE(on.ok() && off.ok());
  EXPECT_NEAR(on->chi_square, 0, 1e-9);
  EXPECT_GT(off->chi_square, 100);
  EXPECT_NEAR(off->per_k_us.standard_error / on->per_k_us.standard_error,
              std::sqrt(off->chi_square), 1e-6);
}

TEST(FitDepth, CoversAPlantedLine) {
  int covered = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Random random(StreamSeed({2, seed}));
    std::vector<DepthPoint> points;
    for (uint32_t k = 32; k <= 128; k += 32) {
      const double error = 0.01 * k / 32;
      points.push_back({k, 2.5 + 0.12 * k + error * random.Normal(), error});
    }
    const auto fit = FitDepth(points);
    ASSERT_TRUE(fit.ok());
    covered += fit->per_k_us.low <= 0.12 && 0.12 <= fit->per_k_us.high;
  }
  EXPECT_GE(covered, 0.93 * 400);
}

TEST(FitDepth, RefusesASingleDepth) {
  EXPECT_THAT(FitDepth({{64, 10, 1}, {64, 11, 1}}).status().message(),
              HasSubstr("two different k"));
}

}  // namespace
}  // namespace tilebound::model
