#include "model/observation_model.h"

#include <cstdint>

#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/cell_model.h"
#include "model/reserved.h"
#include "model/sampled.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSeed = 1;

absl::StatusOr<CellModel> Model(const CellInputs& inputs, pb::CellKey key) {
  // Cells of the arm none run the same tiles, and have no events.
  key.set_arm(pb::COOPERATIVE);
  key.set_urgent_tiles(1);
  return MakeCellModel(inputs.part, inputs.kernel, inputs.calibration, key,
                       Sharing::kSlot, kSeed);
}

}  // namespace

absl::StatusOr<double> ObservedLatencyUs(const CellInputs& inputs,
                                         const pb::FitObservation& observation,
                                         uint64_t events) {
  TILEBOUND_ASSIGN_OR_RETURN(CellModel cell, Model(inputs, observation.cell()));
  // Flooring both stamps leaves the mean alone, so the unfloored quantile is
  // what a published one in ticks estimates; and it moves smoothly.
  cell.quantum_ps = 1000;
  const HandoffMetrics metrics = SampleHandoff(cell, events, 1);
  for (const pb::Metric& metric : metrics.ToMetrics()) {
    if (metric.name() != kLatency) continue;
    const auto value = MetricQuantile(metric, observation.quantile());
    if (value.has_value()) return *value;
  }
  return absl::InternalError("a simulated cell has no latency");
}

absl::StatusOr<double> ObservedE2eUs(const CellInputs& inputs,
                                     const pb::FitObservation& observation,
                                     double newcomer_us, uint64_t events) {
  PredictOptions options;
  options.events = events;
  options.seed = kSeed;
  TILEBOUND_ASSIGN_OR_RETURN(
      const Histogram e2e,
      ReservedE2e(inputs, observation.cell(), newcomer_us, options, 1));
  TILEBOUND_ASSIGN_OR_RETURN(const uint64_t bin,
                             e2e.Quantile(observation.quantile()));
  return e2e.ToMicroseconds(static_cast<double>(bin));
}

absl::StatusOr<double> PredictObservation(const CellInputs& inputs,
                                          const pb::FitObservation& observation,
                                          uint64_t events) {
  if (observation.quantity() == kLatency) {
    return ObservedLatencyUs(inputs, observation, events);
  }
  if (observation.quantity() == kE2e) {
    TILEBOUND_ASSIGN_OR_RETURN(
        const double newcomer_us,
        CalibrationNumber(inputs.calibration, kNewcomerDelay));
    return ObservedE2eUs(inputs, observation, newcomer_us, events);
  }
  TILEBOUND_ASSIGN_OR_RETURN(const CellModel cell,
                             Model(inputs, observation.cell()));
  if (observation.metric() == kOverhead) {
    return 100 * (cell.base_tile_rate / cell.tile_rate - 1);
  }
  return observation.cell().blocks() / cell.base_tile_rate;
}

}  // namespace tilebound::model
