// The tile that data/kernels/sgemm64.textproto's instruction streams are
// counted from: 64x64 fp32, 256 threads, chunks of 32 through registers, looks
// at the boundary. Stands for the published kernel: same tile, threads, chunk
// and residency; see README.md for how it is counted.
#include <cstdint>

extern "C" __global__ void __launch_bounds__(256, 4)
    Sgemm64(const float* __restrict__ a_matrix,
            const float* __restrict__ b_matrix, float* c_matrix, int k_size,
            int n_size, unsigned long long* tickets,
            const volatile unsigned* flag, unsigned long long total,
            unsigned long long* observed) {
  __shared__ float a_chunk[64 * 32];
  __shared__ float b_chunk[32 * 64];
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
    const float* a = a_matrix + (ticket % 64) * 64 * k_size;
    const float* b = b_matrix + ((ticket / 64) % 64) * 64;
    float sums[4][4] = {};
    for (int k0 = 0; k0 < k_size; k0 += 32) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int e = thread + i * 256;
        a_chunk[e] = a[(e >> 5) * k_size + k0 + (e & 31)];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const int e = thread + i * 256;
        b_chunk[e] = b[(k0 + (e >> 6)) * n_size + (e & 63)];
      }
      __syncthreads();
#pragma unroll
      for (int k = 0; k < 32; ++k) {
        float left[4];
        float right[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) left[i] = a_chunk[(ty * 4 + i) * 32 + k];
#pragma unroll
        for (int j = 0; j < 4; ++j) right[j] = b_chunk[k * 64 + tx * 4 + j];
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
