#include "model/find_root.h"

#include <cmath>

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

absl::StatusOr<double> Square(double x) { return x * x; }
absl::StatusOr<double> Falling(double x) { return std::exp(-x); }

TEST(FindRoot, FindsWhereARisingFunctionTakesTheTarget) {
  EXPECT_NEAR(*FindRoot(0, 2, 2, Square), std::sqrt(2.0), 2e-4);
}

TEST(FindRoot, FindsWhereAFallingFunctionTakesTheTarget) {
  EXPECT_NEAR(*FindRoot(0, 10, 0.25, Falling), std::log(4.0), 1e-3);
}

TEST(FindRoot, NamesTheValuesThatCanBeReached) {
  EXPECT_EQ(FindRoot(0, 2, 5, Square).status().message(),
            "values from 0 to 4 can be reached, 5 cannot");
}

TEST(FindRoot, PassesAnErrorOfTheFunctionOn) {
  const auto broken = [](double) -> absl::StatusOr<double> {
    return absl::InternalError("broken");
  };
  EXPECT_EQ(FindRoot(0, 2, 1, broken).status().message(), "broken");
}

}  // namespace
}  // namespace tilebound::model
