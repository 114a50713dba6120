#include "gpu/harness/clock_kernels.h"
#include "gpu/protocol/clock.cuh"

namespace tilebound::gpu {
namespace {

__global__ void SampleClocks(const volatile uint64_t* word,
                             ClockSample* samples, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    ClockSample sample;
    sample.device_before_ns = GlobalTimerNs();
    sample.host_ns = *word;
    // The branch makes the second reading wait for the load.
    if (sample.host_ns == 0) return;
    sample.device_after_ns = GlobalTimerNs();
    samples[i] = sample;
  }
}

}  // namespace

cudaError_t LaunchSampleClocks(const uint64_t* word, ClockSample* samples,
                               uint32_t count, cudaStream_t stream) {
  SampleClocks<<<1, 1, 0, stream>>>(word, samples, count);
  return cudaGetLastError();
}

}  // namespace tilebound::gpu
