#include "gpu/suites/beside.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "gpu/harness/host_beacon.h"

namespace tilebound::gpu {
namespace {

// One background launch beside which events happen.
constexpr uint64_t kBackgroundNs = 200'000'000;

KernelVariant PlainVariant(TileKind tile) {
  return {
      .tile = tile, .setter = SetterKind::kHost, .control = Control::kPlain};
}

absl::Status CheckBackground(const RunLog& log) {
  if (log.expired) {
    return absl::DeadlineExceededError(
        "the background kernel ended itself at its deadline");
  }
  if (log.background_corrupt > 0) {
    return absl::DataLossError(absl::StrCat(
        log.background_corrupt, " background outputs differ from float64"));
  }
  return absl::OkStatus();
}

RunRequest Request(const Plan& plan, const RunLength& length) {
  RunRequest request;
  request.plan = plan;
  request.tasks = length.tasks;
  request.deadline_ns = length.deadline_ns;
  return request;
}

}  // namespace

const pb::Kernel* FindKernelFile(const SuiteContext& context,
                                 absl::string_view name) {
  for (const pb::Kernel& kernel : context.kernels) {
    if (kernel.name() == name) return &kernel;
  }
  return nullptr;
}

absl::StatusOr<Plan> PlanBackground(const Device& device,
                                    const pb::Kernel& kernel, TileKind tile,
                                    uint32_t blocks) {
  return PlanVariant(device, kernel, PlainVariant(tile), blocks);
}

absl::StatusOr<uint32_t> SaturationOf(const Device& device,
                                      const pb::Kernel& kernel, TileKind tile) {
  TILEBOUND_ASSIGN_OR_RETURN(
      const Plan plan, PlanBackground(device, kernel, tile, device.sm_count()));
  return std::min(plan.facts.blocks_per_sm, kernel.min_blocks_per_sm()) *
         device.sm_count();
}

absl::StatusOr<Probe> ProbeGrid(const Workload& work, const Plan& plan) {
  Probe probe = {.tasks = plan.blocks};
  for (;;) {
    RunLength length = {.tasks = NextProbeTasks(probe),
                        .deadline_ns = 10'000'000'000};
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                               RunBackground(work, plan, length));
    probe = {.tasks = log.tasks,
             .elapsed_ns = static_cast<uint64_t>(log.makespan_us * 1e3)};
    if (probe.elapsed_ns >= 2'000'000) return probe;
  }
}

absl::StatusOr<RunLog> RunBackground(const Workload& work, const Plan& plan,
                                     const RunLength& length) {
  TILEBOUND_ASSIGN_OR_RETURN(RunLog log,
                             RunPersistent(work, Request(plan, length)));
  TILEBOUND_RETURN_IF_ERROR(CheckBackground(log));
  return log;
}

void WaitUntil(uint64_t host_ns) {
  while (HostNowNs() < host_ns) {
  }
}

absl::StatusOr<UrgentLog> LaunchBeside(const Workload& work, const Plan& plan,
                                       const Probe& probe,
                                       const std::vector<uint32_t>& gaps_ns,
                                       uint64_t tick_ns,
                                       UrgentLaunches& urgent) {
  TILEBOUND_ASSIGN_OR_RETURN(const RunLength length,
                             LengthForTime(probe, kBackgroundNs, plan.blocks));
  uint32_t fruitless = 0;
  double clock_mhz = 0;
  while (urgent.launched() < gaps_ns.size()) {
    const uint32_t before = urgent.launched();
    TILEBOUND_ASSIGN_OR_RETURN(
        PersistentRun run, PersistentRun::Make(work, Request(plan, length)));
    TILEBOUND_RETURN_IF_ERROR(run.Launch());
    while (urgent.launched() < gaps_ns.size()) {
      WaitUntil(HostNowNs() + gaps_ns[urgent.launched()]);
      if (run.Done()) break;
      TILEBOUND_RETURN_IF_ERROR(urgent.Launch());
      if (run.Done()) {
        urgent.DropLast();
        break;
      }
    }
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, run.Finish());
    TILEBOUND_RETURN_IF_ERROR(CheckBackground(log));
    clock_mhz = log.clock_mhz;
    fruitless = urgent.launched() == before ? fruitless + 1 : 0;
    if (fruitless == 3) {
      return absl::FailedPreconditionError(
          absl::StrCat("no urgent kernel ended while ", plan.blocks,
                       " background blocks ran: there is no room for it"));
    }
  }
  TILEBOUND_ASSIGN_OR_RETURN(UrgentLog log, urgent.Finish(tick_ns));
  log.clock_mhz = clock_mhz;
  return log;
}

uint32_t LaunchesFor(uint64_t events) {
  return static_cast<uint32_t>(events + events / 10 + 16);
}

}  // namespace tilebound::gpu
