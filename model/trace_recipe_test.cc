#include "model/trace_recipe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

TEST(TraceRecipe, TakesTheRecipeOfItsOwnPartAndKernel) {
  const Catalog catalog = *Catalog::Open();
  const auto recipe = TraceRecipe(catalog, "a10", "sgemm64", "", 0);
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->sm_clock_mhz(), 1200);
  EXPECT_EQ(recipe->observations_size(), 0);
  ASSERT_GT(recipe->declared_size(), 0);
  EXPECT_THAT(recipe->declared(0).source(), Not(HasSubstr("taken over")));
}

TEST(TraceRecipe, SaysWhatIsTakenOverForAKernelOfTheUsersOwn) {
  const auto recipe = TraceRecipe(*Catalog::Open(), "l4", "mine", "", 1500);
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->sm_clock_mhz(), 1500);
  for (const pb::CalibrationValue& value : recipe->declared()) {
    EXPECT_THAT(value.source(), HasSubstr("recipe of sgemm64 on a10, taken"));
  }
}

TEST(TraceRecipe, AsksForTheClockOfAPartWithoutRecipe) {
  EXPECT_THAT(
      TraceRecipe(*Catalog::Open(), "l4", "mine", "", 0).status().message(),
      HasSubstr("--sm_clock_mhz is 0 and no recipe of part l4"));
}

TEST(TraceRecipe, RefusesAnUnknownRecipe) {
  EXPECT_FALSE(
      TraceRecipe(*Catalog::Open(), "a10", "sgemm64", "a11.x", 0).ok());
}

}  // namespace
}  // namespace tilebound::model
