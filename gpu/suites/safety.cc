// Suite safety: are outputs right when a block yields in the middle of a tile?
//
//   drain    waits for the copies in flight before it reuses their buffers
//   naive    does not: what the memory model forbids and hardware may forgive
//   poison   control: corrupts what was copied, so that every urgent output is
//            wrong; a check that misses one proves nothing
//
// at every site of every tile, against float64: urgent outputs, tiles that were
// abandoned and run again, and the background's. conflicts counts the yields
// with copies in flight, which is what makes a drained yield worth counting;
// at stage and folded sites that depends on the chunk, at issue sites copies
// are always in flight, at boundaries never.
#include "gpu/suites/safety.h"

#include <algorithm>
#include <string>
#include <vector>

#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "gpu/harness/interrupt.h"
#include "gpu/suites/beside.h"
#include "gpu/suites/safety_counts.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 10'000;
// Shorter than a surface's: what counts is how many yields there are.
constexpr uint64_t kMinGapNs = 20'000;
constexpr uint64_t kMaxGapNs = 60'000;
// Long enough under a memory checker too.
constexpr uint64_t kDeadlineNs = 120'000'000'000;

RuntimeDiscipline RuntimeOf(pb::Discipline discipline) {
  switch (discipline) {
    case pb::NAIVE:
      return kRunNaive;
    case pb::POISON:
      return kRunPoison;
    default:
      return kRunDrain;
  }
}

// As many launches as it takes for the outputs to fit the memory.
absl::StatusOr<SafetyCounts> Measure(SuiteContext& context,
                                     const pb::Kernel& kernel,
                                     const pb::CellKey& key) {
  TILEBOUND_ASSIGN_OR_RETURN(
      KernelVariant variant,
      VariantOfKey(key, Recording::kCounters, Control::kPolling));
  variant.discipline = CopyDiscipline::kAny;
  TILEBOUND_ASSIGN_OR_RETURN(
      const Plan plan,
      PlanVariant(*context.device, kernel, variant, key.blocks()));
  TILEBOUND_ASSIGN_OR_RETURN(const Workload* work,
                             context.Work(variant.tile, key.k()));
  TILEBOUND_ASSIGN_OR_RETURN(
      const uint32_t at_once,
      EventsThatFit(variant.tile, key.urgent_tiles(), key.blocks(),
                    /*restarts=*/true));
  const uint64_t events = context.events == 0 ? kEvents : context.events;
  SafetyCounts counts;
  while (counts.events < events) {
    const auto some = static_cast<uint32_t>(
        std::min<uint64_t>(at_once, events - counts.events));
    RunRequest request;
    request.plan = plan;
    request.period = key.period();
    request.urgent_tiles = key.urgent_tiles();
    TILEBOUND_ASSIGN_OR_RETURN(
        request.gaps_ns,
        Gaps(key.arrivals(), some, context.seed + counts.events));
    request.discipline = RuntimeOf(key.discipline());
    request.deadline_ns = kDeadlineNs;
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, RunPersistent(*work, request));
    if (log.expired) {
      return absl::DeadlineExceededError(
          "the kernel ended itself at its deadline");
    }
    counts.Add(log);
    context.clocks_mhz.push_back(log.clock_mhz);
  }
  return counts;
}

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> SafetyCells(
    const SuiteContext& context) {
  std::vector<pb::CellKey> keys;
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    TILEBOUND_ASSIGN_OR_RETURN(const uint32_t saturation,
                               SaturationOf(*context.device, kernel, tile));
    for (const std::string& name : kernel.programs(0).sites()) {
      TILEBOUND_ASSIGN_OR_RETURN(const pb::Site site, ParseSite(name));
      for (const pb::Discipline discipline :
           {pb::DRAIN, pb::NAIVE, pb::POISON}) {
        // Between tiles nothing is in flight: naive is drain.
        if (site == pb::BOUNDARY && discipline == pb::NAIVE) continue;
        pb::CellKey key = KeyOf(context, tile, saturation);
        key.set_site(site);
        key.set_discipline(discipline);
        key.mutable_arrivals()->set_min_gap_ns(kMinGapNs);
        key.mutable_arrivals()->set_max_gap_ns(kMaxGapNs);
        KernelVariant variant;
        TILEBOUND_ASSIGN_OR_RETURN(
            variant,
            VariantOfKey(key, Recording::kCounters, Control::kPolling));
        variant.discipline = CopyDiscipline::kAny;
        if (FindKernel(variant) != nullptr) keys.push_back(key);
      }
    }
  }
  return keys;
}

absl::Status RunSafety(SuiteContext& context) {
  TILEBOUND_ASSIGN_OR_RETURN(std::vector<pb::CellKey> keys,
                             SafetyCells(context));
  if (!context.cells.empty()) keys = context.cells;
  for (const pb::CellKey& key : keys) {
    const pb::Kernel* kernel = FindKernelFile(context, key.kernel());
    if (kernel == nullptr || context.results->Has(key)) continue;
    if (Interrupted()) return absl::CancelledError("interrupted");
    const absl::StatusOr<SafetyCounts> counts = Measure(context, *kernel, key);
    if (absl::IsUnavailable(counts.status())) return counts.status();
    // The cell is kept before its gates are asked, so that a failure can be
    // looked at.
    TILEBOUND_RETURN_IF_ERROR(context.results->Add(
        counts.ok() ? SafetyCell(key, *counts)
                    : CellWithoutResult(key, "corrupt", counts.status())));
    if (counts.ok()) TILEBOUND_RETURN_IF_ERROR(CheckSafetyGates(key, *counts));
    if (context.progress != nullptr) context.progress->Add(1);
  }
  return absl::OkStatus();
}

}  // namespace tilebound::gpu
