// Suite reserve: slots held free instead of taken back. The background runs on
// saturation less R blocks, and the host launches an urgent kernel of U tiles
// into the slots that are left.
//   e2e        launch call to the host's sight of the last tile's end
//   wait       launch call to the first instruction
//   rate_loss  background rate lost to the R slots, no urgent work running,
//              from repetitions R, 0, 0, R
// The urgent kernel is pinned to what one slot leaves free. Variant
// urgent_unpinned is the kernel that was tuned on an empty SM: it takes all the
// shared memory that a block may have. Whether it fits is arithmetic
// (gpu/harness/reserve_plan.h): where it does not, nothing is launched, and the
// cell says what it needs and what there is.
#include "gpu/suites/reserve.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gpu/harness/reserve_plan.h"
#include "gpu/suites/beside.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 500;
constexpr char kUnpinned[] = "urgent_unpinned";
constexpr uint64_t kRateNs = 20'000'000;
constexpr int kRepetitions = 4;

// The urgent kernel of a cell and whether it may be launched.
struct Urgent {
  KernelEntry entry;
  uint32_t extra_shared_bytes = 0;
  SlotFit fit = {};
};

absl::StatusOr<Urgent> PlanUrgent(const Device& device, const Plan& background,
                                  TileKind tile, const pb::CellKey& key) {
  const bool pinned = key.variant() != kUnpinned;
  Urgent urgent = {.entry = UrgentKernel(tile, pinned)};
  TILEBOUND_ASSIGN_OR_RETURN(const KernelFacts facts,
                             device.Facts(urgent.entry));
  const pb::ResidencyLimits& limits = device.part().limits();
  uint32_t shared = facts.shared_bytes;
  if (!pinned) {
    urgent.extra_shared_bytes = limits.shared_bytes_per_block() - shared;
    shared = limits.shared_bytes_per_block();
  }
  // Slots are left free on the SMs that got the fewest blocks.
  const uint32_t beside = key.blocks() / device.sm_count();
  urgent.fit = FitReserved(
      limits,
      {.threads = background.entry.threads,
       .registers_per_thread =
           static_cast<uint32_t>(background.facts.registers),
       .shared_bytes = background.facts.shared_bytes},
      beside,
      {.threads = urgent.entry.threads,
       .registers_per_thread = static_cast<uint32_t>(facts.registers),
       .shared_bytes = shared});
  return urgent;
}

// Percent, from background runs of equally many tasks.
absl::StatusOr<double> RateLoss(const Workload& work, const Plan& reserved,
                                const Plan& full, const Probe& probe) {
  TILEBOUND_ASSIGN_OR_RETURN(const RunLength length,
                             LengthForTime(probe, kRateNs, full.blocks));
  std::vector<double> ratios;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    double with_us = 0, without_us = 0;
    for (const bool reserve : {true, false, false, true}) {
      TILEBOUND_ASSIGN_OR_RETURN(
          const RunLog log,
          RunBackground(work, reserve ? reserved : full, length));
      (reserve ? with_us : without_us) += log.makespan_us;
    }
    ratios.push_back(without_us / with_us);
  }
  std::nth_element(ratios.begin(), ratios.begin() + kRepetitions / 2,
                   ratios.end());
  return 100 * (1 - ratios[kRepetitions / 2]);
}

absl::StatusOr<pb::Cell> MeasureCell(SuiteContext& context,
                                     const pb::Kernel& kernel,
                                     const pb::CellKey& key) {
  TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile, TileOfKernel(key.kernel()));
  const Device& device = *context.device;
  TILEBOUND_ASSIGN_OR_RETURN(
      const Plan plan, PlanBackground(device, kernel, tile, key.blocks()));
  TILEBOUND_ASSIGN_OR_RETURN(const Urgent urgent,
                             PlanUrgent(device, plan, tile, key));
  pb::Cell cell;
  *cell.mutable_key() = key;
  if (!urgent.fit.fits) {
    *cell.add_metrics() =
        AbsentMetric(kE2e, pb::Metric::SKIPPED,
                     absl::StrCat("urgent kernel ", urgent.fit.reason));
    return cell;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const uint32_t saturation,
                             SaturationOf(device, kernel, tile));
  TILEBOUND_ASSIGN_OR_RETURN(const Plan full,
                             PlanBackground(device, kernel, tile, saturation));
  TILEBOUND_ASSIGN_OR_RETURN(const Workload* work, context.Work(tile, key.k()));
  TILEBOUND_ASSIGN_OR_RETURN(const Probe probe, ProbeGrid(*work, plan));
  const uint64_t events = context.events == 0 ? kEvents : context.events;
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint32_t> gaps,
      Gaps(key.arrivals(), static_cast<uint32_t>(events), context.seed));
  TILEBOUND_ASSIGN_OR_RETURN(
      const auto launches,
      UrgentLaunches::Make(*work, urgent.entry, urgent.extra_shared_bytes,
                           key.urgent_tiles(), LaunchesFor(events)));
  TILEBOUND_ASSIGN_OR_RETURN(
      const UrgentLog log,
      LaunchBeside(*work, plan, probe, gaps, device.facts().timer_tick_ns,
                   *launches));
  const uint64_t warmup = std::min(context.warmup_events / 10, events / 2);
  for (const pb::Metric& metric : UrgentMetrics(log, warmup)) {
    *cell.add_metrics() = metric;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const double loss,
                             RateLoss(*work, plan, full, probe));
  *cell.add_metrics() = ScalarMetric(kRateLoss, loss, 4 * kRepetitions);
  context.clocks_mhz.push_back(log.clock_mhz);
  return cell;
}

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> ReserveCells(
    const SuiteContext& context) {
  std::vector<pb::CellKey> keys;
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    TILEBOUND_ASSIGN_OR_RETURN(const uint32_t saturation,
                               SaturationOf(*context.device, kernel, tile));
    const auto add = [&](uint32_t reserve, uint32_t tiles,
                         const char* variant) {
      if (reserve >= saturation) return;
      pb::CellKey key = KeyOf(context, tile, saturation - reserve);
      key.set_arm(pb::RESERVED);
      key.set_reserve(reserve);
      key.set_urgent_tiles(tiles);
      key.set_setter(pb::HOST);
      key.set_variant(variant);
      keys.push_back(key);
    };
    for (const uint32_t reserve : {1, 2, 4, 8, 16, 32}) {
      for (const uint32_t tiles : {1, 4, 16}) add(reserve, tiles, "default");
    }
    add(1, 1, kUnpinned);
  }
  return keys;
}

absl::Status RunReserve(SuiteContext& context) {
  return ForEachCell(
      context, ReserveCells, kE2e,
      [&context](const pb::Kernel& kernel, const pb::CellKey& key) {
        return MeasureCell(context, kernel, key);
      });
}

}  // namespace tilebound::gpu
