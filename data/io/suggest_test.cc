#include "data/io/suggest.h"

#include "gtest/gtest.h"

namespace tilebound {
namespace {

TEST(DidYouMean, NamesTheNearest) {
  EXPECT_EQ(DidYouMean("a100_sxm_40gb", {"a10", "a100_sxm4_40gb", "h200"}),
            " (did you mean a100_sxm4_40gb?)");
  EXPECT_EQ(DidYouMean("peroid", {"part", "period"}),
            " (did you mean period?)");
}

TEST(DidYouMean, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(DidYouMean("mi300x", {"a10", "h200"}), "");
  EXPECT_EQ(DidYouMean("a10", {}), "");
}

}  // namespace
}  // namespace tilebound
