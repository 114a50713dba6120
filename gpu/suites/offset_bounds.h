// Bounds on the offset between two clocks (host less device) from pairs of
// moments whose order is known.
//
//   OffsetBounds bounds;
//   bounds.NotBefore(host_write_ns, device_seen_ns);
//   bounds.NotAfter(host_seen_ns, device_end_ns);
//   bounds.consistent(); bounds.ToDeviceNs(host_ns); bounds.error_ns();
#ifndef TILEBOUND_GPU_SUITES_OFFSET_BOUNDS_H_
#define TILEBOUND_GPU_SUITES_OFFSET_BOUNDS_H_

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tilebound::gpu {

class OffsetBounds {
 public:
  // The device's moment came after the host's.
  void NotBefore(uint64_t host_ns, uint64_t device_ns) {
    low_ = std::max(low_, static_cast<int64_t>(host_ns - device_ns));
  }
  // The device's moment came before the host's.
  void NotAfter(uint64_t host_ns, uint64_t device_ns) {
    high_ = std::min(high_, static_cast<int64_t>(host_ns - device_ns));
  }

  // Both sides bounded, and not against one another.
  bool consistent() const {
    return low_ != kNone && high_ != kEndless && low_ <= high_;
  }
  // Needs consistent(): by the middle of the bounds, and half their distance.
  uint64_t ToDeviceNs(uint64_t host_ns) const {
    return host_ns - static_cast<uint64_t>(low_ + (high_ - low_) / 2);
  }
  double error_ns() const { return static_cast<double>(high_ - low_) / 2; }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();
  int64_t low_ = kNone;
  int64_t high_ = kEndless;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_OFFSET_BOUNDS_H_
