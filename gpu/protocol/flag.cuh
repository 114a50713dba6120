// The generation flag: how a setter tells every block that urgent work is
// there.
//
// Memory order. The flag carries one fact, its own value: no block reads
// through it anything that the setter wrote before it. So relaxed loads and
// stores suffice, at the scope that holds both sides: the device, or the system
// where the host sets. What an event needs besides is either constant for the
// whole run (operands), or is handed out by read-modify-write (claim.cuh).
// Relaxed atomics on one word are coherent: a block never sees a generation
// fall. Outputs of urgent work are published by claim.cuh's fence, or by the
// end of the kernel.
#ifndef TILEBOUND_GPU_PROTOCOL_FLAG_CUH_
#define TILEBOUND_GPU_PROTOCOL_FLAG_CUH_

#include <cstdint>

namespace tilebound::gpu {

// `kHost`: the flag may be a mapped host word.
template <bool kHost>
__device__ __forceinline__ uint32_t LoadFlag(const uint32_t* flag) {
  uint32_t generation;
  if constexpr (kHost) {
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                 : "=r"(generation)
                 : "l"(flag));
  } else {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(generation)
                 : "l"(flag));
  }
  return generation;
}

// The same where `condition` holds, else `otherwise`: one instruction under a
// predicate rather than a branch, around which the compiler may move arithmetic
// until nothing is left to hide the load behind.
template <bool kHost>
__device__ __forceinline__ uint32_t LoadFlagIf(bool condition,
                                               const uint32_t* flag,
                                               uint32_t otherwise) {
  uint32_t generation = otherwise;
  if constexpr (kHost) {
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
        "@p ld.relaxed.sys.global.u32 %0, [%1];\n\t}"
        : "+r"(generation)
        : "l"(flag), "r"(static_cast<uint32_t>(condition)));
  } else {
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
        "@p ld.relaxed.gpu.global.u32 %0, [%1];\n\t}"
        : "+r"(generation)
        : "l"(flag), "r"(static_cast<uint32_t>(condition)));
  }
  return generation;
}

__device__ __forceinline__ void StoreFlag(uint32_t* flag, uint32_t generation) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(flag),
               "r"(generation));
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_FLAG_CUH_
