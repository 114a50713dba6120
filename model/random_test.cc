#include "model/random.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

TEST(Random, UnitIsInTheHalfOpenIntervalWithMomentsOfTheUniform) {
  constexpr int kDraws = 1'000'000;
  Random random(1);
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.Unit();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  // Four standard errors: sqrt(1/12) and sqrt(4/45) of one draw.
  EXPECT_NEAR(sum / kDraws, 0.5, 4 * 0.2887e-3);
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 4 * 0.2981e-3);
}

TEST(Random, NormalHasTheMomentsAndQuantilesOfTheNormal) {
  constexpr int kDraws = 1'000'000;
  Random random(4);
  double moment[5] = {};
  int within_one = 0, over_p99 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.Normal();
    ASSERT_TRUE(std::isfinite(z));
    for (int power = 1; power <= 4; ++power)
      moment[power] += std::pow(z, power);
    if (std::abs(z) < 1) ++within_one;
    if (z > 2.3263478740408408) ++over_p99;
  }
  // Four standard errors each: the variances of z^n are 1, 2, 15 and 96.
  EXPECT_NEAR(moment[1] / kDraws, 0, 4e-3);
  EXPECT_NEAR(moment[2] / kDraws, 1, 5.7e-3);
  EXPECT_NEAR(moment[3] / kDraws, 0, 15.5e-3);
  EXPECT_NEAR(moment[4] / kDraws, 3, 39.2e-3);
  EXPECT_NEAR(within_one / 1e6, 0.682689, 4 * 0.466e-3);
  EXPECT_NEAR(over_p99 / 1e6, 0.01, 4 * 0.0995e-3);
}

// The sum of four uniform draws has kurtosis 3 - 6 / (5 x 4) = 2.7, and reaches
// no further than sqrt(12) = 3.464 deviations.
TEST(Random, BellHasTheMomentsOfTheSumOfFourUniformDraws) {
  constexpr int kDraws = 1'000'000;
  Random random(6);
  double moment[5] = {}, most = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.Bell();
    for (int power = 1; power <= 4; ++power) {
      moment[power] += std::pow(z, power);
    }
    most = std::max(most, std::abs(z));
  }
  EXPECT_NEAR(moment[1] / kDraws, 0, 4e-3);
  // The variance of z^2 is 2.7 - 1.
  EXPECT_NEAR(moment[2] / kDraws, 1, 4 * 1.304e-3);
  EXPECT_NEAR(moment[3] / kDraws, 0, 15.5e-3);
  EXPECT_NEAR(moment[4] / kDraws, 2.7, 39.2e-3);
  EXPECT_GT(most, 3.2);
  EXPECT_LE(most, Random::kMostBell);
}

// The central moments of the exponential are 0, 1, 2 and 9.
TEST(Random, LateHasTheMomentsAndQuantilesOfTheExponentialLessItsMean) {
  constexpr int kDraws = 1'000'000;
  Random random(8);
  double moment[5] = {}, least = 0, most = 0;
  int over_median = 0, over_p99 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.Late();
    for (int power = 1; power <= 4; ++power) {
      moment[power] += std::pow(z, power);
    }
    least = std::min(least, z);
    most = std::max(most, z);
    if (z > std::log(2) - 1) ++over_median;
    if (z > std::log(100) - 1) ++over_p99;
  }
  // Four standard errors: z, z^2 and z^3 have variances 1, 8 and 261.
  EXPECT_NEAR(moment[1] / kDraws, 0, 4e-3);
  EXPECT_NEAR(moment[2] / kDraws, 1, 4 * 2.83e-3);
  EXPECT_NEAR(moment[3] / kDraws, 2, 4 * 16.2e-3);
  EXPECT_NEAR(moment[4] / kDraws, 9, 0.6);
  EXPECT_NEAR(over_median / 1e6, 0.5, 4 * 0.5e-3);
  EXPECT_NEAR(over_p99 / 1e6, 0.01, 4 * 0.0995e-3);
  EXPECT_GE(least, -1);
  EXPECT_GT(most, 9);
  EXPECT_LE(most, Random::kMostLate);
}

// Both members of a Box-Muller pair are used.
TEST(Random, SuccessiveNormalsAreUncorrelated) {
  constexpr int kDraws = 1'000'000;
  Random random(5);
  double product = 0, last = random.Normal();
  for (int i = 0; i < kDraws; ++i) {
    const double z = random.Normal();
    product += z * last;
    last = z;
  }
  EXPECT_NEAR(product / kDraws, 0, 4e-3);
}

TEST(StreamSeed, IsTheSameForTheSameNameAndDiffersInEveryPartOfIt) {
  EXPECT_EQ(StreamSeed({1, 2, 3}), StreamSeed({1, 2, 3}));
  std::set<uint64_t> seeds;
  size_t names = 0;
  for (uint64_t a = 0; a < 20; ++a) {
    seeds.insert(StreamSeed({a}));
    ++names;
    for (uint64_t b = 0; b < 20; ++b) {
      seeds.insert(StreamSeed({a, b}));
      ++names;
      for (uint64_t c = 0; c < 20; ++c) {
        seeds.insert(StreamSeed({a, b, c}));
        ++names;
      }
    }
  }
  EXPECT_EQ(seeds.size(), names);
}

TEST(StreamSeed, StreamsOfNeighbouringNamesAreUncorrelated) {
  constexpr int kDraws = 100'000;
  Random left(StreamSeed({7, 0})), right(StreamSeed({7, 1}));
  double covariance = 0;
  int equal = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double a = left.Unit(), b = right.Unit();
    covariance += (a - 0.5) * (b - 0.5);
    if (a == b) ++equal;
  }
  // One product's standard deviation is 1/12.
  EXPECT_NEAR(covariance / kDraws, 0, 4 * (1.0 / 12) / std::sqrt(kDraws));
  EXPECT_EQ(equal, 0);
}

}  // namespace
}  // namespace tilebound::model
