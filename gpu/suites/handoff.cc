#include "gpu/suites/handoff.h"

#include <algorithm>

#include "data/schema/metric.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/suites/handoff_stats.h"
#include "gpu/suites/host_setter.h"
#include "gpu/suites/overhead.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 10'000;
// Far beyond what a launch takes; ends one that is stuck.
constexpr uint64_t kSlackNs = 30'000'000'000;

void AddBoundarySurface(const SuiteContext& context, TileKind tile,
                        uint32_t most_per_sm, std::vector<pb::CellKey>& keys) {
  for (uint32_t per_sm = 1; per_sm <= most_per_sm; ++per_sm) {
    for (uint32_t period : {1, 2, 4, 8}) {
      keys.push_back(KeyOf(context, tile, per_sm * context.device->sm_count()));
      keys.back().set_period(period);
    }
  }
}

// A cell at saturation that differs from the default in so much.
struct Variation {
  pb::Site site;
  const char* variant;
  pb::Discipline discipline;
  pb::Setter setter = pb::DEVICE;
};

std::vector<Variation> VariationsOf(TileKind tile) {
  std::vector<Variation> all = {
      {pb::FOLDED, "default", pb::DRAIN},
      {pb::BOUNDARY, "default", pb::DRAIN, pb::HOST},
      {pb::BOUNDARY, "mapped_flag", pb::DRAIN, pb::HOST}};
  if (tile == TileKind::kTensor128) {
    all.push_back({pb::BOUNDARY, "sync_flag", pb::DRAIN});
    all.push_back({pb::BOUNDARY, "pipelined_flag", pb::DRAIN});
  }
  if (tile != TileKind::kSgemm64) {
    all.push_back({pb::STAGE, "default", pb::DRAIN});
    all.push_back({pb::STAGE, "pipelined_flag", pb::DRAIN});
    all.push_back({pb::ISSUE, "default", pb::DRAIN});
    all.push_back({pb::ISSUE, "default", pb::NAIVE});
  }
  return all;
}

class HandoffCell {
 public:
  HandoffCell(SuiteContext& context, const pb::Kernel& kernel,
              const pb::CellKey& key)
      : context_(context), kernel_(kernel), key_(key) {}

  absl::StatusOr<pb::Cell> Measure() {
    TILEBOUND_ASSIGN_OR_RETURN(plan_,
                               PlanCell(*context_.device, kernel_, key_));
    TILEBOUND_ASSIGN_OR_RETURN(
        work_, context_.Work(plan_.entry.variant.tile, key_.k()));
    HandoffStats stats(
        {.quantum_ns = context_.device->facts().timer_tick_ns,
         .setter_block = key_.setter() == pb::HOST ? kNoSetterBlock : 0,
         .warmup = context_.warmup_events});
    TILEBOUND_RETURN_IF_ERROR(RunEvents(stats));
    pb::Cell cell;
    *cell.mutable_key() = key_;
    for (pb::Metric& metric : stats.Metrics()) {
      *cell.add_metrics() = std::move(metric);
    }
    if (key_.setter() == pb::HOST) {
      *cell.add_metrics() = ScalarMetric(kClockError, clock_error_us_, 1);
    } else {
      const auto overhead =
          MeasureOverhead(*context_.device, kernel_, key_, *work_);
      if (absl::IsUnavailable(overhead.status())) return overhead.status();
      if (!overhead.ok()) {
        *cell.add_metrics() = AbsentMetric(kOverhead, pb::Metric::FAILED,
                                           overhead.status().message());
      } else {
        for (const pb::Metric& metric : *overhead) {
          *cell.add_metrics() = metric;
        }
      }
    }
    context_.clocks_mhz.push_back(clock_mhz_);
    return cell;
  }

 private:
  absl::Status RunEvents(HandoffStats& stats) {
    const uint64_t wanted = (context_.events != 0 ? context_.events : kEvents) +
                            context_.warmup_events;
    TILEBOUND_ASSIGN_OR_RETURN(
        const uint32_t at_once,
        EventsThatFit(plan_.entry.variant.tile, key_.urgent_tiles(),
                      key_.blocks(), GivesTilesUp(plan_.entry.variant.site)));
    uint64_t seed = context_.seed;
    for (uint64_t left = wanted; left != 0;) {
      const uint32_t events =
          static_cast<uint32_t>(std::min<uint64_t>(left, at_once));
      left -= events;
      TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, Launch(events, seed++));
      stats.Add(log);
      clock_mhz_ = log.clock_mhz;
      if (log.expired) {
        return absl::DeadlineExceededError(
            absl::StrCat("the kernel ended at its deadline with ",
                         log.incomplete, " of ", events, " events to do"));
      }
      if (log.most_blocks_on_an_sm != plan_.blocks_per_sm) {
        return absl::FailedPreconditionError(
            absl::StrCat("uneven placement: ", log.most_blocks_on_an_sm,
                         " blocks on one SM, planned ", plan_.blocks_per_sm));
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<RunLog> Launch(uint32_t events, uint64_t seed) {
    RunRequest request;
    request.plan = plan_;
    request.period = key_.period();
    request.urgent_tiles = key_.urgent_tiles();
    TILEBOUND_ASSIGN_OR_RETURN(request.gaps_ns,
                               Gaps(key_.arrivals(), events, seed));
    request.deadline_ns =
        kSlackNs + 4 * uint64_t{events} * key_.arrivals().max_gap_ns();
    if (key_.setter() != pb::HOST) return RunPersistent(*work_, request);
    request.mapped_flag = key_.variant() == "mapped_flag";
    TILEBOUND_ASSIGN_OR_RETURN(HostSetRun run, RunHostSetter(*work_, request));
    clock_error_us_ = std::max(clock_error_us_, run.clock_error_us);
    return std::move(run.log);
  }

  SuiteContext& context_;
  const pb::Kernel& kernel_;
  const pb::CellKey& key_;
  Plan plan_;
  const Workload* work_ = nullptr;
  double clock_mhz_ = 0;
  double clock_error_us_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> HandoffCells(
    const SuiteContext& context) {
  std::vector<pb::CellKey> keys;
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    const uint32_t most = kernel.min_blocks_per_sm();
    AddBoundarySurface(context, tile, most, keys);
    for (const Variation& variation : VariationsOf(tile)) {
      pb::CellKey key = KeyOf(context, tile, most * context.device->sm_count());
      key.set_site(variation.site);
      key.set_variant(variation.variant);
      key.set_discipline(variation.discipline);
      key.set_setter(variation.setter);
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

absl::Status RunHandoff(SuiteContext& context) {
  context.results->conditions().set_events(context.events != 0 ? context.events
                                                               : kEvents);
  return ForEachCell(context, HandoffCells, kLatency,
                     [&](const pb::Kernel& kernel, const pb::CellKey& key) {
                       return HandoffCell(context, kernel, key).Measure();
                     });
}

}  // namespace tilebound::gpu
