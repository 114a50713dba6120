// What came of urgent kernels that the host launched, and the metrics of a cell
// from it. No device code and no CUDA: tested on planted events.
#ifndef TILEBOUND_GPU_SUITES_URGENT_LOG_H_
#define TILEBOUND_GPU_SUITES_URGENT_LOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "data/schema/surface.pb.h"
#include "gpu/harness/clock_map.h"

namespace tilebound::gpu {

// Times that involve the host's clock are kept in steps of 100 ns, a tenth of
// what the clocks' relation is known to.
inline constexpr uint64_t kHostQuantumPs = 100'000;

struct UrgentEvent {
  // On the host's clock: just before the launch call, and when the host saw
  // that every block had ended.
  uint64_t host_launch_ns = 0;
  uint64_t host_done_ns = 0;
  // On the device's timer: first block's start, last block's end.
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  bool corrupt = false;
};

struct UrgentLog {
  std::vector<UrgentEvent> events = {};
  ClockMap clocks = {};
  // Of the SMs, in the last background launch.
  double clock_mhz = 0;
};

// wait, e2e, corrupt and anomalies of the events after the first `warmup`. An
// event whose end precedes its launch by more than the clocks' error is an
// anomaly and in no distribution.
std::vector<pb::Metric> UrgentMetrics(const UrgentLog& log, uint64_t warmup);

// "clocks of host and device related to +- 812 ns (drift 1.3 ppm)".
std::string ClockNote(const ClockMap& clocks);

// backlog_slope and backlog_correlation: each event's wait against the number
// of background tasks that were `queued` at its launch; events as above.
std::vector<pb::Metric> BacklogMetrics(const UrgentLog& log,
                                       const std::vector<double>& queued,
                                       uint64_t warmup);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_URGENT_LOG_H_
