#include "model/predict_cell.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/metric.h"
#include "model/background.h"
#include "model/baseline.h"
#include "model/bound.h"
#include "model/cell_model.h"
#include "model/exact.h"
#include "model/handoff.h"
#include "model/notification.h"
#include "model/reserved.h"
#include "model/sampled.h"

namespace tilebound::model {
namespace {

// The events that a p99 takes to be believed (docs/design.md section 3).
constexpr uint64_t kEventsForTail = 10'000;

// Makespan with the looks over makespan without, from the two tile rates.
pb::Metric OverheadMetric(const CellModel& model) {
  if (model.sharing == Sharing::kIid) {
    return AbsentMetric(kOverhead, pb::Metric::NOT_MODELLED,
                        "independent tiles know no cost of a site");
  }
  if (!model.plan.cost_known) {
    return AbsentMetric(kOverhead, pb::Metric::NOT_MODELLED,
                        "the calibration has no site_cost for the site");
  }
  return ScalarMetric(kOverhead, model.OverheadPercent(), 0);
}

pb::Cell NotModelledCell(const pb::CellKey& key, const std::string& reason) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  for (const char* name : {kLatency, kLatencyWithSetter, kFirst, kSpread, kE2e,
                           kSetterLast, kOverhead, kLatencyBound}) {
    *cell.add_metrics() = AbsentMetric(name, pb::Metric::NOT_MODELLED, reason);
  }
  return cell;
}

absl::StatusOr<pb::Cell> PredictCooperative(const CellInputs& inputs,
                                            const pb::CellKey& key,
                                            const PredictOptions& options,
                                            uint32_t threads) {
  if (const std::string lacks = NotModelledReason(key, options.sharing);
      !lacks.empty()) {
    return NotModelledCell(key, lacks);
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      const CellModel model,
      MakeCellModel(inputs.part, inputs.kernel, inputs.calibration, key,
                    options.sharing, options.seed));
  const HandoffMetrics metrics =
      options.fidelity == Fidelity::kSampled
          ? SampleHandoff(model, options.events, threads)
          : SimulateHandoff(model, options.events, options.warmup_events,
                            nullptr);
  pb::Cell cell;
  *cell.mutable_key() = key;
  for (pb::Metric& metric : metrics.ToMetrics()) {
    if (metric.has_histogram() && metric.n() < kEventsForTail) {
      metric.set_soft_reason(
          absl::StrCat("p99 from fewer than ", kEventsForTail, " events"));
      metric.add_soft_q(0.99);
    }
    *cell.add_metrics() = std::move(metric);
  }
  if (options.sharing != Sharing::kIid) {
    *cell.add_metrics() =
        ScalarMetric("tile_time_mean", key.blocks() / model.tile_rate, 0);
  }
  *cell.add_metrics() = OverheadMetric(model);
  *cell.add_metrics() =
      options.sharing == Sharing::kIid
          ? AbsentMetric(kLatencyBound, pb::Metric::NOT_MODELLED,
                         "independent tiles have no longest one")
          : ScalarMetric(kLatencyBound,
                         static_cast<double>(LatencyBoundPs(model)) * 1e-6, 0);
  return cell;
}

}  // namespace

absl::StatusOr<pb::Cell> PredictCell(const CellInputs& inputs,
                                     const pb::CellKey& key,
                                     const PredictOptions& options,
                                     uint32_t threads) {
  if (key.kernel() == kNoKernel) {
    return PredictNotification(inputs, key, options);
  }
  switch (key.arm()) {
    case pb::NONE:
      return PredictBaseline(inputs, key, options, threads);
    case pb::RESERVED:
      return PredictReserved(inputs, key, options, threads);
    default:
      return PredictCooperative(inputs, key, options, threads);
  }
}

}  // namespace tilebound::model
