#include "data/io/split_mix.h"

#include <vector>

#include "gtest/gtest.h"

namespace tilebound {
namespace {

// The first outputs of the authors' SplittableRandom from seed 0, as published
// with the reference implementations (Vigna, splitmix64.c).
TEST(SplitMix64, IsTheAuthors) {
  SplitMix64 random(0);
  EXPECT_EQ(random.Next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(random.Next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(random.Next(), 0x06c45d188009454fu);
}

TEST(SplitMix64, BelowReachesEveryValueEquallyOftenAndNoOther) {
  constexpr int kDraws = 700'000;
  SplitMix64 random(2);
  std::vector<int> seen(7);
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t value = random.Below(7);
    ASSERT_LT(value, 7u);
    ++seen[value];
  }
  // Chi-squared with 6 degrees of freedom exceeds 27.9 once in 10,000 seeds.
  double chi_squared = 0;
  for (int count : seen) {
    chi_squared += (count - 100'000.0) * (count - 100'000.0) / 100'000;
  }
  EXPECT_LT(chi_squared, 27.9);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(SplitMix64, BelowSpreadsOverRangesOf64Bits) {
  SplitMix64 random(3);
  const uint64_t n = uint64_t{3} << 62;
  int upper = 0;
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t value = random.Below(n);
    ASSERT_LT(value, n);
    if (value >= n / 2) ++upper;
  }
  EXPECT_NEAR(upper, 5000, 200);
}

}  // namespace
}  // namespace tilebound
