#include "gpu/harness/probe.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::gpu {
namespace {

// A hundred of the coarsest ticks that parts have (1,024 ns).
constexpr uint64_t kLeastProbeNs = 100'000;

// A launch that takes five times what it should, or a second more where it
// should take next to nothing, is stuck.
constexpr uint64_t kDeadlineFactor = 5;
constexpr uint64_t kDeadlineSlackNs = 1'000'000'000;

uint64_t Deadline(uint64_t expected_ns) {
  return kDeadlineFactor * expected_ns + kDeadlineSlackNs;
}

}  // namespace

absl::StatusOr<double> TasksPerSecond(const Probe& probe) {
  if (probe.tasks == 0 || probe.elapsed_ns < kLeastProbeNs) {
    return absl::InvalidArgumentError(absl::StrCat(
        "probe launch of ", probe.tasks, " tasks in ", probe.elapsed_ns,
        " ns is too short to tell a rate; at least 1 task and ", kLeastProbeNs,
        " ns are needed"));
  }
  return static_cast<double>(probe.tasks) * 1e9 /
         static_cast<double>(probe.elapsed_ns);
}

absl::StatusOr<RunLength> LengthForTime(const Probe& probe,
                                        uint64_t duration_ns, uint32_t blocks,
                                        uint32_t min_tiles_per_block) {
  if (blocks == 0) {
    return absl::InvalidArgumentError("blocks is 0; at least 1 is needed");
  }
  TILEBOUND_ASSIGN_OR_RETURN(const double rate, TasksPerSecond(probe));
  RunLength length;
  length.tasks =
      std::max(static_cast<uint64_t>(std::ceil(rate * duration_ns / 1e9)),
               uint64_t{blocks} * min_tiles_per_block);
  length.expected_ns =
      static_cast<uint64_t>(static_cast<double>(length.tasks) / rate * 1e9);
  length.deadline_ns = Deadline(length.expected_ns);
  return length;
}

absl::StatusOr<RunLength> LengthForEvents(const Probe& probe,
                                          const EventPlan& plan) {
  if (plan.events == 0) {
    return absl::InvalidArgumentError("events is 0; at least 1 is needed");
  }
  const uint64_t events_ns = plan.events * (plan.mean_gap_ns + plan.event_ns);
  return LengthForTime(probe, events_ns + events_ns / 2, plan.blocks);
}

uint64_t NextProbeTasks(const Probe& probe) {
  return std::max<uint64_t>(1, probe.tasks) * 10;
}

}  // namespace tilebound::gpu
