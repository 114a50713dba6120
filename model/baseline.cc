#include "model/baseline.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/background.h"
#include "model/background_end.h"
#include "model/guests.h"

namespace tilebound::model {
namespace {

Histogram WaitsForTheEnd(const BackgroundEnd& end, uint64_t events) {
  Histogram waits(kHostQuantumPs);
  for (uint64_t event = 0; event < events; ++event) {
    waits.Add(static_cast<uint64_t>(end.UrgentEndPs(event, 0)) /
              kHostQuantumPs);
  }
  return waits;
}

}  // namespace

absl::StatusOr<pb::Cell> PredictBaseline(const CellInputs& inputs,
                                         const pb::CellKey& key,
                                         const PredictOptions& options,
                                         uint32_t threads) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  if (const std::string lacks =
          BackgroundNotModelledReason(key, options.sharing);
      !lacks.empty()) {
    for (const char* name : {kWait, kMakespan, kBacklogSlope}) {
      *cell.add_metrics() = AbsentMetric(name, pb::Metric::NOT_MODELLED, lacks);
    }
    return cell;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const Background background,
                             MakeBackground(inputs, key, options));
  const std::string needs_tasks = NeedsBackgroundTasks();
  std::optional<BackgroundEnd> end;
  if (background.tasks > 0) end.emplace(background, key, threads);
  if (background.total_free() > 0) {
    // The wait ends with the urgent work: the host learns of it later.
    *cell.add_metrics() =
        EventsMetric(kWait, GuestTimes(background, key, background.total_free(),
                                       /*newcomer_ps=*/0, end ? &*end : nullptr,
                                       options, threads));
  } else if (end) {
    *cell.add_metrics() =
        EventsMetric(kWait, WaitsForTheEnd(*end, options.events));
  } else {
    *cell.add_metrics() = AbsentMetric(
        kWait, pb::Metric::NOT_MODELLED,
        absl::StrCat(background.envelope,
                     ", so urgent work waits for the end of the background; ",
                     needs_tasks));
  }
  *cell.add_metrics() =
      end ? ScalarMetric(kMakespan, end->MeanMakespanUs(), end->launches())
          : AbsentMetric(kMakespan, pb::Metric::NOT_MODELLED, needs_tasks);
  *cell.add_metrics() =
      ScalarMetric(kBacklogSlope, 1000 / background.cell.tile_rate, 0);
  *cell.add_metrics() = ScalarMetric(
      "tile_time_mean", key.blocks() / background.cell.tile_rate, 0);
  return cell;
}

}  // namespace tilebound::model
