// The persistent kernel: pop a task, look, run its tile, until the queue ends.
// Everything that could change the loop's machine code is a template argument.
#ifndef TILEBOUND_GPU_KERNELS_PERSISTENT_CUH_
#define TILEBOUND_GPU_KERNELS_PERSISTENT_CUH_

#include <cstdint>

#include "gpu/kernels/launch_table.h"
#include "gpu/kernels/variant.h"
#include "gpu/protocol/checkpoint.cuh"
#include "gpu/protocol/copy.cuh"
#include "gpu/protocol/message.cuh"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

// Thread 0, once, as the block starts and before it ends.
__device__ inline void NoteStart(const KernelParams& params) {
  BlockInfo* info = params.blocks + blockIdx.x;
  info->sm = SmId();
  info->slot = atomicAdd(&params.state->arrivals[info->sm], 1u);
  info->start_ns = GlobalTimerNs();
  info->start_cycle = clock64();
}
__device__ inline void NoteEnd(const KernelParams& params) {
  BlockInfo* info = params.blocks + blockIdx.x;
  info->end_cycle = clock64();
  info->end_ns = GlobalTimerNs();
}

// A background tile is done: an addition that nothing waits for.
__device__ inline void CountTile(const KernelParams& params) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], 1;" ::"l"(
      &params.blocks[blockIdx.x].tiles));
}

// Bytes of dynamic shared memory: the tile's buffers, then the message.
template <typename Tile>
constexpr uint32_t SharedBytes() {
  return sizeof(typename Tile::Shared) + sizeof(Message);
}

// The urgent tiles that this block gets of one event, the first of which it
// has. `groups`: copy groups in flight; `in_tile`: a tile was given up.
template <typename Tile, typename Variant>
__device__ __forceinline__ void RunUrgent(const KernelParams& params,
                                          typename Tile::Shared& shared,
                                          Checkpoint<Variant>& sites) {
  using Sites = Checkpoint<Variant>;
  constexpr KernelVariant kVariant = Variant::kValue;
  constexpr bool kAny = kVariant.discipline == CopyDiscipline::kAny;
  const bool poison = kAny && params.discipline == kRunPoison;
  if constexpr (Sites::kInTile && Tile::kCopiesInFlight) {
    const bool naive = kVariant.discipline == CopyDiscipline::kNaive ||
                       (kAny && params.discipline == kRunNaive);
    if (!naive) {
      WaitAllCopies();
      __syncthreads();
    }
  }
  if constexpr (kAny) {
    if (poison) {
      // Whoever goes on with what was copied before, computes NaN.
      uint32_t* words = reinterpret_cast<uint32_t*>(&shared);
      for (uint32_t i = threadIdx.x; i < sizeof(shared) / 4; i += blockDim.x) {
        words[i] = 0xFFFFFFFFu;
      }
      __syncthreads();
    }
  }
  NoSites<kAny> no_sites(poison);
  do {
    const uint32_t index = sites.event() * params.urgent_tiles + sites.claim();
    const auto out = [&] {
      return params.urgent_c + uint64_t{index} * (Tile::kM * Tile::kN);
    };
    if (Sites::Lead()) {
      sites.recorder().UrgentBegin(sites.event() + 1, sites.claim());
    }
    Tile::Run(params.urgent_operands, sites.claim(), params.k, out, shared,
              no_sites);
    __syncthreads();
    if (Sites::Lead()) {
      sites.recorder().UrgentEnd(sites.event() + 1, sites.claim());
      CompleteTile(params, sites.event(), Sites::kHost);
      ++params.blocks[blockIdx.x].urgent;
      if constexpr (Sites::kCounts) {
        atomicAdd(&params.urgent_executions[index], 1u);
      }
    }
  } while (sites.NextClaim());
  if constexpr (Tile::kCopiesInFlight) {
    // No straggler may land in the buffers of what comes next.
    WaitAllCopies();
    __syncthreads();
  }
}

