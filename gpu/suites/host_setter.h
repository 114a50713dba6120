// Events that the host sets, as real requests arrive: by a store to mapped
// memory that the blocks read over the bus (variant mapped_flag), or by a
// write queued on a stream into device memory (variant default).
//
// The times of a set and of its observations are on two clocks. They are
// related under the load of the run by the events themselves: the first
// observation cannot be earlier than the host's write, and the host cannot see
// the end before it is. Each stretch of 250 events bounds the offset from both
// sides; half of the gap between the bounds is the error.
#ifndef TILEBOUND_GPU_SUITES_HOST_SETTER_H_
#define TILEBOUND_GPU_SUITES_HOST_SETTER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/suites/offset_bounds.h"

namespace tilebound::gpu {

struct HostSetRun {
  // With set_ns on the device's clock.
  RunLog log;
  // Largest error of those times.
  double clock_error_us = 0;
};

// `request` has the gaps, which the host waits, and mapped_flag; its plan is an
// instantiation for the host setter. Errors: CUDA's, an event that is not over
// after a second, clocks that cannot be related.
absl::StatusOr<HostSetRun> RunHostSetter(const Workload& work,
                                         const RunRequest& request);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_HOST_SETTER_H_
