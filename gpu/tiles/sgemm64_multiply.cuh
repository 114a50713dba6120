// The arithmetic that both 64x64 fp32 tiles share: 256 threads, 4x4 outputs
// each, operands in shared memory.
#ifndef TILEBOUND_GPU_TILES_SGEMM64_MULTIPLY_CUH_
#define TILEBOUND_GPU_TILES_SGEMM64_MULTIPLY_CUH_

#include <cstdint>

namespace tilebound::gpu {

// Outputs of one thread: rows 4 * (thread / 16), columns 4 * (thread % 16).
struct Sgemm64Sums {
  float value[4][4] = {};

  // Adds the product of a chunk: a is [64][kDepth], b is [kDepth][64].
  template <int kDepth>
  __device__ __forceinline__ void Multiply(const float* a, const float* b) {
    const float* a_row = a + (threadIdx.x / 16 * 4) * kDepth;
    const float* b_column = b + threadIdx.x % 16 * 4;
#pragma unroll
    for (int step = 0; step < kDepth; step += 2) {
      float2 left[4];
#pragma unroll
      for (int row = 0; row < 4; ++row) {
        left[row] =
            *reinterpret_cast<const float2*>(a_row + row * kDepth + step);
      }
#pragma unroll
      for (int inner = 0; inner < 2; ++inner) {
        const float4 right =
            *reinterpret_cast<const float4*>(b_column + (step + inner) * 64);
#pragma unroll
        for (int row = 0; row < 4; ++row) {
          const float x = inner == 0 ? left[row].x : left[row].y;
          value[row][0] = fmaf(x, right.x, value[row][0]);
          value[row][1] = fmaf(x, right.y, value[row][1]);
          value[row][2] = fmaf(x, right.z, value[row][2]);
          value[row][3] = fmaf(x, right.w, value[row][3]);
        }
      }
    }
  }

  // To a [64][64] tile in global memory. `kKeepsRow`: see CornerOffset.
  template <bool kKeepsRow>
  __device__ __forceinline__ void Store(float* out) const {
    float* corner = out + CornerOffset<kKeepsRow>();
#pragma unroll
    for (int row = 0; row < 4; ++row) {
      *reinterpret_cast<float4*>(corner + row * 64) = make_float4(
          value[row][0], value[row][1], value[row][2], value[row][3]);
    }
  }

 private:
  // Of this thread's outputs. Left alone, the compiler works it out before the
  // chunk loop, widens it, and keeps two registers until now. Either it keeps
  // the narrow one, or, where the row is in use anyway, that.
  template <bool kKeepsRow>
  __device__ __forceinline__ static uint32_t CornerOffset() {
    uint32_t row = threadIdx.x / 16;
    if constexpr (kKeepsRow) asm volatile("" : "+r"(row));
    uint32_t offset = row * (4 * 64) + threadIdx.x % 16 * 4;
    if constexpr (!kKeepsRow) asm volatile("" : "+r"(offset));
    return offset;
  }
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_TILES_SGEMM64_MULTIPLY_CUH_
