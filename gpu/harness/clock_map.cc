#include "gpu/harness/clock_map.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace tilebound::gpu {
namespace {

// Differences of two clocks' readings, as signed numbers: the clocks may have
// started years apart, in either order.
double Less(uint64_t a, uint64_t b) {
  return static_cast<double>(static_cast<int64_t>(a - b));
}

}  // namespace

absl::StatusOr<ClockMap> ClockMap::Fit(std::vector<ClockSample> samples,
                                       uint64_t tick_ns, uint64_t host_slack_ns,
                                       uint64_t window_ns) {
  if (samples.size() < 2 || window_ns == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(samples.size(), " clock samples in windows of ", window_ns,
                     " ns; at least 2 samples and a window are needed"));
  }
  for (const ClockSample& sample : samples) {
    if (sample.device_after_ns < sample.device_before_ns) {
      return absl::InvalidArgumentError(absl::StrCat(
          "clock sample from ", sample.device_before_ns, " to ",
          sample.device_after_ns, " ns: the device's timer ran backwards"));
    }
  }
  std::sort(samples.begin(), samples.end(),
            [](const ClockSample& a, const ClockSample& b) {
              return a.device_before_ns < b.device_before_ns;
            });
  ClockMap map;
  map.base_ = samples.front().host_ns - samples.front().device_before_ns;
  std::vector<Knot> all;
  for (const ClockSample& sample : samples) {
    all.push_back(map.KnotOf(sample, tick_ns, host_slack_ns));
  }
  uint64_t window = 0;
  for (const Knot& knot : all) {
    const uint64_t at = (knot.device_ns - all.front().device_ns) / window_ns;
    if (map.knots_.empty() || at != window) {
      map.knots_.push_back(knot);
    } else if (knot.half_ns < map.knots_.back().half_ns) {
      map.knots_.back() = knot;
    }
    window = at;
  }
  double half_ns = 0, outside_ns = 0;
  for (const Knot& knot : map.knots_) {
    half_ns = std::max(half_ns, knot.half_ns);
  }
  // The truth runs through every bracket, and the line within half_ns of the
  // truth: where it passes a bracket by more than that, a clock stepped.
  for (const Knot& knot : all) {
    outside_ns = std::max(
        outside_ns,
        std::abs(map.OffsetAt(knot.device_ns) - knot.offset_ns) - knot.half_ns);
  }
  map.error_ns_ = std::max(half_ns, outside_ns);
  const Knot& first = map.knots_.front();
  const Knot& last = map.knots_.back();
  if (last.device_ns > first.device_ns) {
    map.drift_ppm_ = -(last.offset_ns - first.offset_ns) /
                     Less(last.device_ns, first.device_ns) * 1e6;
  }
  return map;
}

ClockMap::Knot ClockMap::KnotOf(const ClockSample& sample, uint64_t tick_ns,
                                uint64_t host_slack_ns) const {
  // The moment of the read lies in [before, after + tick) on the device and in
  // [host, host + slack) on the host, so host less device lies in
  // [host - after - tick, host + slack - before).
  const uint64_t host = sample.host_ns - base_;
  const double low = Less(host, sample.device_after_ns + tick_ns);
  const double high = Less(host + host_slack_ns, sample.device_before_ns);
  return {.device_ns = sample.device_before_ns +
                       (sample.device_after_ns - sample.device_before_ns) / 2,
          .offset_ns = (low + high) / 2,
          .half_ns = (high - low) / 2};
}

double ClockMap::OffsetAt(uint64_t device_ns) const {
  if (knots_.size() == 1) return knots_.front().offset_ns;
  auto right = std::lower_bound(
      knots_.begin() + 1, knots_.end() - 1, device_ns,
      [](const Knot& knot, uint64_t at) { return knot.device_ns < at; });
  const Knot& a = *(right - 1);
  const Knot& b = *right;
  const double share =
      b.device_ns == a.device_ns
          ? 0
          : Less(device_ns, a.device_ns) / Less(b.device_ns, a.device_ns);
  return a.offset_ns + share * (b.offset_ns - a.offset_ns);
}

uint64_t ClockMap::ToHostNs(uint64_t device_ns) const {
  return device_ns + base_ +
         static_cast<uint64_t>(std::llround(OffsetAt(device_ns)));
}

uint64_t ClockMap::ToDeviceNs(uint64_t host_ns) const {
  // Offsets change by parts per million, so the second step is exact.
  uint64_t device_ns = host_ns - base_;
  for (int step = 0; step < 2; ++step) {
    device_ns = host_ns - base_ -
                static_cast<uint64_t>(std::llround(OffsetAt(device_ns)));
  }
  return device_ns;
}

}  // namespace tilebound::gpu
