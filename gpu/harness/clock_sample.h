// A moment that two clocks saw. Plain types only: a kernel writes it.
#ifndef TILEBOUND_GPU_HARNESS_CLOCK_SAMPLE_H_
#define TILEBOUND_GPU_HARNESS_CLOCK_SAMPLE_H_

#include <cstdint>

namespace tilebound::gpu {

// The device read a time of the host between two readings of its own timer.
struct ClockSample {
  uint64_t device_before_ns;
  uint64_t host_ns;
  uint64_t device_after_ns;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_CLOCK_SAMPLE_H_
