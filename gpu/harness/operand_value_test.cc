#include "gpu/harness/operand_value.h"

#include <cmath>

#include "Eigen/Core"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

TEST(MixedBits, IsSplitmix64) {
  // First outputs of the reference implementation for seed 1234567.
  EXPECT_EQ(MixedBits(1234567, 0), 6457827717110365317u);
  EXPECT_EQ(MixedBits(1234567, 1), 3203168211198807973u);
  EXPECT_EQ(MixedBits(1234567, 2), 9817491932198370423u);
}

TEST(OperandValue, IsUniformInRange) {
  constexpr int kN = 100'000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kN; ++i) {
    const double value = OperandValue(7, i);
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  // Mean 0 and variance 1/3; five standard errors.
  EXPECT_NEAR(sum / kN, 0, 5 * std::sqrt(1.0 / 3 / kN));
  EXPECT_NEAR(squares / kN, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kN));
}

TEST(OperandValue, IsExactInHalfPrecision) {
  for (int i = 0; i < 10'000; ++i) {
    const float value = OperandValue(11, i);
    ASSERT_EQ(static_cast<float>(Eigen::half(value)), value);
  }
}

}  // namespace
}  // namespace tilebound::gpu
