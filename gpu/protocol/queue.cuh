// The background queue: tickets by fetch-add on one 64-bit counter, so that
// every task goes to exactly one block. Thread 0 only.
#ifndef TILEBOUND_GPU_PROTOCOL_QUEUE_CUH_
#define TILEBOUND_GPU_PROTOCOL_QUEUE_CUH_

#include <cstdint>

#include "gpu/protocol/params.h"

namespace tilebound::gpu {

__device__ __forceinline__ uint64_t PopTicket(uint64_t* counter) {
  return atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ull);
}

// Ends the run: whoever comes first notes how many tasks had been handed out.
__device__ inline void StopQueue(SharedState* state) {
  const uint64_t drawn =
      atomicMax(reinterpret_cast<unsigned long long*>(&state->ticket.value),
                static_cast<unsigned long long>(kStopTicket));
  if (drawn < kStopTicket) state->stopped_at.value = drawn;
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_QUEUE_CUH_
