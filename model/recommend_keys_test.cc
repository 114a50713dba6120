#include "model/recommend_keys.h"

#include <algorithm>

#include "data/schema/catalog.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

class RecommendKeysTest : public ::testing::Test {
 protected:
  RecommendKeysTest() {
    asked_.add_part("a10");
    asked_.add_kernel("sgemm64");
    asked_.add_k("64");
  }

  absl::StatusOr<std::vector<pb::CellKey>> Keys(bool end_to_end) const {
    const NameResolvers resolvers = {
        [](const std::string& name) { return name; },
        [](const std::string& name) { return name; },
        [](const std::string&, const std::string&,
           absl::string_view word) -> absl::StatusOr<uint32_t> {
          return word == "saturation" ? 288 : 72;
        }};
    return RecommendKeys(asked_, *Catalog::Open(), resolvers, end_to_end);
  }

  pb::Experiment asked_;
};

// sgemm64 has sites boundary and folded; four residencies, four periods.
TEST_F(RecommendKeysTest, SpansResidenciesSitesAndPeriods) {
  const auto keys = Keys(false);
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->size(), 4u * 2 * 4);
}

TEST_F(RecommendKeysTest, AddsTheOtherArmsForUrgentWorkComplete) {
  const auto keys = Keys(true);
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->size(), 32u + 4 + 1);
  for (const pb::CellKey& key : *keys) {
    if (key.arm() != pb::RESERVED) continue;
    EXPECT_EQ(key.blocks() + key.reserve(), 288u);
    EXPECT_EQ(key.setter(), pb::HOST);
  }
}

TEST_F(RecommendKeysTest, KeepsToTheAxesThatWereGiven) {
  asked_.add_blocks("144");
  asked_.add_period("3");
  asked_.add_site("boundary");
  const auto keys = Keys(false);
  ASSERT_TRUE(keys.ok()) << keys.status();
  ASSERT_EQ(keys->size(), 1u);
  EXPECT_EQ((*keys)[0].blocks(), 144u);
  EXPECT_EQ((*keys)[0].period(), 3u);
}

TEST_F(RecommendKeysTest, IsForOneKernelAtOneDepth) {
  asked_.add_k("128");
  EXPECT_THAT(Keys(false).status().message(), HasSubstr("--k has 2 values"));
}

}  // namespace
}  // namespace tilebound::model
