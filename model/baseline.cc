#include "model/baseline.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/arrivals.h"
#include "model/background.h"
#include "model/finite_launch.h"
#include "model/guests.h"
#include "model/parallel.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kArrivalStream = 80;

// Makespans vary little from launch to launch (the last tile of some hundred
// blocks), so a few stand for all.
constexpr uint64_t kLaunches = 64;

std::vector<int64_t> Makespans(const Background& background, uint32_t threads) {
  std::vector<int64_t> makespans(kLaunches);
  ParallelFor(kLaunches, threads, [&](size_t launch) {
    makespans[launch] = MakespanPs(background.cell, background.tasks, launch);
  });
  return makespans;
}

// Urgent work that comes a gap after the launch runs on an empty device once
// the background has ended.
Histogram WaitsForTheEnd(const Background& background, const pb::CellKey& key,
                         const std::vector<int64_t>& makespans,
                         uint32_t part_slots, uint64_t events) {
  Histogram waits(kHostQuantumPs);
  Arrivals arrivals(
      key.arrivals(),
      Random(StreamSeed({background.cell.stream, kArrivalStream})));
  const uint32_t rounds = (key.urgent_tiles() + part_slots - 1) / part_slots;
  const int64_t alone_ps = rounds * background.cell.timing.SoloPs();
  for (uint64_t event = 0; event < events; ++event) {
    arrivals.First(0);
    const int64_t come = arrivals.Next(0, 0);
    const int64_t ready = come + background.launch_ps;
    const int64_t end =
        std::max(ready, makespans[event % kLaunches]) + alone_ps;
    waits.Add(static_cast<uint64_t>(end - come) / kHostQuantumPs);
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
  std::vector<int64_t> makespans;
  if (background.tasks > 0) makespans = Makespans(background, threads);
  const std::string needs_tasks =
      absl::StrCat("how many tiles a launch has (", kBackgroundTasks,
                   ") is not in the calibration");
  if (background.total_free() > 0) {
    // The wait ends with the urgent work: the host learns of it later.
    *cell.add_metrics() =
        EventsMetric(kWait, GuestTimes(background, key, background.total_free(),
                                       /*newcomer_ps=*/0, options, threads));
  } else if (!makespans.empty()) {
    *cell.add_metrics() =
        EventsMetric(kWait, WaitsForTheEnd(background, key, makespans,
                                           key.blocks(), options.events));
  } else {
    *cell.add_metrics() = AbsentMetric(
        kWait, pb::Metric::NOT_MODELLED,
        absl::StrCat(background.envelope,
                     ", so urgent work waits for the end of the background; ",
                     needs_tasks));
  }
  if (makespans.empty()) {
    *cell.add_metrics() =
        AbsentMetric(kMakespan, pb::Metric::NOT_MODELLED, needs_tasks);
  } else {
    double sum_us = 0;
    for (int64_t ps : makespans) sum_us += static_cast<double>(ps) * 1e-6;
    *cell.add_metrics() =
        ScalarMetric(kMakespan, sum_us / kLaunches, kLaunches);
  }
  *cell.add_metrics() =
      ScalarMetric(kBacklogSlope, 1000 / background.cell.tile_rate, 0);
  *cell.add_metrics() = ScalarMetric(
      "tile_time_mean", key.blocks() / background.cell.tile_rate, 0);
  return cell;
}

}  // namespace tilebound::model
