// The relation between the device's timer and the host's clock, with a bound on
// its error: when, on the host's clock, did that happen on the device?
//
// Each sample brackets one moment: it lay between two readings of the device's
// timer, and not earlier than a time that the host had written, nor later than
// that by more than `host_slack_ns`. See host_beacon.h for where they come
// from. Samples are taken under the load of the measurement, and around the
// moments that are to be translated: a relation found on an idle GPU has been
// 10 us off under load in the published study.
//
//   TILEBOUND_ASSIGN_OR_RETURN(const ClockMap map, ClockMap::Fit(samples));
//   map.ToHostNs(device_ns)     // +- map.error_ns()
#ifndef TILEBOUND_GPU_HARNESS_CLOCK_MAP_H_
#define TILEBOUND_GPU_HARNESS_CLOCK_MAP_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/harness/clock_sample.h"

namespace tilebound::gpu {

class ClockMap {
 public:
  // A piecewise straight line through the best samples (narrowest brackets) of
  // each stretch of `window_ns`. `tick_ns` is the step of the device's timer,
  // `host_slack_ns` how old the host's time may have been when it was read.
  // Errors: fewer than two samples, a bracket that ends before it begins.
  static absl::StatusOr<ClockMap> Fit(std::vector<ClockSample> samples,
                                      uint64_t tick_ns, uint64_t host_slack_ns,
                                      uint64_t window_ns = 10'000'000);

  // Needs nothing; outside the samples the nearest piece is prolonged, and the
  // bound does not hold.
  uint64_t ToHostNs(uint64_t device_ns) const;
  uint64_t ToDeviceNs(uint64_t host_ns) const;

  // The largest half of a bracket that the line was laid through, or, if that
  // is more, how far outside of any other bracket it runs (only a clock that
  // stepped can do that): while both clocks run straight between two such
  // samples, no translated time is further off.
  double error_ns() const { return error_ns_; }
  // Rate of the device's timer less the host's, in parts per million, over all
  // samples.
  double drift_ppm() const { return drift_ppm_; }

 private:
  // The host's time at one moment of the device.
  struct Knot {
    uint64_t device_ns;
    // Host less device less base_, and half of the bracket.
    double offset_ns;
    double half_ns;
  };
  Knot KnotOf(const ClockSample& sample, uint64_t tick_ns,
              uint64_t host_slack_ns) const;
  double OffsetAt(uint64_t device_ns) const;

  // Host less device at the first sample, modulo 2^64: nanoseconds since 1970
  // are too many for a double to keep the last hundred of them.
  uint64_t base_ = 0;
  std::vector<Knot> knots_;
  double error_ns_ = 0;
  double drift_ppm_ = 0;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_CLOCK_MAP_H_
