// Faults for the code guard to find: one kernel each, named after its fault.
#include <cstdint>

#include "gpu/kernels/variant.h"
#include "gpu/protocol/recorder.cuh"

namespace tilebound::gpu {

// Holds 64 values from one barrier to the next.
__device__ void Hold(float* data) {
  float values[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) values[i] = data[i * 1024 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) sum = values[i] * sum + values[63 - i];
#pragma unroll
  for (int i = 0; i < 64; ++i) data[i * 1024 + threadIdx.x] = values[i] * sum;
}

// In 40 registers, which is what six blocks of 256 leave.
__global__ void __launch_bounds__(256, 6) PlantedSpill(float* data) {
  Hold(data);
}

// A plan of 32 registers that sm_86 gives up, having room for 1536 threads.
__global__ void __launch_bounds__(1024, 2) PlantedTooMany(float* data) {
  Hold(data);
}

__global__ void PlantedNoPlan(float* data) { data[threadIdx.x] *= 2; }

__global__ void __launch_bounds__(256, 4) PlantedCluster(float* data) {
  data[threadIdx.x] *= 2;
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;");
  asm volatile("barrier.cluster.wait.aligned;");
#endif
  data[threadIdx.x] += 2;
}

// Code that only a build with the recorder has, though none is on.
__global__ void __launch_bounds__(256, 4) PlantedLeak(float* data) {
  data[threadIdx.x] *= 2;
#ifdef TILEBOUND_RECORDER_HD
  data[threadIdx.x + 256] *= 3;
#endif
}

// A look that should ride on a barrier, and has brought one of its own.
template <TileKind, LookSite, Control>
__global__ void __launch_bounds__(256, 4)
    PlantedBarrier(const float* in, float* out, int chunks, int* flag) {
  __shared__ float buffer[256];
  float sums[16] = {};
  for (int chunk = 0; chunk < chunks; ++chunk) {
    buffer[threadIdx.x] = in[chunk * 256 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) sums[i] += buffer[i] * buffer[i + 1];
    __syncthreads();
    if (__syncthreads_or(*flag)) break;
  }
  for (int i = 0; i < 16; ++i) out[i * 256 + threadIdx.x] = sums[i];
}
template __global__ void PlantedBarrier<TileKind::kSgemm64, LookSite::kFolded,
                                        Control::kPolling>(const float*, float*,
                                                           int, int*);

}  // namespace tilebound::gpu
