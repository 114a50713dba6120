// 128x128 tensor-core matrix product, fp16 operands and fp32 sums, chunks of 32
// copied by cp.async into three buffers. One barrier a chunk: behind it the
// chunk is in place for all, and the buffer of the chunk before is free.
#ifndef TILEBOUND_GPU_TILES_TENSOR128_CUH_
#define TILEBOUND_GPU_TILES_TENSOR128_CUH_

#include <cuda_fp16.h>

#include <cstdint>

#include "gpu/protocol/copy.cuh"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

struct Tensor128 {
  static constexpr uint32_t kM = 128;
  static constexpr uint32_t kN = 128;
  static constexpr uint32_t kThreads = 256;
  static constexpr uint32_t kBlocksPerSm = 1;
  static constexpr uint32_t kChunk = 32;
  static constexpr uint32_t kStages = 3;
  static constexpr bool kCopiesInFlight = true;
  // Rows are 8 halves longer than their data, so that the 8 rows of an ldmatrix
  // fall into different banks.
  static constexpr uint32_t kRowA = kChunk + 8;
  static constexpr uint32_t kRowB = kN + 8;

  struct alignas(16) Shared {
    __half a[kStages][kM * kRowA];
    __half b[kStages][kChunk * kRowB];
  };

  template <typename Out, typename Sites>
  __device__ __forceinline__ static bool Run(const Operands& operands,
                                             uint32_t index, uint32_t k,
                                             const Out& out, Shared& shared,
                                             Sites& sites) {
    const uint32_t tile_m = index / operands.tiles_n;
    const uint32_t tile_n = index - tile_m * operands.tiles_n;
    const uint32_t columns = operands.tiles_n * kN;
    const uint32_t thread = threadIdx.x;
    // Each thread copies two times 16 bytes of A (4 of a row, 64 rows at a
    // time) and of B (16 of a row, 16 rows at a time).
    const __half* a = static_cast<const __half*>(operands.a) +
                      uint64_t{tile_m * kM + thread / 4} * k + thread % 4 * 8;
    const __half* b = static_cast<const __half*>(operands.b) +
                      uint64_t{thread / 16} * columns + tile_n * kN +
                      thread % 16 * 8;
    const uint32_t to_a = thread / 4 * kRowA + thread % 4 * 8;
    const uint32_t to_b = thread / 16 * kRowB + thread % 16 * 8;
    const auto copy = [&](uint32_t stage) {
      CopyAsync16(shared.a[stage] + to_a, a);
      CopyAsync16(shared.a[stage] + to_a + 64 * kRowA, a + uint64_t{64} * k);
      CopyAsync16(shared.b[stage] + to_b, b);
      CopyAsync16(shared.b[stage] + to_b + 16 * kRowB,
                  b + uint64_t{16} * columns);
      a += kChunk;
      b += uint64_t{kChunk} * columns;
    };

    const uint32_t chunks = k / kChunk;
    copy(0);
    CommitCopies();
    if (chunks > 1) copy(1);
    CommitCopies();
    float sums[4][4][4] = {};
    uint32_t chunk = 0, stage = 0;
    for (;;) {
      bool changed = false;
      while (chunk != chunks) {
        const uint32_t after = chunks - 1 - chunk;
        if (sites.BeforeWait() && sites.Handle(after != 0 ? 2 : 1)) {
          return false;
        }
        WaitCopies<1>();
        sites.BeforeBarrier(chunk);
        __syncthreads();
        if (chunk == 0) sites.Landed(shared.a[0]);
        if (sites.AfterWait() && sites.Handle(after != 0 ? 1 : 0)) return false;
        changed = sites.AfterBarrier(chunk);
        sites.ComputeBegins();
        if (after > 1) copy(stage == 0 ? 2 : stage - 1);
        // Also where nothing was copied, so that the wait above counts right.
        CommitCopies();
        // Behind the copies, which cover the reading of the result.
        if (changed) break;
        Multiply(shared.a[stage], shared.b[stage], sums);
        ++chunk;
        stage = stage == 2 ? 0 : stage + 1;
      }
      if (!changed) break;
      const uint32_t after = chunks - 1 - chunk;
      if (sites.Handle(after < 2 ? after : 2)) return false;
      // The chunk is in place; back in the loop its barrier is passed again,
      // and what was copied behind it is copied once more.
      if (after > 1) {
        a -= kChunk;
        b -= uint64_t{kChunk} * columns;
      }
    }
    sites.BeforeEpilogue();
    Store(sums, out());
    return true;
  }

 private:
  // Eight warps, two by four, each 64x32 outputs as 4x4 products of 16x8.
  __device__ __forceinline__ static void Multiply(const __half* a,
                                                  const __half* b,
                                                  float (&sums)[4][4][4]) {
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const __half* a_corner =
        a + (warp / 4 * 64 + lane % 16) * kRowA + lane / 16 * 8;
    const __half* b_corner =
        b + lane % 16 * kRowB + warp % 4 * 32 + lane / 16 * 8;
#pragma unroll
    for (uint32_t step = 0; step < kChunk; step += 16) {
      uint32_t left[4][4], right[2][4];
#pragma unroll
      for (int row = 0; row < 4; ++row) {
        LoadMatrix(left[row], a_corner + row * 16 * kRowA + step);
      }
#pragma unroll
      for (int column = 0; column < 2; ++column) {
        LoadMatrixTransposed(right[column],
                             b_corner + step * kRowB + column * 16);
      }
#pragma unroll
      for (int row = 0; row < 4; ++row) {
#pragma unroll
        for (int column = 0; column < 4; ++column) {
          MultiplyAdd(sums[row][column], left[row],
                      right[column / 2][column % 2 * 2],
                      right[column / 2][column % 2 * 2 + 1]);
        }
      }
    }
  }

  __device__ __forceinline__ static void Store(const float (&sums)[4][4][4],
                                               float* out) {
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float* corner =
        out + (warp / 4 * 64 + lane / 4) * kN + warp % 4 * 32 + lane % 4 * 2;
#pragma unroll
    for (int row = 0; row < 4; ++row) {
#pragma unroll
      for (int column = 0; column < 4; ++column) {
        float* at = corner + row * 16 * kN + column * 8;
        const float* sum = sums[row][column];
        *reinterpret_cast<float2*>(at) = make_float2(sum[0], sum[1]);
        *reinterpret_cast<float2*>(at + 8 * kN) = make_float2(sum[2], sum[3]);
      }
    }
  }

  __device__ __forceinline__ static void LoadMatrix(uint32_t (&to)[4],
                                                    const __half* from) {
    const uint32_t address =
        static_cast<uint32_t>(__cvta_generic_to_shared(from));
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(address)
        : "memory");
  }
  __device__ __forceinline__ static void LoadMatrixTransposed(
      uint32_t (&to)[4], const __half* from) {
    const uint32_t address =
        static_cast<uint32_t>(__cvta_generic_to_shared(from));
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, "
        "[%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(address)
        : "memory");
  }
  __device__ __forceinline__ static void MultiplyAdd(float (&sum)[4],
                                                     const uint32_t (&a)[4],
                                                     uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_TILES_TENSOR128_CUH_
