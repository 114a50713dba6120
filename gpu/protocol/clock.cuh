// The two clocks of a device. %globaltimer is one clock for all SMs, in
// nanoseconds, but moves in ticks (32 ns to 1 us, by part); clock64() counts
// cycles of one SM.
#ifndef TILEBOUND_GPU_PROTOCOL_CLOCK_CUH_
#define TILEBOUND_GPU_PROTOCOL_CLOCK_CUH_

#include <cstdint>

namespace tilebound::gpu {

__device__ __forceinline__ uint64_t GlobalTimerNs() {
  uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

__device__ __forceinline__ uint32_t SmId() {
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_CLOCK_CUH_
