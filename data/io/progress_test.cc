#include "data/io/progress.h"

#include "gtest/gtest.h"

namespace tilebound {
namespace {

TEST(ProgressLine, TellsShareRateAndTimeLeft) {
  EXPECT_EQ(ProgressLine("cells", 6, 24, absl::Seconds(3)),
            "6/24 cells (25 %), 2 cells/s, 9 s left");
}

TEST(ProgressLine, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(ProgressLine("records", 0, 0, absl::ZeroDuration()), "0 records");
  EXPECT_EQ(ProgressLine("records", 10, 0, absl::Seconds(1)),
            "10 records, 10 records/s");
  EXPECT_EQ(ProgressLine("cells", 24, 24, absl::Seconds(12)),
            "24/24 cells (100 %), 2 cells/s");
}

}  // namespace
}  // namespace tilebound
