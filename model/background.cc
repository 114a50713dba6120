#include "model/background.h"

#include <cmath>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "model/occupancy.h"

namespace tilebound::model {
namespace {

constexpr double kMostHostDelayUs = 100'000;
constexpr uint64_t kEventsForTail = 10'000;

absl::StatusOr<double> HostDelayUs(const pb::Calibration& calibration,
                                   absl::string_view quantity, double most_us) {
  TILEBOUND_ASSIGN_OR_RETURN(const double us,
                             CalibrationNumber(calibration, quantity));
  if (us <= most_us) return us;
  return absl::InvalidArgumentError(absl::StrCat(
      "the calibration of ", calibration.kernel(), " on ", calibration.part(),
      " has ", quantity, " ", us, " us; up to ", most_us, " is accepted"));
}

// The kernel that urgent work is launched as.
pb::Kernel UrgentKernel(const pb::Kernel& kernel) {
  pb::Kernel urgent = kernel;
  if (!kernel.has_urgent()) return urgent;
  urgent.set_threads_per_block(kernel.urgent().threads_per_block());
  urgent.set_registers_per_thread(kernel.urgent().registers_per_thread());
  urgent.set_shared_bytes_per_block(kernel.urgent().shared_bytes_per_block());
  return urgent;
}

}  // namespace

pb::CellKey WorkerKey(pb::CellKey key) {
  key.set_arm(pb::NONE);
  key.set_reserve(0);
  key.set_setter(pb::DEVICE);
  key.set_urgent_tiles(1);
  return key;
}

uint32_t Background::total_free() const {
  return std::accumulate(free_slots.begin(), free_slots.end(), 0u);
}

std::string BackgroundNotModelledReason(const pb::CellKey& key,
                                        Sharing sharing) {
  if (key.setter() != pb::HOST) {
    return absl::StrCat("arm ", ArmName(key.arm()), " with setter ",
                        SetterName(key.setter()),
                        ": a kernel is launched by the host");
  }
  if (sharing == Sharing::kIid) {
    return absl::StrCat("arm ", ArmName(key.arm()),
                        " with sharing iid, which knows no slots");
  }
  if (key.cluster_size() != 1) {
    return absl::StrCat("cluster size ", key.cluster_size());
  }
  if (key.urgent_tiles() == 0) return "events without urgent tiles";
  if (key.urgent_tiles() > kMostUrgentTiles) {
    return absl::StrCat("over ", kMostUrgentTiles, " urgent tiles");
  }
  return "";
}

absl::StatusOr<Background> MakeBackground(const CellInputs& inputs,
                                          const pb::CellKey& key,
                                          const PredictOptions& options) {
  TILEBOUND_ASSIGN_OR_RETURN(
      CellModel cell,
      MakeCellModel(inputs.part, inputs.kernel, inputs.calibration,
                    WorkerKey(key), options.sharing, options.seed));
  Background background{};
  background.cell = std::move(cell);
  TILEBOUND_ASSIGN_OR_RETURN(
      const double launch_us,
      HostDelayUs(inputs.calibration, kLaunchDelay, kMostHostDelayUs));
  TILEBOUND_ASSIGN_OR_RETURN(
      const double completion_us,
      HostDelayUs(inputs.calibration, kCompletionDelay, launch_us));
  background.launch_ps = std::llround((launch_us - completion_us) * 1e6);
  background.completion_ps = std::llround(completion_us * 1e6);
  background.tasks = options.background_tasks;
  if (background.tasks == 0 &&
      FindCalibrationValue(inputs.calibration, kBackgroundTasks) != nullptr) {
    TILEBOUND_ASSIGN_OR_RETURN(const double tasks,
                               HostDelayUs(inputs.calibration, kBackgroundTasks,
                                           kMostBackgroundTasks));
    background.tasks = static_cast<uint64_t>(tasks);
  }
  const pb::Kernel urgent = UrgentKernel(inputs.kernel);
  const Placement& placement = background.cell.placement;
  for (uint32_t sm = 0; sm < placement.sm_count(); ++sm) {
    background.free_slots.push_back(OccupancyBeside(inputs.part, inputs.kernel,
                                                    placement.BlocksOn(sm),
                                                    urgent)
                                        .blocks_per_sm);
  }
  background.empty_slots = placement.sm_count() *
                           ComputeOccupancy(inputs.part, urgent).blocks_per_sm;
  if (background.total_free() == 0) {
    background.envelope = absl::StrCat(
        "no block of the urgent kernel fits beside ", key.blocks(), " of ",
        inputs.kernel.name(), ": ",
        OccupancyBeside(inputs.part, inputs.kernel,
                        placement.BlocksOn(placement.sm_count() - 1), urgent)
            .ToString());
  }
  return background;
}

std::string NeedsBackgroundTasks() {
  return absl::StrCat(
      "how many tiles a launch of the background has is not known: say it with "
      "--",
      kBackgroundTasks, "=N, or declare ", kBackgroundTasks,
      " in the calibration");
}

pb::Metric EventsMetric(absl::string_view name, const Histogram& histogram) {
  pb::Metric metric = HistogramMetric(name, histogram);
  if (metric.n() < kEventsForTail) {
    metric.set_soft_reason(
        absl::StrCat("p99 from fewer than ", kEventsForTail, " events"));
    metric.add_soft_q(0.99);
  }
  return metric;
}

}  // namespace tilebound::model
