// Run lengths from a short probe launch, so that nothing is sized for one part:
// how many tasks keep the grid busy for a given time, and when a launch that
// still runs is stuck.
//
//   const Probe probe = {.tasks = 4096, .elapsed_ns = 1'900'000};
//   TILEBOUND_ASSIGN_OR_RETURN(
//       const RunLength length,
//       LengthForEvents(probe, {.events = 10'100, .mean_gap_ns = 275'000,
//                               .event_ns = 60'000, .blocks = 528}));
//   length.tasks          enough that the grid outlasts the events
//   length.deadline_ns    after which the kernel ends itself
#ifndef TILEBOUND_GPU_HARNESS_PROBE_H_
#define TILEBOUND_GPU_HARNESS_PROBE_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace tilebound::gpu {

// What a probe launch showed: `tasks` tiles done by the whole grid, from its
// first pop to its last exit by the device's timer.
struct Probe {
  uint64_t tasks = 0;
  uint64_t elapsed_ns = 0;
};

// Tasks per second of the whole grid. Error: a probe shorter than
// 100 us (a hundred of the coarsest timer ticks), which would say more of the
// timer than of the kernel, or one without tasks.
absl::StatusOr<double> TasksPerSecond(const Probe& probe);

struct EventPlan {
  // Warm-up included.
  uint64_t events = 0;
  // Gap before an event, on average over the schedule.
  uint64_t mean_gap_ns = 0;
  // From set to complete: what an event takes at most, on average.
  uint64_t event_ns = 0;
  uint32_t blocks = 0;
};

struct RunLength {
  uint64_t tasks = 0;
  uint64_t expected_ns = 0;
  uint64_t deadline_ns = 0;
};

// Tasks for a launch that is to last `duration_ns`: at least
// `min_tiles_per_block` of them for each block, so that a tail of one tile is a
// small share. Error: as TasksPerSecond, blocks 0.
absl::StatusOr<RunLength> LengthForTime(const Probe& probe,
                                        uint64_t duration_ns, uint32_t blocks,
                                        uint32_t min_tiles_per_block = 16);

// Tasks for a launch in which all events are to happen, with half as much
// again to spare: urgent work takes blocks away, so the grid never does more
// than the probe promised. Errors as above, events 0.
absl::StatusOr<RunLength> LengthForEvents(const Probe& probe,
                                          const EventPlan& plan);

// How long a probe launch shall be for the next guess, given one that was too
// short: grows tenfold, so that four launches span a microsecond to 10 ms.
uint64_t NextProbeTasks(const Probe& probe);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_PROBE_H_
