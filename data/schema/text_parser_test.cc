#include "data/schema/text_parser.h"

#include "data/schema/file.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Error(const std::string& text) {
  pb::File file;
  return std::string(ParseText("x.textproto", text, &file).message());
}

TEST(ParseText, ReadsWhatIsRight) {
  pb::File file;
  ASSERT_TRUE(ParseText("x", "part { sm_count: 72 }", &file).ok());
  EXPECT_EQ(file.part().sm_count(), 72u);
}

TEST(ParseText, PointsAtAMisspeltFieldAndListsTheFields) {
  EXPECT_EQ(
      Error("schema_major: 1\npart {\n  memory { l2_byte: 7 }\n}\n"),
      "x.textproto:3:12: no field \"l2_byte\" in Memory (did you mean "
      "l2_bytes?); accepted are size_bytes, bandwidth_gb_per_s, l2_bytes");
}

TEST(ParseText, PointsAtTheWordBehindTabsAndBeforeALineBreak) {
  EXPECT_THAT(Error("part {\n\tsm_cuont\n  : 72\n}"),
              HasSubstr("x.textproto:2:2: no field \"sm_cuont\""));
}

TEST(ParseText, ListsTheValuesOfAMisspeltEnum) {
  EXPECT_EQ(Error("surface {\n  cells { key { site: BOUNDRY } }\n}\n"),
            "x.textproto:2:23: no value BOUNDRY for field site (did you mean "
            "BOUNDARY?); accepted are BOUNDARY, STAGE, ISSUE, FOLDED");
  EXPECT_THAT(Error("surface { provenance { kind: GUESSED } }"),
              HasSubstr("accepted are PREDICTED, MEASURED, PUBLISHED"));
}

TEST(ParseText, PointsAtAValueOfTheWrongKind) {
  EXPECT_THAT(Error("part {\n  sm_count: -72\n}"),
              HasSubstr("x.textproto:2:13: "));
  EXPECT_THAT(Error("experiment {\n  k: 64\n}"),
              HasSubstr("x.textproto:2:6: Expected string, got: 64"));
}

TEST(ParseText, PointsAtTheEndOfACutFile) {
  EXPECT_THAT(Error("part {\n  sm_count: 72\n"),
              HasSubstr("x.textproto:3:1: "));
}

TEST(ParseText, TellsOnlyTheFirstError) {
  const std::string error = Error("part { a: 1 }\nkernel { b: 2 }\n");
  EXPECT_THAT(error, HasSubstr("\"a\""));
  EXPECT_THAT(error, Not(HasSubstr("\"b\"")));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace tilebound
