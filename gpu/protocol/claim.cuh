// Who does the urgent work of an event: its U tiles are handed out by
// fetch-add, and the block that finishes the last of them completes the event.
// Thread 0 only.
#ifndef TILEBOUND_GPU_PROTOCOL_CLAIM_CUH_
#define TILEBOUND_GPU_PROTOCOL_CLAIM_CUH_

#include <cstdint>

#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

inline constexpr uint32_t kNoClaim = 0xFFFFFFFFu;

// The next urgent tile of the event, or kNoClaim.
__device__ __forceinline__ uint32_t ClaimTile(const KernelParams& params,
                                              uint32_t event) {
  const uint32_t tile = atomicAdd(&params.claim_next[event], 1u);
  return tile < params.urgent_tiles ? tile : kNoClaim;
}

// After a barrier behind the stores of an urgent tile's outputs: the fence
// makes the whole block's stores visible before the count (they happen before
// it through the barrier). Whoever counts to U stamps the end.
__device__ __forceinline__ void CompleteTile(const KernelParams& params,
                                             uint32_t event, bool host) {
  if (host) {
    __threadfence_system();
  } else {
    __threadfence();
  }
  if (atomicAdd(&params.done[event], 1u) + 1 != params.urgent_tiles) return;
  const uint64_t now = GlobalTimerNs();
  *static_cast<volatile uint64_t*>(params.end_ns + event) = now;
  if (host && params.host_end_ns != nullptr) {
    *static_cast<volatile uint64_t*>(params.host_end_ns + event) = now;
  }
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_CLAIM_CUH_
