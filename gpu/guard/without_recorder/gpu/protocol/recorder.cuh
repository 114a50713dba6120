// What is left of the recorder where there is none: its name. The code guard
// compiles every kernel with this in the place of gpu/protocol/recorder.cuh and
// compares the machine code.
#ifndef TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
#define TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_

#include <stdint.h>

namespace tilebound {
namespace gpu {

struct RecorderRecord;
struct RecorderBlock;
struct RecorderView {
  RecorderRecord* records;
  RecorderBlock* blocks;
  uint32_t capacity;
};

#ifdef __CUDACC__

template <bool>
class Recorder {
 public:
  template <typename... Any>
  __device__ explicit Recorder(Any...) {}
  template <typename... Any>
  __device__ void BlockStart(Any...) {}
  template <typename... Any>
  __device__ void BlockExit(Any...) {}
  template <typename... Any>
  __device__ void Pop(Any...) {}
  template <typename... Any>
  __device__ void TileEnd(Any...) {}
  template <typename... Any>
  __device__ void Abandon(Any...) {}
  template <typename... Any>
  __device__ void Restart(Any...) {}
  template <typename... Any>
  __device__ void Observe(Any...) {}
  template <typename... Any>
  __device__ void Claim(Any...) {}
  template <typename... Any>
  __device__ void UrgentBegin(Any...) {}
  template <typename... Any>
  __device__ void UrgentEnd(Any...) {}
  template <typename... Any>
  __device__ void FlagSet(Any...) {}
};

#endif  // __CUDACC__

}  // namespace gpu
}  // namespace tilebound

#endif  // TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
