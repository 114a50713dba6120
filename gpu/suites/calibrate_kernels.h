// Two small costs, measured by themselves. Plain types only: read by nvcc and
// by the host compiler.
#ifndef TILEBOUND_GPU_SUITES_CALIBRATE_KERNELS_H_
#define TILEBOUND_GPU_SUITES_CALIBRATE_KERNELS_H_

#include <string>

namespace tilebound::gpu {

struct SmallCosts {
  // Empty if all went well.
  std::string error;
  // One relaxed device-scope load that the next one waits for.
  double flag_round_trip_us = 0;
  // One barrier of a block of 256 threads that has the SM to itself.
  double barrier_us = 0;
};

SmallCosts MeasureSmallCosts();

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_CALIBRATE_KERNELS_H_
