#include "data/schema/shard.h"

#include <algorithm>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::ElementsAre;

TEST(ParseShard, CountsFromOne) {
  EXPECT_EQ(*ParseShard("2/3"), (std::pair<uint32_t, uint32_t>{1, 3}));
  EXPECT_EQ(*ParseShard(""), (std::pair<uint32_t, uint32_t>{0, 1}));
}

TEST(ParseShard, SaysWhatIsAccepted) {
  for (const char* text :
       {"0/3", "4/3", "1", "1/", "/3", "a/b", "-1/3", "1/0", "1/2/3"}) {
    EXPECT_EQ(
        ParseShard(text).status().message(),
        std::string("--shard=") + text + ": accepted is I/N with 1 <= I <= N");
  }
}

TEST(ShardOf, DealsEveryKeyToExactlyOneShard) {
  std::vector<pb::CellKey> keys(10);
  for (uint32_t i = 0; i < 10; ++i) keys[i].set_blocks(i);
  std::vector<uint32_t> seen;
  for (uint32_t shard = 0; shard < 3; ++shard) {
    const auto mine = ShardOf(keys, {shard, 3});
    EXPECT_GE(mine.size(), 3u);
    EXPECT_LE(mine.size(), 4u);
    for (const auto& key : mine) seen.push_back(key.blocks());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_TRUE(ShardOf({}, {0, 1}).empty());
}

}  // namespace
}  // namespace tilebound
