#include "gpu/suites/first_gates.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "gpu/harness/gates.h"
#include "gpu/harness/persistent_run.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 200;
// Long enough under a memory checker too.
constexpr uint64_t kDeadlineNs = 120'000'000'000;

// Blocks that started on each SM.
std::vector<uint32_t> BlocksBySm(const RunLog& log) {
  std::vector<uint32_t> blocks;
  for (const BlockInfo& info : log.block) {
    if (info.sm >= blocks.size()) blocks.resize(info.sm + 1);
    ++blocks[info.sm];
  }
  return blocks;
}

uint64_t Sum(const std::vector<uint8_t>& wrong) {
  uint64_t sum = 0;
  for (uint8_t one : wrong) sum += one;
  return sum;
}

class KernelGates {
 public:
  KernelGates(SuiteContext& context, const pb::Kernel& kernel, Gates& gates)
      : context_(context), kernel_(kernel), gates_(gates) {}

  absl::Status Pass() {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel_.name()));
    TILEBOUND_ASSIGN_OR_RETURN(work_, context_.Work(tile, UsualK(tile)));
    const uint32_t blocks =
        kernel_.min_blocks_per_sm() * context_.device->sm_count();
    TILEBOUND_ASSIGN_OR_RETURN(request_.plan,
                               PlanVariant(*context_.device, kernel_,
                                           {.tile = tile,
                                            .discipline = CopyDiscipline::kAny,
                                            .recording = Recording::kCounters},
                                           blocks));
    TILEBOUND_ASSIGN_OR_RETURN(request_.gaps_ns,
                               Gaps(KeyOf(context_, tile, blocks).arrivals(),
                                    Events(), context_.seed));
    TILEBOUND_RETURN_IF_ERROR(Clean());
    return Poisoned();
  }

 private:
  // No more than the suites', where few are asked for: under a memory checker
  // an event takes a second.
  uint32_t Events() const {
    return static_cast<uint32_t>(
        context_.events == 0 ? kEvents : std::min(kEvents, context_.events));
  }

  absl::Status Clean() {
    request_.deadline_ns = kDeadlineNs;
    request_.discipline = kRunDrain;
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                               RunPersistent(*work_, request_));
    gates_.Check(ResidencyGate(request_.plan.blocks,
                               request_.plan.blocks_per_sm, BlocksBySm(log)));
    gates_.Check(AnomalyGate({.unset = log.unset,
                              .incomplete = log.incomplete,
                              .unobserved = log.unobserved},
                             log.expired));
    gates_.Check(ReferenceGate(absl::StrCat(kernel_.name(), " background"),
                               kBackgroundTilesM * kBackgroundTilesN,
                               log.background_corrupt));
    gates_.Check(ReferenceGate(absl::StrCat(kernel_.name(), " urgent"),
                               log.urgent_corrupt.size(),
                               Sum(log.urgent_corrupt)));
    return gates_.status();
  }

  absl::Status Poisoned() {
    request_.discipline = kRunPoison;
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                               RunPersistent(*work_, request_));
    gates_.Check(
        PoisonGate(log.urgent_corrupt.size(), Sum(log.urgent_corrupt)));
    return gates_.status();
  }

  SuiteContext& context_;
  const pb::Kernel& kernel_;
  Gates& gates_;
  const Workload* work_ = nullptr;
  RunRequest request_;
};

}  // namespace

absl::StatusOr<std::string> PassFirstGates(SuiteContext& context) {
  Gates gates;
  gates.Check(TimerTickGate(context.device->facts().timer_tick_ns));
  TILEBOUND_RETURN_IF_ERROR(gates.status());
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_RETURN_IF_ERROR(KernelGates(context, kernel, gates).Pass());
  }
  return gates.Summary();
}

}  // namespace tilebound::gpu
