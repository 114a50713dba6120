// What a block remembers between looks, in one register of thread 0: the last
// generation that it handled, and how many looks until the next one that
// counts. Every thread of every block has to hold what thread 0 holds, and 64
// registers do for four blocks of 256 threads, so there is no second one.
//
//   Looks looks(params.period);
//   if (looks.Due(params.period)) generation = LoadFlag<false>(params.flag);
//   if (looks.Moved(generation)) { ...; looks.See(generation); }
#ifndef TILEBOUND_GPU_PROTOCOL_LOOKS_CUH_
#define TILEBOUND_GPU_PROTOCOL_LOOKS_CUH_

#include <cstdint>

#include "gpu/protocol/params.h"

namespace tilebound::gpu {

class Looks {
 public:
  __device__ __forceinline__ explicit Looks(uint32_t period)
      : word_(period * kLook) {}

  // Counts a look; true at every period-th.
  __device__ __forceinline__ bool Due(uint32_t period) {
    word_ -= kLook;
    if (word_ >= kLook) return false;
    word_ += period * kLook;
    return true;
  }
  // Whether the next look counts.
  __device__ __forceinline__ bool AlmostDue() const {
    return word_ < 2 * kLook;
  }

  __device__ __forceinline__ bool Moved(uint32_t generation) const {
    return ((generation ^ word_) & kMostGeneration) != 0;
  }
  // A generation that has not moved, in as few instructions as there are.
  __device__ __forceinline__ uint32_t Unmoved() const { return word_; }
  __device__ __forceinline__ uint32_t seen() const {
    return word_ & kMostGeneration;
  }
  __device__ __forceinline__ void See(uint32_t generation) {
    word_ = (word_ & ~kMostGeneration) | (generation & kMostGeneration);
  }

 private:
  static constexpr uint32_t kLook = kMostGeneration + 1;

  uint32_t word_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_LOOKS_CUH_
