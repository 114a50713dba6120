// An urgent kernel launched from the host while something else holds the GPU,
// and when it began and ended on both clocks: what suites baseline and reserve
// measure.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       auto urgent, UrgentLaunches::Make(work, entry, 0, tiles, events));
//   TILEBOUND_RETURN_IF_ERROR(urgent->Launch());      // one event
//   ...
//   TILEBOUND_ASSIGN_OR_RETURN(auto log, urgent->Finish(tick_ns));
//
// Each event's outputs are kept and all are checked against float64 at the end.
// After each urgent kernel a kernel of one thread relates the clocks, on the
// same stream and under the same load, so the relation is fresh where it is
// used.
#ifndef TILEBOUND_GPU_SUITES_URGENT_LAUNCH_H_
#define TILEBOUND_GPU_SUITES_URGENT_LAUNCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/harness/cuda_status.h"
#include "gpu/harness/host_beacon.h"
#include "gpu/harness/workload.h"
#include "gpu/kernels/launch_table.h"
#include "gpu/suites/urgent_log.h"

namespace tilebound::gpu {

class UrgentLaunches {
 public:
  // For up to `events` events of `tiles` tiles. `extra_shared_bytes` is asked
  // for on top of what the kernel needs. Errors: memory.
  static absl::StatusOr<std::unique_ptr<UrgentLaunches>> Make(
      const Workload& work, const KernelEntry& entry,
      uint32_t extra_shared_bytes, uint32_t tiles, uint32_t events);
  ~UrgentLaunches();
  UrgentLaunches(const UrgentLaunches&) = delete;
  UrgentLaunches& operator=(const UrgentLaunches&) = delete;

  // One event: launches and returns when the host has seen the end. Errors:
  // CUDA's, and 10 s without an end.
  absl::Status Launch();
  // Forgets the last event: what it ran beside had ended before it did.
  void DropLast() { events_.pop_back(); }
  uint32_t launched() const { return static_cast<uint32_t>(events_.size()); }

  // Waits, checks the outputs, relates the clocks.
  absl::StatusOr<UrgentLog> Finish(uint64_t tick_ns);

 private:
  UrgentLaunches(const Workload& work, const KernelEntry& entry,
                 uint32_t shared_bytes, uint32_t tiles, uint32_t events);
  absl::Status Allocate();
  absl::StatusOr<std::vector<ClockSample>> Samples();

  const Workload& work_;
  const KernelEntry entry_;
  const uint32_t shared_bytes_;
  const uint32_t tiles_;
  const uint32_t capacity_;
  const uint64_t tile_outputs_;
  cudaStream_t stream_ = nullptr;
  DeviceArray<float> outputs_;
  DeviceArray<SharedState> state_;
  // Mapped, so that the host sees ends without a copy.
  DeviceArray<BlockInfo> blocks_;
  DeviceArray<ClockSample> samples_;
  DeviceArray<uint64_t> word_;
  std::unique_ptr<HostBeacon> beacon_;
  std::vector<UrgentEvent> events_;
  // Launches so far, dropped ones too: the next one's place in the log.
  std::vector<uint32_t> place_;
  uint32_t used_ = 0;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_URGENT_LAUNCH_H_
