// Background work that knows nothing of urgent work, and urgent kernels that
// the host launches beside it (arms none and reserved).
//
//   TILEBOUND_ASSIGN_OR_RETURN(Plan plan, PlanBackground(context, kernel,
//   525)); TILEBOUND_ASSIGN_OR_RETURN(Probe probe, ProbeGrid(*work, plan));
//   TILEBOUND_ASSIGN_OR_RETURN(
//       UrgentLog log, LaunchBeside(*work, plan, probe, gaps, tick, urgent));
#ifndef TILEBOUND_GPU_SUITES_BESIDE_H_
#define TILEBOUND_GPU_SUITES_BESIDE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/kernel.pb.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/harness/plan.h"
#include "gpu/harness/probe.h"
#include "gpu/suites/suite.h"
#include "gpu/suites/urgent_launch.h"

namespace tilebound::gpu {

// The one of context.kernels that has that name, or null.
const pb::Kernel* FindKernelFile(const SuiteContext& context,
                                 absl::string_view name);

// The kernel without checkpoints on `blocks` blocks.
absl::StatusOr<Plan> PlanBackground(const Device& device,
                                    const pb::Kernel& kernel, TileKind tile,
                                    uint32_t blocks);

// Blocks of the kernel that are resident at once on the device.
absl::StatusOr<uint32_t> SaturationOf(const Device& device,
                                      const pb::Kernel& kernel, TileKind tile);

// Launches longer and longer runs until one tells the grid's rate.
absl::StatusOr<Probe> ProbeGrid(const Workload& work, const Plan& plan);

// One run of `tasks` background tasks and no urgent work, outputs checked.
// Errors: the deadline, corrupt outputs.
absl::StatusOr<RunLog> RunBackground(const Workload& work, const Plan& plan,
                                     const RunLength& length);

// Returns at `host_ns` of HostNowNs().
void WaitUntil(uint64_t host_ns);

// As many events as gaps: each urgent kernel is launched its gap after the one
// before ended, while the background runs. The background is started anew where
// it ends too early; an event that it did not outlast is done again. Errors:
// as RunBackground.
absl::StatusOr<UrgentLog> LaunchBeside(const Workload& work, const Plan& plan,
                                       const Probe& probe,
                                       const std::vector<uint32_t>& gaps_ns,
                                       uint64_t tick_ns,
                                       UrgentLaunches& urgent);

// Launches that LaunchBeside may need for so many events.
uint32_t LaunchesFor(uint64_t events);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_BESIDE_H_
