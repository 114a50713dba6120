#include "model/placement.h"

#include <set>

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

TEST(Placement, PutsEveryBlockInExactlyOnePlace) {
  constexpr uint32_t kSms = 7;
  for (uint32_t blocks = 1; blocks <= 4 * kSms; ++blocks) {
    const Placement placement(blocks, kSms);
    std::set<uint32_t> placed;
    for (uint32_t sm = 0; sm < placement.busy_sms(); ++sm) {
      ASSERT_GT(placement.BlocksOn(sm), 0u);
      for (uint32_t slot = 0; slot < placement.BlocksOn(sm); ++slot) {
        EXPECT_TRUE(placed.insert(placement.BlockAt(sm, slot)).second);
      }
    }
    EXPECT_EQ(placed.size(), blocks);
    EXPECT_EQ(*placed.rbegin(), blocks - 1);
    for (uint32_t sm = placement.busy_sms(); sm < kSms; ++sm) {
      EXPECT_EQ(placement.BlocksOn(sm), 0u);
    }
  }
}

// The grids of the study on the A10's 72 SMs.
TEST(Placement, GivesEverySmTheSameOfAFullGridAndTheFirstOneMoreOfAnother) {
  const Placement saturated(288, 72);
  EXPECT_EQ(saturated.busy_sms(), 72u);
  EXPECT_EQ(saturated.most_blocks_per_sm(), 4u);
  EXPECT_EQ(saturated.BlocksOn(71), 4u);
  const Placement small(16, 72);
  EXPECT_EQ(small.busy_sms(), 16u);
  EXPECT_EQ(small.most_blocks_per_sm(), 1u);
  const Placement uneven(100, 72);
  EXPECT_EQ(uneven.BlocksOn(27), 2u);
  EXPECT_EQ(uneven.BlocksOn(28), 1u);
}

TEST(Placement, BlocksOfTheFirstRoundAreTheOldestOfTheirSms) {
  const Placement placement(288, 72);
  EXPECT_EQ(placement.BlockAt(0, 0), 0u);
  EXPECT_EQ(placement.BlockAt(71, 0), 71u);
  EXPECT_EQ(placement.BlockAt(0, 1), 72u);
  EXPECT_EQ(placement.BlockAt(71, 3), 287u);
}

}  // namespace
}  // namespace tilebound::model
