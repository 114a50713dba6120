// A persistent kernel of the shape that count_instructions.py reads, small
// enough that its listing can be counted by eye: chunks of 4, one output a
// thread, two buffers filled by cp.async.
__device__ __forceinline__ void CopyAsync16(void* to, const void* from) {
  const unsigned address = __cvta_generic_to_shared(to);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
               "l"(from));
}

extern "C" __global__ void SmallTile(const float* a, float* out, int chunks,
                                     unsigned* tickets,
                                     const volatile unsigned* flag,
                                     unsigned total, unsigned* observed) {
  __shared__ float4 buffer[2][64];
  __shared__ unsigned ticket_shared;
  __shared__ unsigned flag_shared;
  unsigned generation = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      ticket_shared = atomicAdd(tickets, 1u);
      flag_shared = *flag;
    }
    __syncthreads();
    const unsigned ticket = ticket_shared;
    if (ticket >= total) return;
    if (flag_shared != generation) {
      generation = flag_shared;
      observed[blockIdx.x * 64 + threadIdx.x] = ticket;
      __threadfence();
    }
    const float* from = a + ticket * 256 + threadIdx.x * 4;
    CopyAsync16(&buffer[0][threadIdx.x], from);
    asm volatile("cp.async.commit_group;");
    float sum = 0;
#pragma unroll 1
    for (int chunk = 0; chunk < chunks; ++chunk) {
      if (chunk + 1 < chunks) {
        CopyAsync16(&buffer[(chunk + 1) & 1][threadIdx.x],
                    from + (chunk + 1) * 4096);
      }
      asm volatile("cp.async.commit_group;");
      asm volatile("cp.async.wait_group 1;");
      __syncthreads();
      const float4 x = buffer[chunk & 1][63 - threadIdx.x];
      sum += x.x * x.y + x.z * x.w;
      __syncthreads();
    }
    out[ticket * 64 + threadIdx.x] = sum;
  }
}
