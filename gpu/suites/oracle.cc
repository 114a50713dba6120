#include "gpu/suites/oracle.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/metric.h"
#include "gpu/harness/interrupt.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/harness/probe.h"
#include "gpu/recorder/collector.h"
#include "gpu/recorder/device_rings.h"
#include "gpu/suites/exactly_once.h"
#include "gpu/suites/trace_promise.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kUrgentTiles = 16;
// The published study counted 185 million over its configurations. One kernel
// goes as far; the others show that their code is no different.
constexpr uint64_t kCounted = 150'000'000;
constexpr uint64_t kCountedOthers = 20'000'000;
constexpr uint64_t kRecorded = 10'000'000;
// Tasks of one launch: counters of half a gigabyte.
constexpr uint64_t kMostTasksAtOnce = 100'000'000;
// From set to complete, at a guess; only run lengths depend on it.
constexpr uint64_t kEventNs = 50'000;

uint64_t MeanGapNs(const pb::CellKey& key) {
  return (key.arrivals().min_gap_ns() + key.arrivals().max_gap_ns()) / 2;
}

RuntimeDiscipline DisciplineOf(const pb::CellKey& key) {
  return key.discipline() == pb::NAIVE ? kRunNaive : kRunDrain;
}

class OracleCell {
 public:
  OracleCell(SuiteContext& context, const pb::Kernel& kernel,
             const pb::CellKey& key)
      : context_(context), kernel_(kernel), key_(key) {}

  absl::StatusOr<pb::Cell> Measure() {
    TILEBOUND_ASSIGN_OR_RETURN(counting_, PlanFor(Recording::kCounters));
    TILEBOUND_ASSIGN_OR_RETURN(
        work_, context_.Work(counting_.entry.variant.tile, key_.k()));
    TILEBOUND_RETURN_IF_ERROR(FindRate());
    ExactlyOnce verdict;
    TILEBOUND_RETURN_IF_ERROR(Count(verdict));
    if (!context_.trace_out.empty()) TILEBOUND_RETURN_IF_ERROR(Record());
    return CellOf(verdict);
  }

 private:
  absl::StatusOr<Plan> PlanFor(Recording recording) const {
    TILEBOUND_ASSIGN_OR_RETURN(
        const KernelVariant variant,
        VariantOfKey(key_, recording, Control::kPolling));
    return PlanVariant(*context_.device, kernel_, variant, key_.blocks());
  }

  RunRequest Request(const Plan& plan) const {
    RunRequest request;
    request.plan = plan;
    request.period = key_.period();
    request.urgent_tiles = key_.urgent_tiles();
    request.discipline = DisciplineOf(key_);
    return request;
  }

