#include "model/trace_recipe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

pb::Kernel Kernel(const std::string& name, uint32_t reference_k) {
  pb::Kernel kernel;
  kernel.set_name(name);
  kernel.add_programs()->set_reference_k(reference_k);
  return kernel;
}

TEST(TraceRecipe, TakesTheRecipeOfItsOwnPartAndKernel) {
  const Catalog catalog = *Catalog::Open();
  const auto recipe = TraceRecipe(catalog, "a10", Kernel("sgemm64", 64), "", 0);
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->sm_clock_mhz(), 1200);
  EXPECT_EQ(recipe->observations_size(), 0);
  ASSERT_GT(recipe->declared_size(), 0);
  EXPECT_THAT(recipe->declared(0).source(), Not(HasSubstr("taken over")));
}

TEST(TraceRecipe, SaysWhatIsTakenOverForAKernelOfTheUsersOwn) {
  const auto recipe =
      TraceRecipe(*Catalog::Open(), "l4", Kernel("mine", 64), "", 1500);
  ASSERT_TRUE(recipe.ok()) << recipe.status();
  EXPECT_EQ(recipe->sm_clock_mhz(), 1500);
  for (const pb::CalibrationValue& value : recipe->declared()) {
    EXPECT_THAT(value.source(), HasSubstr("recipe of sgemm64 on a10, taken"));
  }
}

TEST(TraceRecipe, ScalesWhatHoldsForATileToItsDepth) {
  const Catalog catalog = *Catalog::Open();
  const auto same = TraceRecipe(catalog, "l4", Kernel("mine", 64), "", 1500);
  const auto twice = TraceRecipe(catalog, "l4", Kernel("mine", 128), "", 1500);
  ASSERT_TRUE(same.ok() && twice.ok());
  int scaled = 0;
  for (int i = 0; i < same->declared_size(); ++i) {
    if (same->declared(i).k() == 0) continue;
    EXPECT_EQ(twice->declared(i).k(), 128u);
    EXPECT_DOUBLE_EQ(twice->declared(i).value(), 2 * same->declared(i).value());
    EXPECT_THAT(twice->declared(i).source(), HasSubstr("in proportion to k"));
    ++scaled;
  }
  EXPECT_GT(scaled, 0);
}

TEST(TraceRecipe, AsksForTheClockOfAPartWithoutRecipe) {
  EXPECT_THAT(TraceRecipe(*Catalog::Open(), "l4", Kernel("mine", 64), "", 0)
                  .status()
                  .message(),
              HasSubstr("--sm_clock_mhz is 0 and no recipe of part l4"));
}

TEST(TraceRecipe, RefusesAnUnknownRecipe) {
  EXPECT_FALSE(
      TraceRecipe(*Catalog::Open(), "a10", Kernel("sgemm64", 64), "a11.x", 0)
          .ok());
}

}  // namespace
}  // namespace tilebound::model
