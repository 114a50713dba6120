#include "data/trace/record.h"

#include <limits>

#include "gtest/gtest.h"

namespace tilebound {
namespace {

TEST(Record, NamesOfKindsReadBack) {
  for (int k = kFirstRecordKind; k <= kLastRecordKind; ++k) {
    const auto kind = static_cast<RecordKind>(k);
    EXPECT_EQ(KindFromName(KindName(kind)), kind) << KindName(kind);
  }
  EXPECT_FALSE(KindFromName("tile").has_value())
      << "a fused tile is two records, not a kind of its own";
}

TEST(Record, DescriptionNamesIdsAndTime) {
  EXPECT_EQ(DescribeRecord(Record::Pop(21504000, 17)),
            "pop of task 17 at 21.504 us");
  EXPECT_EQ(DescribeRecord(Record::Claim(1000000, 7, 2, pb::STAGE)),
            "claim of event 7, urgent tile 2, at a stage site, at 1 us");
}

TEST(Record, MicrosecondsAreExact) {
  EXPECT_EQ(Microseconds(1), "0.000001 us");
  EXPECT_EQ(Microseconds(-1500000), "-1.5 us");
  EXPECT_EQ(Microseconds(std::numeric_limits<int64_t>::min()),
            "-9223372036854.775808 us");
}

}  // namespace
}  // namespace tilebound
