#include "data/trace/header.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::TraceHeader Good() {
  pb::TraceHeader header;
  header.set_schema_major(kTraceMajor);
  header.mutable_cell()->set_arm(pb::COOPERATIVE);
  header.mutable_cell()->set_site(pb::STAGE);
  header.mutable_cell()->set_period(1);
  header.set_stages_per_tile(8);
  header.set_blocks(4);
  header.set_blocks_per_sm(2);
  return header;
}

TEST(TraceHeader, AcceptsWhatItShould) {
  EXPECT_TRUE(ValidateTraceHeader(Good()).ok());
  pb::TraceHeader none = Good();
  none.mutable_cell()->set_arm(pb::NONE);
  none.mutable_cell()->clear_site();
  none.mutable_cell()->clear_period();
  none.clear_stages_per_tile();
  EXPECT_TRUE(ValidateTraceHeader(none).ok()) << "an arm without looks";
}

TEST(TraceHeader, RefusesANewerMajorInOneSentence) {
  pb::TraceHeader header = Good();
  header.set_schema_major(7);
  EXPECT_EQ(ValidateTraceHeader(header).message(),
            "trace header: schema version 7 is newer than this tool, which "
            "reads up to 1");
}

TEST(TraceHeader, NamesFieldValueAndRange) {
  pb::TraceHeader header = Good();
  header.mutable_cell()->set_period(0);
  EXPECT_EQ(ValidateTraceHeader(header).message(),
            "trace header: cell.period is 0; accepted: 1 to 1048576");
  header = Good();
  header.mutable_cell()->set_urgent_tiles(4097);
  EXPECT_THAT(std::string(ValidateTraceHeader(header).message()),
              HasSubstr("cell.urgent_tiles is 4097; accepted: 0 to 4096"));
  header = Good();
  header.mutable_cell()->clear_arm();
  EXPECT_THAT(std::string(ValidateTraceHeader(header).message()),
              HasSubstr("cell.arm is 0; accepted: NONE, COOPERATIVE"));
  header = Good();
  header.clear_stages_per_tile();
  EXPECT_THAT(std::string(ValidateTraceHeader(header).message()),
              HasSubstr("stages_per_tile is 0"));
}

}  // namespace
}  // namespace tilebound
