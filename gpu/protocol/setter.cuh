// Who raises the flag from inside: thread 0 of block 0, at its own looks, so
// that it needs no SM of its own. Gaps were drawn on the host. Its schedule is
// one register: every thread of every block has to hold what this one holds.
// What it also has to know, it asks memory for where it costs no time: how many
// events were set is in the flag, which nobody else writes.
//
// The same thread watches the deadline, with the host's setter too.
#ifndef TILEBOUND_GPU_PROTOCOL_SETTER_CUH_
#define TILEBOUND_GPU_PROTOCOL_SETTER_CUH_

#include <cstdint>

#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/flag.cuh"
#include "gpu/protocol/params.h"
#include "gpu/protocol/queue.cuh"

namespace tilebound::gpu {

// Ends the run if its time is up: `deadline` is what DeadlineOf() said at its
// start. In units of 2^20 ns, compared in a circle, so deadlines are far under
// 2^31 of those.
__device__ __forceinline__ uint32_t CoarseTime(uint64_t ns) {
  return static_cast<uint32_t>(ns >> 20);
}
__device__ __forceinline__ uint32_t DeadlineOf(const KernelParams& params) {
  return CoarseTime(GlobalTimerNs() + params.deadline_ns);
}
__device__ __forceinline__ void WatchDeadline(const KernelParams& params,
                                              uint32_t deadline) {
  if (static_cast<int32_t>(CoarseTime(GlobalTimerNs()) - deadline) < 0) return;
  params.state->expired.value = 1;
  StopQueue(params.state);
}

class Setter {
 public:
  __device__ __forceinline__ explicit Setter(const KernelParams& params)
      : schedule_(kWaiting) {
    if (params.events != 0)
      schedule_ = Circle(GlobalTimerNs() + params.gap_ns[0]);
  }

  // One look of block 0. Returns the generation that was set, or 0.
  __device__ __forceinline__ uint32_t Step(const KernelParams& params) {
    if ((schedule_ & kWaiting) != 0) {
      const uint32_t set = schedule_ & ~kWaiting;
      // A run without events ends when its tasks are done.
      if (set == 0) return 0;
      // The next gap counts from the end of the event before.
      const uint64_t end =
          *static_cast<volatile uint64_t*>(params.end_ns + set - 1);
      if (end != 0) {
        schedule_ = Circle(end + (set < params.events ? params.gap_ns[set]
                                                      : params.final_wait_ns));
      }
      return 0;
    }
    const uint32_t since = Circle(GlobalTimerNs() - schedule_);
    if (since >= kWaiting / 2) return 0;
    // Nobody else writes the flag.
    const uint32_t set = LoadFlag<false>(params.flag);
    if (set == params.events) {
      StopQueue(params.state);
      return 0;
    }
    params.set_ns[set] = GlobalTimerNs();
    StoreFlag(params.flag, set + 1);
    schedule_ = kWaiting | (set + 1);
    return set + 1;
  }

 private:
  static constexpr uint32_t kWaiting = 1u << 31;

  // Times are kept in 31 bits and compared in a circle: gaps are far under 2^30
  // ns.
  __device__ static uint32_t Circle(uint64_t ns) {
    return static_cast<uint32_t>(ns) & ~kWaiting;
  }

  // When the next event is due, or, marked, how many were set, the last of
  // which is not complete.
  uint32_t schedule_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_SETTER_CUH_
