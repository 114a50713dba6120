#include "gpu/harness/nvml.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string FakeLibrary() {
  return std::string(std::getenv("TEST_SRCDIR")) + "/" +
         std::getenv("TEST_WORKSPACE") + "/gpu/harness/libfake_nvml.so";
}

TEST(ReadClockReport, ReadsWhatTheLibrarySays) {
  const ClockReport report = ReadClockReport("0000:01:00.0", FakeLibrary());
  EXPECT_EQ(report.error, "");
  EXPECT_EQ(report.driver, "550.54.15");
  EXPECT_EQ(report.sm_mhz, 1200u);
  EXPECT_EQ(report.max_sm_mhz, 1695u);
  EXPECT_DOUBLE_EQ(report.power_watts, 149.5);
  EXPECT_EQ(ThrottleNames(report.reasons), "application clocks set, power cap");
}

TEST(ReadClockReport, LeavesOutWhatThisDriverDoesNotTell) {
  const ClockReport report = ReadClockReport("0000:01:00.0", FakeLibrary());
  EXPECT_EQ(report.temperature_celsius, 0u);
  EXPECT_EQ(report.uuid, "");
}

TEST(ReadClockReport, SaysWhatIsMissing) {
  EXPECT_EQ(ReadClockReport("0000:01:00.0", "libno_such.so").error,
            "libno_such.so: not found");
  EXPECT_THAT(ReadClockReport("0000:02:00.0", FakeLibrary()).error,
              HasSubstr("no device at 0000:02:00.0"));
}

TEST(ThrottleNames, NamesUnknownBitsToo) {
  EXPECT_EQ(ThrottleNames(0), "nothing");
  EXPECT_EQ(ThrottleNames(0x80000000), "bit 31");
}

TEST(DescribeClockHold, NeverCallsAClockLockedThatNobodyCanSee) {
  ClockReport idle = {.sm_mhz = 345, .max_sm_mhz = 1980, .reasons = 0x1};
  ClockReport busy = {.sm_mhz = 1965, .max_sm_mhz = 1980, .reasons = 0x4};
  EXPECT_EQ(DescribeClockHold(idle, busy, 1961.4),
            "unlocked (345 to 1965 of 1980 MHz by NVML, 1961 MHz in the "
            "kernel, held down by idle, power cap)");
  busy.reasons = 0x2;
  EXPECT_THAT(DescribeClockHold(idle, busy, 1200),
              StartsWith("application clocks set ("));
  EXPECT_EQ(
      DescribeClockHold({.error = "libnvidia-ml.so.1: not found"}, busy, 1200),
      "not known (libnvidia-ml.so.1: not found), 1200 MHz in the "
      "kernel");
}

}  // namespace
}  // namespace tilebound::gpu
