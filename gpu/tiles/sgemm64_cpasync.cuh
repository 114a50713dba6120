// 64x64 fp32 matrix product, chunks of 16 copied by cp.async into two buffers:
// while one is computed on, the next is being filled.
#ifndef TILEBOUND_GPU_TILES_SGEMM64_CPASYNC_CUH_
#define TILEBOUND_GPU_TILES_SGEMM64_CPASYNC_CUH_

#include <cstdint>

#include "gpu/protocol/copy.cuh"
#include "gpu/protocol/params.h"
#include "gpu/tiles/sgemm64_multiply.cuh"

namespace tilebound::gpu {

struct Sgemm64Cpasync {
  static constexpr uint32_t kM = 64;
  static constexpr uint32_t kN = 64;
  static constexpr uint32_t kThreads = 256;
  static constexpr uint32_t kBlocksPerSm = 4;
  static constexpr uint32_t kChunk = 16;
  static constexpr bool kCopiesInFlight = true;

  struct alignas(16) Shared {
    float a[2][kM * kChunk];
    float b[2][kChunk * kN];
  };

  template <typename Out, typename Sites>
  __device__ __forceinline__ static bool Run(const Operands& operands,
                                             uint32_t index, uint32_t k,
                                             const Out& out, Shared& shared,
                                             Sites& sites) {
    const uint32_t tile_m = index / operands.tiles_n;
    const uint32_t tile_n = index - tile_m * operands.tiles_n;
    const uint32_t columns = operands.tiles_n * kN;
    // Each thread copies 16 bytes of A (4 of a row) and 16 of B (16 of a row).
    // Offsets rather than pointers: half the registers.
    uint32_t a = (tile_m * kM + threadIdx.x / 4) * k + threadIdx.x % 4 * 4;
    uint32_t b =
        threadIdx.x / 16 * columns + tile_n * kN + threadIdx.x % 16 * 4;
    // Not worked out before the loop over tiles, to be kept through it.
    uint32_t to = threadIdx.x * 4;
    asm volatile("" : "+r"(to));
    const auto copy = [&](uint32_t buffer) {
      CopyAsync16(shared.a[buffer] + to,
                  static_cast<const float*>(operands.a) + a);
      CopyAsync16(shared.b[buffer] + to,
                  static_cast<const float*>(operands.b) + b);
      a += kChunk;
      b += kChunk * columns;
    };

    const uint32_t chunks = k / kChunk;
    copy(0);
    CommitCopies();
    Sgemm64Sums sums;
    uint32_t chunk = 0;
    for (;;) {
      bool changed = false;
      while (chunk != chunks && !changed) {
        const bool more = chunk + 1 != chunks;
        if (more) copy(chunk + 1 & 1);
        // Also where nothing was copied, so that the wait below counts right.
        CommitCopies();
        if (sites.BeforeWait() && sites.Handle(more ? 2 : 1)) return false;
        WaitCopies<1>();
        __syncthreads();
        if (chunk == 0) sites.Landed(shared.a[0]);
        if (sites.AfterWait() && sites.Handle(more ? 1 : 0)) return false;
        sites.ComputeBegins();
        sums.Multiply<kChunk>(shared.a[chunk & 1], shared.b[chunk & 1]);
        ++chunk;
        changed = sites.Release();
      }
      if (!changed) break;
      if (sites.Handle(chunk != chunks ? 1 : 0)) return false;
    }
    sites.BeforeEpilogue();
    sums.Store</*kKeepsRow=*/true>(out());
    return true;
  }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_TILES_SGEMM64_CPASYNC_CUH_
