#include "gpu/harness/host_beacon.h"

#include <cstdlib>

#include "gpu/harness/clock_map.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// The host plays the device: it reads the word between two readings of a
// clock, which here is the very clock that the word shows, so the relation is
// known to be none.
TEST(HostBeacon, FreshSamplesAreNoOlderThanTheyClaim) {
  volatile uint64_t word = 0;
  HostBeacon beacon(&word);
  std::vector<ClockSample> samples;
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t before = HostNowNs();
    const uint64_t host = word;
    samples.push_back({.device_before_ns = before,
                       .host_ns = host,
                       .device_after_ns = HostNowNs()});
  }
  const std::vector<ClockSample> fresh = beacon.Fresh(samples);
  EXPECT_GT(fresh.size(), 0u);
  for (const ClockSample& sample : fresh) {
    ASSERT_LE(sample.host_ns, sample.device_after_ns);
    ASSERT_GE(sample.host_ns + beacon.slack_ns(), sample.device_before_ns);
  }
  const auto map = ClockMap::Fit(fresh, 1, beacon.slack_ns());
  ASSERT_TRUE(map.ok()) << map.status();
  const uint64_t now = samples[samples.size() / 2].device_before_ns;
  EXPECT_LE(std::abs(static_cast<int64_t>(map->ToHostNs(now) - now)),
            map->error_ns());
}

}  // namespace
}  // namespace tilebound::gpu
