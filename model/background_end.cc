#include "model/background_end.h"

#include <algorithm>
#include <numeric>

#include "model/arrivals.h"
#include "model/finite_launch.h"
#include "model/parallel.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kArrivalStream = 80;

// Makespans vary little from launch to launch (the last tile of some hundred
// blocks), so a few stand for all.
constexpr uint64_t kLaunches = 64;

}  // namespace

BackgroundEnd::BackgroundEnd(const Background& background,
                             const pb::CellKey& key, uint32_t threads)
    : arrivals_(key.arrivals()),
      stream_(StreamSeed({background.cell.stream, kArrivalStream})),
      launch_ps_(background.launch_ps),
      tile_ps_(background.cell.timing.SoloPs()),
      makespans_ps_(kLaunches) {
  const uint32_t slots = std::max(1u, background.empty_slots);
  rounds_ = (key.urgent_tiles() + slots - 1) / slots;
  ParallelFor(kLaunches, threads, [&](size_t launch) {
    makespans_ps_[launch] =
        MakespanPs(background.cell, background.tasks, launch);
  });
}

double BackgroundEnd::MeanMakespanUs() const {
  return std::accumulate(makespans_ps_.begin(), makespans_ps_.end(), 0.0) *
         1e-6 / kLaunches;
}

int64_t BackgroundEnd::UrgentEndPs(uint64_t event, int64_t newcomer_ps) const {
  Arrivals arrivals(arrivals_, Random(StreamSeed({stream_, event})));
  const int64_t set = arrivals.Next(arrivals.First(0), 0);
  const int64_t begin =
      std::max(set + launch_ps_, makespans_ps_[event % kLaunches]);
  return begin - set + rounds_ * (newcomer_ps + tile_ps_);
}

}  // namespace tilebound::model
