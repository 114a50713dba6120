#include "model/sharing.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/sm_server.h"

namespace tilebound::model {
namespace {

TEST(Sharing, NamesParseToWhatTheyName) {
  for (Sharing sharing : {Sharing::kSlot, Sharing::kFair, Sharing::kIid}) {
    const auto parsed = ParseSharing(SharingName(sharing));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_EQ(*parsed, sharing);
  }
  EXPECT_EQ(SharingName(Sharing::kSlot), "slot");
  EXPECT_EQ(SharingName(Sharing::kFair), "fair");
  EXPECT_EQ(SharingName(Sharing::kIid), "iid");
}

TEST(Sharing, UnknownWordIsShownWithWhatIsAccepted) {
  const absl::Status status = ParseSharing("slots").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("\"slots\""), absl::string_view::npos);
  EXPECT_NE(status.message().find("slot, fair, iid"), absl::string_view::npos);
  EXPECT_FALSE(ParseSharing("").ok());
  EXPECT_FALSE(ParseSharing("Slot").ok());
}

TEST(GeometricWeights, FallFromTheOldestSlotOn) {
  const int64_t one = kWeightOne;
  EXPECT_EQ(GeometricWeights(4, 0.5),
            (std::vector<int64_t>{one, one / 2, one / 4, one / 8}));
  EXPECT_EQ(GeometricWeights(1, 0.5), (std::vector<int64_t>{one}));
}

TEST(GeometricWeights, AreAlikeWithRatioOne) {
  EXPECT_EQ(GeometricWeights(5, 1), std::vector<int64_t>(5, kWeightOne));
}

// SmServer divides by them.
TEST(GeometricWeights, AreNeverZeroHoweverManyBlocksThereAre) {
  for (double ratio : {0.5, 1e-9, 0.0}) {
    for (int64_t weight : GeometricWeights(32, ratio)) {
      EXPECT_GE(weight, 1);
      EXPECT_LE(weight, kWeightOne);
    }
  }
  EXPECT_EQ(GeometricWeights(32, 0.5).back(), 1);
}

}  // namespace
}  // namespace tilebound::model
