// The device's side of relating clocks. Plain types only: read by nvcc and by
// the host compiler.
#ifndef TILEBOUND_GPU_HARNESS_CLOCK_KERNELS_H_
#define TILEBOUND_GPU_HARNESS_CLOCK_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/harness/clock_sample.h"

namespace tilebound::gpu {

// One thread reads `word` (mapped host memory, see host_beacon.h) `count` times
// and writes a sample each. `samples` may be mapped host memory.
cudaError_t LaunchSampleClocks(const uint64_t* word, ClockSample* samples,
                               uint32_t count, cudaStream_t stream);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_CLOCK_KERNELS_H_
