#include "validate/axes.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"

namespace tilebound::validate {
namespace {

pb::CellKey Key(uint32_t blocks, uint32_t period) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(blocks);
  key.set_period(period);
  return key;
}

TEST(Axes, TogetherAreTheCanonicalText) {
  // The second source: the key's own text, which fingerprints hash.
  const pb::CellKey key = Key(288, 2);
  EXPECT_EQ(ShortKey(Axes(), key), CanonicalText(key));
}

TEST(Axes, OnlyThoseThatDifferVary) {
  const pb::CellKey a = Key(16, 1), b = Key(288, 1), c = Key(16, 2);
  const auto two = VaryingAxes({&a, &b});
  ASSERT_EQ(two.size(), 1u);
  EXPECT_EQ(two[0].name, "blocks");
  EXPECT_EQ(ShortKey(VaryingAxes({&a, &b, &c}), b), "blocks=288 period=1");
  EXPECT_TRUE(VaryingAxes({&a}).empty());
  EXPECT_TRUE(VaryingAxes({}).empty());
}

TEST(Axes, AreFoundByName) {
  EXPECT_NE(FindAxis("urgent_tiles"), nullptr);
  EXPECT_EQ(FindAxis("colour"), nullptr);
}

}  // namespace
}  // namespace tilebound::validate
