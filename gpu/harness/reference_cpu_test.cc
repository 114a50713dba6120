#include "gpu/harness/reference_cpu.h"

#include <cmath>

#include "gpu/harness/operand_value.h"
#include "gpu/harness/rounding_bound.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// Two by three tiles of 4 x 8, k = 32.
template <typename Element>
class HostProductTest : public ::testing::Test {
 protected:
  HostProductTest() : a_(2 * 4 * 32), b_(32 * 3 * 8) {
    for (size_t i = 0; i < a_.size(); ++i) a_[i] = Element(OperandValue(1, i));
    for (size_t i = 0; i < b_.size(); ++i) b_[i] = Element(OperandValue(2, i));
  }

  HostOperands Operands() const {
    return {.a = reinterpret_cast<const uint8_t*>(a_.data()),
            .b = reinterpret_cast<const uint8_t*>(b_.data()),
            .element_bytes = sizeof(Element),
            .m = 4,
            .n = 8,
            .k = 32,
            .tiles_m = 2,
            .tiles_n = 3};
  }

  std::vector<Element> a_, b_;
};

using Elements = ::testing::Types<float, Eigen::half>;
TYPED_TEST_SUITE(HostProductTest, Elements);

TYPED_TEST(HostProductTest, IsTheSumOfProductsOfTheRightTile) {
  for (uint32_t index = 0; index < 6; ++index) {
    const HostTile tile = HostProduct(this->Operands(), index);
    for (uint32_t row = 0; row < 4; ++row) {
      for (uint32_t column = 0; column < 8; ++column) {
        double sum = 0, magnitude = 0;
        for (uint32_t i = 0; i < 32; ++i) {
          const double x =
              double(OperandValue(1, (index / 3 * 4 + row) * 32 + i));
          const double y =
              double(OperandValue(2, i * 24 + index % 3 * 8 + column));
          sum += x * y;
          magnitude += std::abs(x * y);
        }
        ASSERT_NEAR(tile.product(row, column), sum, 1e-14);
        ASSERT_NEAR(tile.magnitude(row, column), magnitude, 1e-13);
      }
    }
  }
}

// What the check is for: fp32 arithmetic in any order passes, and one pair of
// operands taken from elsewhere does not.
TYPED_TEST(HostProductTest, BoundTellsRoundingFromCorruption) {
  const HostTile tile = HostProduct(this->Operands(), 4);
  int caught = 0;
  for (uint32_t row = 0; row < 4; ++row) {
    for (uint32_t column = 0; column < 8; ++column) {
      float forward = 0, backward = 0, corrupt = 0;
      for (int i = 0; i < 32; ++i) {
        const auto x = [&](int at) {
          return OperandValue(1, (4 + row) * 32 + at);
        };
        const auto y = [&](int at) {
          return OperandValue(2, at * 24 + 8 + column);
        };
        forward = std::fma(x(i), y(i), forward);
        backward = std::fma(x(31 - i), y(31 - i), backward);
        corrupt = std::fma(x(i), y(i == 17 ? 18 : i), corrupt);
      }
      const double product = tile.product(row, column);
      const float bound =
          RelativeBound(32, sizeof(TypeParam)) * tile.magnitude(row, column);
      EXPECT_FALSE(IsWrong(forward, product, bound));
      EXPECT_FALSE(IsWrong(backward, product, bound));
      caught += IsWrong(corrupt, product, bound);
    }
  }
  EXPECT_EQ(caught, 32);
}

TEST(IsWrong, TakesNaNAndInfinityForWrong) {
  EXPECT_TRUE(IsWrong(std::nanf(""), 0, 1));
  EXPECT_TRUE(IsWrong(INFINITY, 0, 1));
  EXPECT_FALSE(IsWrong(0.5f, 0.25, 0.25f));
  EXPECT_TRUE(IsWrong(0.51f, 0.25, 0.25f));
}

}  // namespace
}  // namespace tilebound::gpu