  // Tasks per second without events, from launches that grow until they are
  // long enough to tell.
  absl::Status FindRate() {
    // Without events there is nothing to set: the instantiation without a
    // setter.
    pb::CellKey key = key_;
    key.set_setter(pb::HOST);
    TILEBOUND_ASSIGN_OR_RETURN(
        const KernelVariant variant,
        VariantOfKey(key, Recording::kNone, Control::kPolling));
    TILEBOUND_ASSIGN_OR_RETURN(
        const Plan plan,
        PlanVariant(*context_.device, kernel_, variant, key.blocks()));
    probe_.tasks = uint64_t{key_.blocks()} * 16;
    while (true) {
      RunRequest request = Request(plan);
      request.tasks = probe_.tasks;
      request.check_outputs = false;
      TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                                 RunPersistent(*work_, request));
      probe_.elapsed_ns = static_cast<uint64_t>(log.makespan_us * 1e3);
      const absl::StatusOr<double> rate = TasksPerSecond(probe_);
      if (rate.ok() && probe_.elapsed_ns > 2'000'000) {
        tasks_per_second_ = *rate;
        return absl::OkStatus();
      }
      if (log.expired) {
        return absl::DeadlineExceededError("the probe hit its deadline");
      }
      probe_.tasks = NextProbeTasks(probe_);
    }
  }

  // Events during which the grid executes so many tasks.
  uint64_t EventsFor(uint64_t tasks) const {
    const double seconds = static_cast<double>(tasks) / tasks_per_second_;
    return static_cast<uint64_t>(
               seconds * 1e9 /
               static_cast<double>(MeanGapNs(key_) + kEventNs)) +
           1;
  }

  absl::StatusOr<RunLength> LengthFor(uint64_t events) const {
    return LengthForEvents(probe_, {.events = events,
                                    .mean_gap_ns = MeanGapNs(key_),
                                    .event_ns = kEventNs,
                                    .blocks = key_.blocks()});
  }

  absl::Status Count(ExactlyOnce& verdict) {
    TILEBOUND_ASSIGN_OR_RETURN(
        const uint32_t at_once,
        EventsThatFit(counting_.entry.variant.tile, key_.urgent_tiles(),
                      key_.blocks(),
                      GivesTilesUp(counting_.entry.variant.site)));
    uint64_t seed = context_.seed;
    while (!Enough(verdict)) {
      if (Interrupted()) return absl::CancelledError("interrupted");
      const uint64_t events = std::min<uint64_t>(at_once, EventsLeft(verdict));
      TILEBOUND_ASSIGN_OR_RETURN(const RunLength length, LengthFor(events));
      RunRequest request = Request(counting_);
      TILEBOUND_ASSIGN_OR_RETURN(
          request.gaps_ns,
          Gaps(key_.arrivals(), static_cast<uint32_t>(events), seed++));
      // Room for all that the events can take; they end the run.
      request.tasks = length.tasks;
      request.count_executions = true;
      request.deadline_ns = length.deadline_ns;
      TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                                 RunPersistent(*work_, request));
      verdict.Add(log);
      if (log.expired) {
        return absl::DeadlineExceededError(
            absl::StrCat("the kernel ended at its deadline with ",
                         log.incomplete, " of ", events, " events to do"));
      }
      context_.clocks_mhz.push_back(log.clock_mhz);
    }
    return absl::OkStatus();
  }

  // --events asks for so many events, whatever they count.
  bool Enough(const ExactlyOnce& verdict) const {
    if (context_.events != 0) return verdict.events >= context_.events;
    return verdict.executions >= Target();
  }
  uint64_t EventsLeft(const ExactlyOnce& verdict) const {
    const uint64_t most = EventsFor(kMostTasksAtOnce);
    if (context_.events != 0) {
      return std::min(most, context_.events - verdict.events);
    }
    // A little more, so that a guess that was short does not cost a launch.
    const uint64_t left = Target() - verdict.executions;
    return std::min(most, EventsFor(left + left / 16));
  }
  uint64_t Target() const {
    return counting_.entry.variant.tile == TileKind::kSgemm64Cpasync
               ? kCounted
               : kCountedOthers;
  }

  absl::Status Record() {
    TILEBOUND_ASSIGN_OR_RETURN(const Plan plan, PlanFor(Recording::kTrace));
    const uint64_t events = context_.events != 0
                                ? context_.events
                                : EventsFor(kRecorded + kRecorded / 4);
    TILEBOUND_ASSIGN_OR_RETURN(const RunLength length, LengthFor(events));
    RunRequest request = Request(plan);
    TILEBOUND_ASSIGN_OR_RETURN(
        request.gaps_ns,
        Gaps(key_.arrivals(), static_cast<uint32_t>(events), context_.seed));
    request.deadline_ns = length.deadline_ns;
    request.records_per_block = static_cast<uint32_t>(std::min<uint64_t>(
        RecordsPerBlock(length.tasks, plan.blocks, events, key_.urgent_tiles()),
        RecorderMemory::MostRecordsPerBlock(plan.blocks)));
    TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
                               PersistentRun::Make(*work_, request));
    TILEBOUND_RETURN_IF_ERROR(run.Launch());
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, run.Finish());
    pb::TraceHeader header = TracePromise(
        key_, plan.blocks_per_sm, ShapeOf(plan.entry.variant.tile).chunk_k,
        context_.device->quantum_ps());
    header.set_tasks(log.tasks);
    header.set_events(log.events);
    header.set_seed(context_.seed);
    TILEBOUND_ASSIGN_OR_RETURN(DeviceRings rings,
                               DeviceRings::Read(*run.recorder()));
    const std::string path = TracePath(context_.trace_out, key_);
    TILEBOUND_ASSIGN_OR_RETURN(const CollectSummary summary,
                               CollectTrace(rings, header, {}, path));
    if (summary.dropped == 0 && !log.expired) return absl::OkStatus();
    return absl::ResourceExhaustedError(absl::StrCat(
        path, ": ", summary.dropped, " of ", summary.records, " records lost",
        log.expired ? ", and the kernel ended at its deadline" : ""));
  }

  pb::Cell CellOf(const ExactlyOnce& verdict) const {
    pb::Cell cell;
    *cell.mutable_key() = key_;
    const auto add = [&cell](const char* name, uint64_t value, uint64_t n) {
      *cell.add_metrics() = ScalarMetric(name, static_cast<double>(value), n);
    };
    add("executions", verdict.executions, verdict.executions);
    add("duplicates", verdict.tasks_wrong, verdict.executions);
    if (verdict.wrong() == 0) {
      add("violations", 0, verdict.executions + verdict.urgent);
    } else {
      *cell.add_metrics() = AbsentMetric(
          "violations", pb::Metric::FAILED,
          absl::StrCat(verdict.tasks_wrong, " tasks and ", verdict.urgent_wrong,
                       " urgent tiles not executed once, ", verdict.anomalies,
                       " events anomalous"));
    }
    add("corrupt", verdict.corrupt, verdict.urgent);
    add("conflicts", verdict.conflicts, verdict.urgent);
    add("anomalies", verdict.anomalies, verdict.events);
    return cell;
  }

  SuiteContext& context_;
  const pb::Kernel& kernel_;
  const pb::CellKey& key_;
  Plan counting_;
  const Workload* work_ = nullptr;
  Probe probe_;
  double tasks_per_second_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> OracleCells(
    const SuiteContext& context) {
  struct Kind {
    pb::Site site;
    pb::Discipline discipline;
  };
  std::vector<pb::CellKey> keys;
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    std::vector<Kind> kinds = {{pb::BOUNDARY, pb::DRAIN}};
    if (tile != TileKind::kSgemm64) {
      kinds.push_back({pb::STAGE, pb::DRAIN});
      kinds.push_back({pb::ISSUE, pb::NAIVE});
    }
    kinds.push_back({pb::FOLDED, pb::DRAIN});
    for (const Kind& kind : kinds) {
      pb::CellKey key =
          KeyOf(context, tile,
                kernel.min_blocks_per_sm() * context.device->sm_count());
      key.set_site(kind.site);
      key.set_discipline(kind.discipline);
      key.set_urgent_tiles(kUrgentTiles);
      keys.push_back(std::move(key));
    }
  }
  return keys;
}

absl::Status RunOracle(SuiteContext& context) {
  return ForEachCell(context, OracleCells, "violations",
                     [&](const pb::Kernel& kernel, const pb::CellKey& key) {
                       return OracleCell(context, kernel, key).Measure();
                     });
}

}  // namespace tilebound::gpu
