// One launch of a persistent kernel: memory, fills, launch, log, checks. Every
// suite goes through it.
//
//   RunRequest request = {.plan = plan, .period = 1, .urgent_tiles = 1,
//                         .gaps_ns = UniformGaps(key.arrivals(), 1000, seed)};
//   TILEBOUND_ASSIGN_OR_RETURN(RunLog log, RunPersistent(work, request));
//   log.observed(event, block) - log.set_ns[event]
//
// Or in two steps, where something else happens meanwhile:
//   TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
//                              PersistentRun::Make(work, request));
//   TILEBOUND_RETURN_IF_ERROR(run.Launch());
//   ...
//   TILEBOUND_ASSIGN_OR_RETURN(RunLog log, run.Finish());
#ifndef TILEBOUND_GPU_HARNESS_PERSISTENT_RUN_H_
#define TILEBOUND_GPU_HARNESS_PERSISTENT_RUN_H_

// RecorderMemory is there only behind it.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "gpu/harness/plan.h"
#include "gpu/harness/run_log.h"
#include "gpu/harness/workload.h"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

struct RunRequest {
  Plan plan;
  uint32_t period = 1;
  uint32_t urgent_tiles = 1;
  // One for each event, device setter. With the host setter they are waited by
  // whoever sets; only their number counts here.
  std::vector<uint32_t> gaps_ns = {};
  // Background tasks to do and stop; 0: go on until the events are done.
  uint64_t tasks = 0;
  // Count executions of each task (Recording::kCounters; needs `tasks`).
  bool count_executions = false;
  RuntimeDiscipline discipline = kRunDrain;
  // The flag is a mapped host word that the caller writes, instead of device
  // memory.
  bool mapped_flag = false;
  // Records a block may write; Recording::kTrace only.
  uint32_t records_per_block = 0;
  uint64_t deadline_ns = 10'000'000'000;
  // Check the outputs of background, urgent and restarted tiles.
  bool check_outputs = true;
};

class PersistentRun {
 public:
  // Allocates and fills (NaN in outputs, zero in logs), in order before the
  // launch on the same stream. Errors: memory.
  static absl::StatusOr<PersistentRun> Make(const Workload& work,
                                            RunRequest request);
  PersistentRun(PersistentRun&&) noexcept;
  PersistentRun& operator=(PersistentRun&&) noexcept;
  ~PersistentRun();

  absl::Status Launch();
  // Whether the kernel has ended.
  bool Done() const;
  // Waits, reads the log, checks the outputs.
  absl::StatusOr<RunLog> Finish();

  cudaStream_t stream() const;
  const KernelParams& params() const;
  // Host setter: the flag as the host sees it (mapped_flag), and the mapped
  // words in which the kernel leaves end_ns.
  volatile uint32_t* host_flag() const;
  volatile uint64_t* host_end_ns() const;
  // The rings; null unless Recording::kTrace.
  RecorderMemory* recorder() const;

 private:
  struct Impl;
  explicit PersistentRun(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

absl::StatusOr<RunLog> RunPersistent(const Workload& work,
                                     const RunRequest& request);

// Whether tiles may be given up at the site.
bool GivesTilesUp(LookSite site);

// How many events fit one launch when outputs may take a quarter of the free
// device memory; a cell with more is run in several.
absl::StatusOr<uint32_t> EventsThatFit(TileKind tile, uint32_t urgent_tiles,
                                       uint32_t blocks, bool restarts);

// `events` gaps from the seed; errors: a process that is not uniform.
absl::StatusOr<std::vector<uint32_t>> Gaps(const pb::Arrivals& arrivals,
                                           uint32_t events, uint64_t seed);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_PERSISTENT_RUN_H_
