#include "gpu/suites/overhead.h"

#include <algorithm>

#include "data/schema/metric.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/harness/probe.h"

namespace tilebound::gpu {
namespace {

// Long against a tile and against launching, short enough to repeat.
constexpr uint64_t kRunNs = 6'000'000;
// Long enough under a memory checker too.
constexpr uint64_t kDeadlineNs = 120'000'000'000;

class Runner {
 public:
  Runner(const Device& device, const pb::Kernel& kernel, const pb::CellKey& key,
         const Workload& work)
      : device_(device), kernel_(kernel), key_(key), work_(work) {}

  absl::StatusOr<Plan> PlanFor(Control control) {
    pb::CellKey key = key_;
    // No events: the instantiation without a setter.
    key.set_setter(pb::HOST);
    TILEBOUND_ASSIGN_OR_RETURN(const KernelVariant variant,
                               VariantOfKey(key, Recording::kNone, control));
    return PlanVariant(device_, kernel_, variant, key.blocks());
  }

  absl::Status Usable(Control control) { return PlanFor(control).status(); }

  absl::StatusOr<RunLog> Run(Control control, uint64_t tasks) {
    RunRequest request;
    TILEBOUND_ASSIGN_OR_RETURN(request.plan, PlanFor(control));
    request.period = key_.period();
    request.tasks = tasks;
    request.check_outputs = false;
    request.deadline_ns = kDeadlineNs;
    TILEBOUND_ASSIGN_OR_RETURN(RunLog log, RunPersistent(work_, request));
    if (log.expired) {
      return absl::DeadlineExceededError("an overhead run hit its deadline");
    }
    return log;
  }

  // Tasks that take kRunNs.
  absl::Status Probe() {
    gpu::Probe probe = {.tasks = uint64_t{key_.blocks()} * 8};
    for (;;) {
      TILEBOUND_ASSIGN_OR_RETURN(const RunLog log,
                                 Run(Control::kPlain, probe.tasks));
      probe.elapsed_ns = static_cast<uint64_t>(log.makespan_us * 1e3);
      if (probe.elapsed_ns > kRunNs / 10) break;
      probe.tasks = NextProbeTasks(probe);
    }
    TILEBOUND_ASSIGN_OR_RETURN(const RunLength length,
                               LengthForTime(probe, kRunNs, key_.blocks()));
    tasks_ = length.tasks;
    return absl::OkStatus();
  }

  absl::StatusOr<double> Makespan(Control control) {
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, Run(control, tasks_));
    return log.makespan_us;
  }

  uint64_t tasks() const { return tasks_; }

 private:
  const Device& device_;
  const pb::Kernel& kernel_;
  const pb::CellKey& key_;
  const Workload& work_;
  uint64_t tasks_ = 0;
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

}  // namespace

absl::StatusOr<std::vector<pb::Metric>> MeasureOverhead(
    const Device& device, const pb::Kernel& kernel, const pb::CellKey& key,
    const Workload& work) {
  Runner runner(device, kernel, key, work);
  // A control that the compiler makes spill is no control; then there is only
  // the loop without checkpoint code to compare with.
  const absl::Status control = runner.Usable(Control::kDummy);
  if (absl::IsUnavailable(control)) return control;
  TILEBOUND_RETURN_IF_ERROR(runner.Probe());
  std::vector<double> over_dummy, over_plain, makespans;
  for (int repetition = 0; repetition < kOverheadRepetitions; ++repetition) {
    const Control other = control.ok() ? Control::kDummy : Control::kPlain;
    TILEBOUND_ASSIGN_OR_RETURN(const double plain,
                               runner.Makespan(Control::kPlain));
    TILEBOUND_ASSIGN_OR_RETURN(const double dummy_1, runner.Makespan(other));
    TILEBOUND_ASSIGN_OR_RETURN(const double polling_1,
                               runner.Makespan(Control::kPolling));
    TILEBOUND_ASSIGN_OR_RETURN(const double polling_2,
                               runner.Makespan(Control::kPolling));
    TILEBOUND_ASSIGN_OR_RETURN(const double dummy_2, runner.Makespan(other));
    const double polling = (polling_1 + polling_2) / 2;
    over_dummy.push_back(100 * (2 * polling / (dummy_1 + dummy_2) - 1));
    over_plain.push_back(100 * (polling / plain - 1));
    makespans.push_back(polling);
  }
  const auto [least, most] =
      std::minmax_element(over_dummy.begin(), over_dummy.end());
  const uint64_t n = over_dummy.size();
  std::vector<pb::Metric> metrics;
  if (control.ok()) {
    metrics = {ScalarMetric(kOverhead, Median(over_dummy), n),
               ScalarMetric("overhead_min", *least, n),
               ScalarMetric("overhead_max", *most, n)};
  } else {
    metrics = {AbsentMetric(kOverhead, pb::Metric::SKIPPED, control.message())};
  }
  metrics.push_back(ScalarMetric("overhead_over_plain", Median(over_plain), n));
  metrics.push_back(ScalarMetric(kMakespan, Median(makespans), runner.tasks()));
  return metrics;
}

}  // namespace tilebound::gpu