template <typename Tile, typename Variant>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksPerSm)
    PersistentKernel(const __grid_constant__ KernelParams params) {
  using Sites = Checkpoint<Variant>;
  constexpr uint32_t kOutputs = Tile::kM * Tile::kN;
  constexpr uint32_t kGivenUp = 1u << 31;
  extern __shared__ __align__(16) uint8_t memory[];
  typename Tile::Shared& shared =
      *reinterpret_cast<typename Tile::Shared*>(memory);
  Message* message =
      reinterpret_cast<Message*>(memory + sizeof(typename Tile::Shared));

  Sites sites(params, message);
  if (Sites::Lead()) {
    NoteStart(params);
    sites.recorder().BlockStart();
  }
  const uint32_t mask = params.operands.tiles_m * params.operands.tiles_n - 1;
  for (;;) {
    if (sites.Pop() && sites.Handle(0)) {
      RunUrgent<Tile, Variant>(params, shared, sites);
    }
    if (sites.task() >= params.tasks) break;
    const auto index = [&] {
      return static_cast<uint32_t>(sites.task()) & mask;
    };
    if (Sites::Lead()) {
      sites.recorder().Pop(sites.task());
      message->where = index();
    }
    // Evaluated when the tile is done, to save registers until then: behind
    // the tile's barriers, and before that of the next Pop().
    const auto out = [&] {
      const uint32_t where = message->where;
      if constexpr (Sites::kInTile) {
        return ((where & kGivenUp) != 0 ? params.restarted_c : params.c) +
               uint64_t{where & ~kGivenUp} * kOutputs;
      }
      return params.c + uint64_t{where} * kOutputs;
    };
    while (!Tile::Run(params.operands, index(), params.k, out, shared, sites)) {
      if constexpr (Sites::kInTile) {
        if (Sites::Lead()) {
          // A tile that is given up again goes where the later event says.
          if ((message->where & kGivenUp) != 0) {
            params.restarted_task[message->where & ~kGivenUp] = kNoTask;
          }
          const uint32_t given_up_for =
              sites.event() * params.urgent_tiles + sites.claim();
          message->where = given_up_for | kGivenUp;
          sites.recorder().Abandon(sites.task());
          ++params.blocks[blockIdx.x].abandoned;
          params.restarted_task[given_up_for] = sites.task();
          if constexpr (Sites::kCounts) {
            params.yield_groups[given_up_for] = sites.groups() + 1;
          }
        }
        RunUrgent<Tile, Variant>(params, shared, sites);
        if (Sites::Lead()) sites.recorder().Restart(sites.task());
      }
    }
    if (Sites::Lead()) {
      CountTile(params);
      sites.recorder().TileEnd(sites.task());
      if constexpr (Sites::kCounts) {
        if (params.executions != nullptr) {
          atomicAdd(&params.executions[sites.task()], 1u);
        }
      }
    }
  }
  if (Sites::Lead()) {
    sites.recorder().BlockExit();
    NoteEnd(params);
  }
}

// Urgent work that the host launches: a tile a block.
template <typename Tile, int kMinBlocks>
__global__ void __launch_bounds__(Tile::kThreads, kMinBlocks)
    UrgentTileKernel(const __grid_constant__ KernelParams params) {
  extern __shared__ __align__(16) uint8_t memory[];
  typename Tile::Shared& shared =
      *reinterpret_cast<typename Tile::Shared*>(memory);
  if (threadIdx.x == 0) NoteStart(params);
  NoSites<false> sites(false);
  const auto out = [&] {
    return params.urgent_c + uint64_t{blockIdx.x} * (Tile::kM * Tile::kN);
  };
  Tile::Run(params.urgent_operands, blockIdx.x, params.k, out, shared, sites);
  __syncthreads();
  if (threadIdx.x == 0) {
    CountTile(params);
    NoteEnd(params);
  }
}

// A line of the launch table.
template <typename Tile, typename Variant>
KernelEntry Entry() {
  return {Variant::kValue,
          reinterpret_cast<const void*>(&PersistentKernel<Tile, Variant>),
          Tile::kThreads, SharedBytes<Tile>(), Tile::kBlocksPerSm};
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_KERNELS_PERSISTENT_CUH_
