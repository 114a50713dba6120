// 64x64 fp32 matrix product, chunks of 32 copied through registers into one
// buffer: barrier (chunk in place), arithmetic, barrier (buffer free).
//
// Like every tile:
//   Run(operands, index, k, out, shared, sites)   all threads of the block;
//   out() is where the outputs go; returns false if a look inside the tile won
//   urgent work, in which case the tile was given up and is to be run again
//   from the start.
#ifndef TILEBOUND_GPU_TILES_SGEMM64_CUH_
#define TILEBOUND_GPU_TILES_SGEMM64_CUH_

#include <cstdint>

#include "gpu/protocol/params.h"
#include "gpu/tiles/sgemm64_multiply.cuh"

namespace tilebound::gpu {

struct Sgemm64 {
  static constexpr uint32_t kM = 64;
  static constexpr uint32_t kN = 64;
  static constexpr uint32_t kThreads = 256;
  static constexpr uint32_t kBlocksPerSm = 4;
  static constexpr uint32_t kChunk = 32;
  static constexpr bool kCopiesInFlight = false;

  struct alignas(16) Shared {
    float a[kM * kChunk];
    float b[kChunk * kN];
  };

  template <typename Out, typename Sites>
  __device__ __forceinline__ static bool Run(const Operands& operands,
                                             uint32_t index, uint32_t k,
                                             const Out& out, Shared& shared,
                                             Sites& sites) {
    const uint32_t tile_m = index / operands.tiles_n;
    const uint32_t tile_n = index - tile_m * operands.tiles_n;
    const uint32_t columns = operands.tiles_n * kN;
    // Copied word by word, as the published tile does: each thread takes 8
    // words of A (a row of 32 a warp, 8 rows at a time) and 8 of B (half a row
    // of 64 a warp, 4 rows at a time). Offsets rather than pointers: half the
    // registers.
    const float* const left = static_cast<const float*>(operands.a);
    const float* const right = static_cast<const float*>(operands.b);
    uint32_t a = (tile_m * kM + threadIdx.x / 32) * k + threadIdx.x % 32;
    uint32_t b = threadIdx.x / 64 * columns + tile_n * kN + threadIdx.x % 64;

    Sgemm64Sums sums;
    uint32_t chunks = k / kChunk;
    bool first = true;
    for (;;) {
      bool changed = false;
      while (chunks != 0 && !changed) {
        float words[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) words[i] = left[a + i * 8 * k];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          shared.a[threadIdx.x + i * kThreads] = words[i];
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) words[i] = right[b + i * 4 * columns];
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          shared.b[threadIdx.x + i * kThreads] = words[i];
        }
        a += kChunk;
        b += kChunk * columns;
        __syncthreads();
        if (first) sites.Landed(shared.a);
        first = false;
        sites.ComputeBegins();
        sums.Multiply<kChunk>(shared.a, shared.b);
        --chunks;
        changed = sites.Release();
      }
      if (!changed) break;
      if (sites.Handle(0)) return false;
    }
    sites.BeforeEpilogue();
    sums.Store</*kKeepsRow=*/false>(out());
    return true;
  }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_TILES_SGEMM64_CUH_
