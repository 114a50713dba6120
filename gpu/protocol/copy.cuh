// cp.async, the asynchronous copy of sm_80: 16 bytes from global to shared
// memory past the registers, in groups that a thread can wait for.
#ifndef TILEBOUND_GPU_PROTOCOL_COPY_CUH_
#define TILEBOUND_GPU_PROTOCOL_COPY_CUH_

#include <cstdint>

namespace tilebound::gpu {

__device__ __forceinline__ void CopyAsync16(void* shared, const void* global) {
  const uint32_t address =
      static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address),
               "l"(global)
               : "memory");
}

__device__ __forceinline__ void CommitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most kPending of this thread's groups are in flight.
template <int kPending>
__device__ __forceinline__ void WaitCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void WaitAllCopies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_COPY_CUH_
