#include "data/schema/part.h"

#include <limits>

#include "data/schema/text_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::Part Example() {
  pb::Part part;
  const absl::Status parsed = ParseText("example", R"(
    name: "try_part" product: "NVIDIA Try" chip: "GA000"
    compute_capability: 86 sm_count: 72
    limits {
      warp_size: 32 threads_per_block: 1024 threads_per_sm: 1536
      blocks_per_sm: 16 registers_per_block: 65536 registers_per_sm: 65536
      registers_per_thread: 255 register_allocation_unit: 256
      subpartitions_per_sm: 4 shared_bytes_per_sm: 102400
      shared_bytes_per_block: 101376 shared_bytes_reserved_per_block: 1024
      shared_allocation_unit_bytes: 128
    }
    boost_clock_mhz: 1695 timer_quantum_ps: 1024000
    memory { size_bytes: 24000000000 bandwidth_gb_per_s: 600 l2_bytes: 6291456 }
    sources {
      citation: "Guide"
      figures: ["compute_capability", "sm_count", "limits.warp_size",
        "limits.threads_per_block", "limits.threads_per_sm",
        "limits.blocks_per_sm", "limits.registers_per_block",
        "limits.registers_per_sm", "limits.registers_per_thread",
        "limits.register_allocation_unit", "limits.subpartitions_per_sm",
        "limits.shared_bytes_per_sm", "limits.shared_bytes_per_block",
        "limits.shared_bytes_reserved_per_block",
        "limits.shared_allocation_unit_bytes", "boost_clock_mhz"]
    }
    sources {
      citation: "Data sheet"
      figures: ["timer_quantum_ps", "memory.size_bytes",
        "memory.bandwidth_gb_per_s", "memory.l2_bytes"]
    })",
                                        &part);
  EXPECT_TRUE(parsed.ok()) << parsed;
  return part;
}

std::string Error(const pb::Part& part) {
  return std::string(ValidatePart(part).message());
}

TEST(ValidatePart, AcceptsAWholePart) { EXPECT_EQ(Error(Example()), ""); }

TEST(ValidatePart, RefusesANameThatFlagsCouldNotHold) {
  pb::Part part = Example();
  part.set_name("A10");
  EXPECT_THAT(Error(part), HasSubstr("part.name \"A10\" is not a name"));
}

TEST(ValidatePart, NamesAMissingFigureByItsPath) {
  pb::Part part = Example();
  part.mutable_limits()->clear_registers_per_sm();
  EXPECT_EQ(Error(part),
            "part.limits.registers_per_sm is 0; a number over 0 is needed");
  part.clear_limits();
  EXPECT_THAT(Error(part), HasSubstr("part.limits."));
}

TEST(ValidatePart, RefusesFiguresThatAreNotPossible) {
  pb::Part part = Example();
  part.set_boost_clock_mhz(-1695);
  EXPECT_THAT(Error(part), HasSubstr("part.boost_clock_mhz is -1695"));
  part.set_boost_clock_mhz(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(Error(part), HasSubstr("part.boost_clock_mhz is nan"));
  part = Example();
  part.mutable_limits()->set_threads_per_sm(1537);
  EXPECT_THAT(Error(part), HasSubstr("is 1537; a multiple of warp_size 32"));
  part = Example();
  part.mutable_limits()->set_shared_bytes_per_block(102401);
  EXPECT_THAT(Error(part),
              HasSubstr("102401; at most shared_bytes_per_sm 102400"));
}

TEST(ValidatePart, LetsTheTimerBeUnknown) {
  pb::Part part = Example();
  part.clear_timer_quantum_ps();
  part.mutable_sources(1)->mutable_figures()->DeleteSubrange(0, 1);
  EXPECT_EQ(Error(part), "");
}

TEST(ValidatePart, WantsExactlyOneSourceForEachFigure) {
  pb::Part part = Example();
  part.mutable_sources(1)->mutable_figures()->RemoveLast();
  EXPECT_THAT(Error(part),
              HasSubstr("part.memory.l2_bytes is named by 0 sources"));
  part = Example();
  part.mutable_sources(1)->add_figures("sm_count");
  EXPECT_THAT(Error(part), HasSubstr("part.sm_count is named by 2 sources"));
}

TEST(ValidatePart, RefusesASourceOfNothing) {
  pb::Part part = Example();
  part.mutable_sources(0)->add_figures("sm_cuont");
  EXPECT_THAT(Error(part),
              HasSubstr("\"sm_cuont\", which is no figure of a part "
                        "(did you mean sm_count?)"));
  part = Example();
  part.mutable_sources(0)->clear_citation();
  EXPECT_THAT(Error(part), HasSubstr("entry without citation"));
}

}  // namespace
}  // namespace tilebound
