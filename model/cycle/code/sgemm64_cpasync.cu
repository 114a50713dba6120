// The tile that data/kernels/sgemm64_cpasync.textproto's instruction streams
// are counted from: as sgemm64.cu, in chunks of 16 by cp.async into two
// buffers.
#include <cstdint>

__device__ __forceinline__ void CopyAsync16(void* to, const void* from) {
  const unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
               "l"(from));
}

extern "C" __global__ void __launch_bounds__(256, 4)
    Sgemm64Cpasync(const float* __restrict__ a_matrix,
                   const float* __restrict__ b_matrix, float* c_matrix,
                   int k_size, int n_size, unsigned long long* tickets,
                   const volatile unsigned* flag, unsigned long long total,
                   unsigned long long* observed) {
  __shared__ float a_chunk[2][64 * 16];
  __shared__ float b_chunk[2][16 * 64];
  __shared__ unsigned long long ticket_shared;
  __shared__ unsigned flag_shared;
  const int thread = threadIdx.x;
  const int tx = thread & 15;
  const int ty = thread >> 4;
  unsigned generation = 0;
  for (;;) {
    if (thread == 0) {
      ticket_shared = atomicAdd(tickets, 1ull);
      flag_shared = *flag;
    }
    __syncthreads();
    const unsigned long long ticket = ticket_shared;
    const unsigned now = flag_shared;
    __syncthreads();
    if (ticket >= total) return;
    if (now != generation) {
      generation = now;
      if (thread == 0) observed[blockIdx.x] = ticket;
    }
    const float* a = a_matrix + (ticket % 64) * 64 * k_size +
                     (thread >> 2) * k_size + (thread & 3) * 4;
    const float* b = b_matrix + ((ticket / 64) % 64) * 64 +
                     (thread >> 4) * n_size + (thread & 15) * 4;
    float sums[4][4] = {};
    const int chunks = k_size / 16;
    CopyAsync16(&a_chunk[0][thread * 4], a);
    CopyAsync16(&b_chunk[0][thread * 4], b);
    asm volatile("cp.async.commit_group;");
    for (int chunk = 0; chunk < chunks; ++chunk) {
      if (chunk + 1 < chunks) {
        CopyAsync16(&a_chunk[(chunk + 1) & 1][thread * 4],
                    a + (chunk + 1) * 16);
        CopyAsync16(&b_chunk[(chunk + 1) & 1][thread * 4],
                    b + (chunk + 1) * 16 * n_size);
      }
      asm volatile("cp.async.commit_group;");
      asm volatile("cp.async.wait_group 1;");
      __syncthreads();
      const float* a_now = a_chunk[chunk & 1];
      const float* b_now = b_chunk[chunk & 1];
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        float left[4];
        float right[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) left[i] = a_now[(ty * 4 + i) * 16 + k];
#pragma unroll
        for (int j = 0; j < 4; ++j) right[j] = b_now[k * 64 + tx * 4 + j];
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) sums[i][j] += left[i] * right[j];
      }
      __syncthreads();
    }
    float* c = c_matrix + (ticket % 4096) * 4096;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        c[(ty * 4 + i) * 64 + tx * 4 + j] = sums[i][j];
  }
}
