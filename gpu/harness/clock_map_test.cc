#include "gpu/harness/clock_map.h"

#include <cmath>
#include <cstdlib>

#include "gmock/gmock.h"
#include "gpu/harness/operand_value.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kTick = 32;
constexpr uint64_t kSlack = 100;

// Two clocks whose relation is known: the device's counts from 1970, is
// floored to its tick and drifts; the host's counts from boot.
class Planted {
 public:
  explicit Planted(double ppm) : rate_(1 + ppm * 1e-6) {}

  // Of a moment `ns` after the beginning.
  uint64_t Device(double ns) const {
    const uint64_t exact =
        kDeviceStart + static_cast<uint64_t>(std::llround(ns * rate_));
    return exact / kTick * kTick;
  }
  uint64_t Host(double ns) const {
    return kHostStart + static_cast<uint64_t>(std::llround(ns));
  }

  // A read that takes `width` ns, at a random moment of which the host's word,
  // written up to kSlack earlier, is seen.
  ClockSample Sample(double begin, double width, uint64_t seed) const {
    const double at = begin + width * (MixedBits(seed, 0) % 1000) / 1000.0;
    const double age = kSlack * (MixedBits(seed, 1) % 1000) / 1000.0;
    return {.device_before_ns = Device(begin),
            .host_ns = Host(at - age),
            .device_after_ns = Device(begin + width)};
  }

 private:
  static constexpr uint64_t kDeviceStart = 1'790'000'000'000'000'000u;
  static constexpr uint64_t kHostStart = 5'000'000'000'000u;
  const double rate_;
};

std::vector<ClockSample> Samples(const Planted& planted, double until) {
  std::vector<ClockSample> samples;
  for (int i = 0; i * 200'000.0 < until; ++i) {
    // Most reads are slow: the machine is loaded.
    const double width = i % 7 == 0 ? 1500 : 1500 + MixedBits(3, i) % 30'000;
    samples.push_back(planted.Sample(i * 200'000.0, width, i));
  }
  return samples;
}

TEST(ClockMap, RecoversAPlantedRelationWithinItsOwnBound) {
  for (const double ppm : {0.0, 25.0, -80.0}) {
    const Planted planted(ppm);
    const auto map = ClockMap::Fit(Samples(planted, 1e9), kTick, kSlack);
    ASSERT_TRUE(map.ok()) << map.status();
    EXPECT_LE(map->error_ns(), 1500)
        << "the narrow brackets are used, half of which is 832";
    EXPECT_NEAR(map->drift_ppm(), ppm, 2);
    for (double at = 1e6; at < 0.98e9; at += 777'777) {
      const auto off = static_cast<int64_t>(map->ToHostNs(planted.Device(at)) -
                                            planted.Host(at));
      ASSERT_LE(std::abs(off), map->error_ns() + kTick) << at;
    }
  }
}

TEST(ClockMap, TranslatesBackToWhereItCameFrom) {
  const Planted planted(40);
  const auto map = ClockMap::Fit(Samples(planted, 1e9), kTick, kSlack);
  for (double at = 1e6; at < 0.98e9; at += 7'777'777) {
    const uint64_t device = planted.Device(at);
    EXPECT_NEAR(map->ToDeviceNs(map->ToHostNs(device)) - device, 0, 1);
  }
}

TEST(ClockMap, SaysHowCoarseItIs) {
  const Planted planted(0);
  const auto map = ClockMap::Fit(
      {planted.Sample(0, 50'000, 1), planted.Sample(1e9, 50'000, 2)}, kTick,
      kSlack);
  EXPECT_NEAR(map->error_ns(), 25'000, 200);
}

// The host's clock is put forward by 40 us in the middle of a window: the line
// cannot follow, and says so.
TEST(ClockMap, AStepOfAClockWidensTheBound) {
  const Planted planted(0);
  std::vector<ClockSample> samples = Samples(planted, 1e9);
  const double before = ClockMap::Fit(samples, kTick, kSlack)->error_ns();
  for (ClockSample& sample : samples) {
    if (sample.device_before_ns > planted.Device(505e6))
      sample.host_ns += 40'000;
  }
  const double after = ClockMap::Fit(samples, kTick, kSlack)->error_ns();
  EXPECT_LT(before, 1'000);
  EXPECT_GT(after, 15'000) << "half of the step at least, less a bracket";
  EXPECT_LT(after, 45'000);
}

TEST(ClockMap, RefusesTooLittleAndABackwardTimer) {
  const Planted planted(0);
  EXPECT_FALSE(ClockMap::Fit({planted.Sample(0, 1500, 1)}, kTick, kSlack).ok());
  ClockSample backward = planted.Sample(1e6, 1500, 1);
  std::swap(backward.device_before_ns, backward.device_after_ns);
  EXPECT_THAT(
      ClockMap::Fit({planted.Sample(0, 1500, 1), backward}, kTick, kSlack)
          .status()
          .message(),
      HasSubstr("backwards"));
}

}  // namespace
}  // namespace tilebound::gpu
