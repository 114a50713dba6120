#include <cuda_runtime.h>

#include <cstdint>

#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/flag.cuh"
#include "gpu/suites/calibrate_kernels.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kLoads = 4096;
constexpr uint32_t kBarriers = 65536;

struct Times {
  uint64_t loads_ns;
  uint64_t barriers_ns;
};

__global__ void LoadChain(const uint32_t* flag, Times* times) {
  const uint64_t start = GlobalTimerNs();
  uint32_t index = 0;
  // The flag is 0: each load's address waits for the load before.
  for (uint32_t i = 0; i < kLoads; ++i) index = LoadFlag<false>(flag + index);
  times->loads_ns = GlobalTimerNs() - start + index;
}

__global__ void __launch_bounds__(256) BarrierChain(Times* times) {
  const uint64_t start = GlobalTimerNs();
  for (uint32_t i = 0; i < kBarriers; ++i) __syncthreads();
  if (threadIdx.x == 0) times->barriers_ns = GlobalTimerNs() - start;
}

cudaError_t Measure(uint32_t* flag, Times* times, Times& result) {
  cudaError_t error = cudaMemset(flag, 0, sizeof(*flag));
  // The second time counts: the first one compiles and warms up.
  for (int pass = 0; pass < 2 && error == cudaSuccess; ++pass) {
    LoadChain<<<1, 1>>>(flag, times);
    BarrierChain<<<1, 256>>>(times);
    error = cudaGetLastError();
    if (error == cudaSuccess) {
      error =
          cudaMemcpy(&result, times, sizeof(result), cudaMemcpyDeviceToHost);
    }
  }
  return error;
}

}  // namespace

SmallCosts MeasureSmallCosts() {
  SmallCosts costs;
  uint32_t* flag = nullptr;
  Times* times = nullptr;
  Times result = {};
  cudaError_t error = cudaMalloc(&flag, sizeof(*flag));
  if (error == cudaSuccess) error = cudaMalloc(&times, sizeof(*times));
  if (error == cudaSuccess) error = Measure(flag, times, result);
  cudaFree(flag);
  cudaFree(times);
  if (error != cudaSuccess) {
    costs.error = cudaGetErrorString(error);
    return costs;
  }
  costs.flag_round_trip_us =
      static_cast<double>(result.loads_ns) / kLoads / 1e3;
  costs.barrier_us = static_cast<double>(result.barriers_ns) / kBarriers / 1e3;
  return costs;
}

}  // namespace tilebound::gpu
