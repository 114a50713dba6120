// Who raises the flag from inside: thread 0 of block 0, at its own look, so
// that it needs no SM of its own. Gaps were drawn on the host; the schedule is
// that one thread's own (Message::schedule): no other thread reads it.
//
// With the host setter the same thread only watches the deadline.
#ifndef TILEBOUND_GPU_PROTOCOL_SETTER_CUH_
#define TILEBOUND_GPU_PROTOCOL_SETTER_CUH_

#include <cstdint>

#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/flag.cuh"
#include "gpu/protocol/params.h"
#include "gpu/protocol/queue.cuh"

namespace tilebound::gpu {

template <bool kDevice>
class Setter {
 public:
  __device__ __forceinline__ void Start(const KernelParams& params) {
    const uint64_t now = GlobalTimerNs();
    deadline_ = Coarse(now + params.deadline_ns);
    event_ = 0;
    waiting_ = 0;
    if constexpr (kDevice) {
      if (params.events != 0) {
        next_ = static_cast<uint32_t>(now + params.gap_ns[0]);
      }
    }
  }

  // One look of block 0. Returns the generation that was set, or 0.
  __device__ __forceinline__ uint32_t Step(const KernelParams& params) {
    const uint64_t now = GlobalTimerNs();
    if (Reached(Coarse(now), deadline_)) {
      params.state->expired.value = 1;
      StopQueue(params.state);
      return 0;
    }
    if constexpr (!kDevice) return 0;
    // A run without events ends when its tasks are done.
    if (params.events == 0) return 0;
    if (waiting_) {
      // The next gap counts from the end of the event before.
      const uint64_t end =
          *static_cast<volatile uint64_t*>(params.end_ns + event_ - 1);
      if (end == 0) return 0;
      waiting_ = 0;
      next_ = static_cast<uint32_t>(end) + (event_ < params.events
                                                ? params.gap_ns[event_]
                                                : params.final_wait_ns);
    }
    if (!Reached(static_cast<uint32_t>(now), next_)) return 0;
    if (event_ == params.events) {
      StopQueue(params.state);
      return 0;
    }
    params.set_ns[event_] = now;
    StoreFlag(params.flag, ++event_);
    waiting_ = 1;
    return event_;
  }

 private:
  // Times are kept in 32 bits and compared in a circle: gaps are far under 2^31
  // ns, deadlines far under 2^31 x 2^20 ns.
  __device__ static uint32_t Coarse(uint64_t ns) {
    return static_cast<uint32_t>(ns >> 20);
  }
  __device__ static bool Reached(uint32_t now, uint32_t when) {
    return static_cast<int32_t>(now - when) >= 0;
  }

  uint32_t deadline_;
  uint32_t next_;
  uint32_t event_;
  uint32_t waiting_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_SETTER_CUH_
