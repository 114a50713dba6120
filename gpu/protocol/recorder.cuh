// Records what each block of a persistent kernel does, for the oracle.
#ifndef TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
#define TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_

#include <cstdint>

namespace tilebound::gpu {

// Where the rings are; plain, so that host code can fill one.
struct RecorderView {
  void* records;
  uint64_t* counts;
  uint32_t capacity;
};

#ifdef __CUDACC__

// One for each block, in registers of its thread 0; every call is thread 0's.
// Recorder<false> is empty and every call compiles to nothing.
template <bool kEnabled>
class Recorder {
 public:
  __device__ explicit Recorder(const RecorderView&, uint32_t) {}
  __device__ void BlockStart(uint32_t, uint32_t) {}
  __device__ void BlockExit() {}
  __device__ void Pop(uint64_t) {}
  __device__ void TileEnd(uint64_t) {}
  __device__ void Abandon(uint64_t) {}
  __device__ void Restart(uint64_t) {}
  __device__ void Observe(uint64_t) {}
  __device__ void Claim(uint64_t, uint32_t, uint32_t) {}
  __device__ void UrgentBegin(uint64_t, uint32_t) {}
  __device__ void UrgentEnd(uint64_t, uint32_t) {}
  __device__ void FlagSet(uint64_t) {}
};

#endif  // __CUDACC__

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
