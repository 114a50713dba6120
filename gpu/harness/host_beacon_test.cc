#include "gpu/harness/host_beacon.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

TEST(WrittenTimes, AreFreshWhereTheyFollowInTime) {
  WrittenTimes written(100);
  for (uint64_t now = 1000; now <= 2000; now += 50) {
    EXPECT_TRUE(written.Write(now));
  }
  for (uint64_t now = 1000; now <= 1900; now += 50) {
    EXPECT_TRUE(written.Fresh(now)) << now;
  }
}

// The system takes the thread away at 1100: before that time was written, and
// 1050 stood too long, or after, and 1100 did.
TEST(WrittenTimes, AreStaleAroundAPause) {
  WrittenTimes written(100);
  for (uint64_t now : {1000u, 1050u, 1100u}) written.Write(now);
  EXPECT_FALSE(written.Write(900'000));
  for (uint64_t now : {900'050u, 900'100u, 900'150u, 900'200u}) {
    EXPECT_TRUE(written.Write(now));
  }
  EXPECT_TRUE(written.Fresh(1000));
  EXPECT_FALSE(written.Fresh(1050));
  EXPECT_FALSE(written.Fresh(1100));
  EXPECT_TRUE(written.Fresh(900'100));
}

// The host plays the device: it reads the word between two readings of the very
// clock that the word shows.
TEST(HostBeacon, FreshSamplesAreNoOlderThanTheyClaim) {
  volatile uint64_t word = 0;
  HostBeacon beacon(&word);
  std::vector<ClockSample> samples;
  // However long it takes the other thread to get a core.
  for (int i = 0;
       i < 50'000 || samples.back().host_ns == samples.front().host_ns; ++i) {
    const uint64_t before = HostNowNs();
    const uint64_t host = word;
    samples.push_back({.device_before_ns = before,
                       .host_ns = host,
                       .device_after_ns = HostNowNs()});
  }
  // On a machine with fewer free cores than two, none may be left; and one in a
  // hundred may be of a thread that lost its core between reading the clock and
  // writing it, which nothing in the samples shows.
  const std::vector<ClockSample> fresh = beacon.Fresh(samples);
  size_t older = 0;
  for (const ClockSample& sample : fresh) {
    ASSERT_LE(sample.host_ns, sample.device_after_ns);
    older += sample.host_ns + beacon.slack_ns() < sample.device_before_ns;
  }
  EXPECT_LE(100 * older, fresh.size());
}

}  // namespace
}  // namespace tilebound::gpu
