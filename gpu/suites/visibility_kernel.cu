#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/flag.cuh"
#include "gpu/suites/visibility_kernel.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kThreads = 256;
// All warps but the first.
constexpr uint32_t kStreamers = kThreads - 32;
// Loads in flight of each streaming thread.
constexpr uint32_t kUnroll = 8;
static_assert(kVisibilityStep == kUnroll * kStreamers);
// Given by the setter when the deadline has come.
constexpr uint32_t kStop = ~0u;

__device__ uint32_t* Flag(const VisibilityParams& params) {
  return reinterpret_cast<uint32_t*>(&params.state->flag.value);
}

__device__ uint32_t LoadCount(const uint32_t* count) {
  return *static_cast<const volatile uint32_t*>(count);
}

// Thread 0 of block 0.
__device__ void SetAll(const VisibilityParams& params) {
  const uint64_t deadline = GlobalTimerNs() + params.deadline_ns;
  const uint32_t others = gridDim.x - 1;
  const auto* ready =
      reinterpret_cast<const uint32_t*>(&params.state->ready.value);
  const auto waits = [&](const uint32_t* count) {
    while (LoadCount(count) < others) {
      if (GlobalTimerNs() > deadline) return false;
    }
    return true;
  };
  bool in_time = waits(ready);
  uint64_t next = GlobalTimerNs();
  for (uint32_t event = 0; in_time && event < params.events; ++event) {
    next += params.gap_ns[event];
    uint64_t now;
    while ((now = GlobalTimerNs()) < next) {
    }
    params.set_ns[event] = now;
    StoreFlag(Flag(params), event + 1);
    in_time = waits(params.done + event);
    next = GlobalTimerNs();
  }
  if (!in_time) {
    params.state->expired.value = 1;
    StoreFlag(Flag(params), kStop);
  }
}

// Thread 0 of every other block.
__device__ void LookAtAll(const VisibilityParams& params) {
  atomicAdd(reinterpret_cast<uint32_t*>(&params.state->ready.value), 1u);
  uint32_t seen = 0;
  while (seen < params.events) {
    const uint32_t generation = LoadFlag<false>(Flag(params));
    if (generation == seen) continue;
    if (generation == kStop) return;
    const uint64_t now = GlobalTimerNs();
    // One at a time: the setter waits for all blocks.
    params.seen_ns[uint64_t{seen} * gridDim.x + blockIdx.x] = now;
    atomicAdd(params.done + seen, 1u);
    seen = generation;
  }
}

// Every warp but the first reads on through its block's part of the memory
// until the block is told to stop. Parts, because blocks on one way through all
// of it catch up with one another, and whoever follows finds in the L2 what
// whoever leads has read.
__device__ void Stream(const VisibilityParams& params) {
  const uint64_t part =
      params.words / gridDim.x / kVisibilityStep * kVisibilityStep;
  const uint4* const mine =
      params.memory + blockIdx.x * part + threadIdx.x - warpSize;
  uint64_t at = 0;
  uint4 sum = {};
  uint64_t rounds = 0;
  while (LoadCount(params.stopped + blockIdx.x) == 0) {
    uint4 loaded[kUnroll];
#pragma unroll
    for (uint32_t i = 0; i < kUnroll; ++i) {
      loaded[i] = __ldcg(mine + at + i * kStreamers);
    }
    at = at + kVisibilityStep < part ? at + kVisibilityStep : 0;
#pragma unroll
    for (uint32_t i = 0; i < kUnroll; ++i) {
      sum.x ^= loaded[i].x;
      sum.y ^= loaded[i].y;
      sum.z ^= loaded[i].z;
      sum.w ^= loaded[i].w;
    }
    ++rounds;
  }
  // Keeps the loads; hardly ever stores.
  if ((sum.x & sum.y & sum.z & sum.w) == ~0u) *params.sink = sum;
  atomicAdd(
      reinterpret_cast<unsigned long long*>(&params.state->streamed.value),
      static_cast<unsigned long long>(rounds * kUnroll * sizeof(uint4)));
}

__global__ void __launch_bounds__(kThreads, 4)
    Visibility(const __grid_constant__ VisibilityParams params) {
  // No barrier: the warps go their own ways.
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      SetAll(params);
    } else {
      LookAtAll(params);
    }
    *static_cast<volatile uint32_t*>(params.stopped + blockIdx.x) = 1;
  } else if (threadIdx.x >= warpSize && params.words != 0) {
    Stream(params);
  }
}

}  // namespace

cudaError_t VisibilityBlocksPerSm(int* blocks_per_sm) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks_per_sm, Visibility, kThreads, /*dynamicSMemSize=*/0);
}

cudaError_t LaunchVisibility(const VisibilityParams& params, uint32_t blocks,
                             cudaStream_t stream) {
  Visibility<<<blocks, kThreads, 0, stream>>>(params);
  return cudaGetLastError();
}

}  // namespace tilebound::gpu
