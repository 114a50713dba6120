#include "model/error_band.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/placement.h"

namespace tilebound::model {
namespace {

bool IsMeasured(const pb::Calibration& calibration,
                const pb::CalibrationValue* value) {
  return std::any_of(
      calibration.measured().begin(), calibration.measured().end(),
      [&](const pb::CalibrationValue& v) { return &v == value; });
}

// The value that says most about the tile time of the youngest slot: that
// slot's own, at this depth or the nearest; for a block alone, the solo tile.
const pb::CalibrationValue* TileTimeOf(const pb::Calibration& calibration,
                                       uint32_t k, uint32_t blocks_per_sm) {
  const pb::CalibrationValue* best = nullptr;
  const auto further = [&](const pb::CalibrationValue& value) {
    return std::abs(static_cast<int64_t>(value.k()) - k);
  };
  for (const auto& [name, group] : CalibrationGroups(calibration)) {
    for (const pb::CalibrationValue& value : *group) {
      const bool slot = value.quantity() == kTileTimeSlot &&
                        value.blocks_per_sm() == blocks_per_sm &&
                        value.slot() + 1 == blocks_per_sm;
      const bool solo = blocks_per_sm == 1 && value.quantity() == kTileTimeSolo;
      if (!slot && !solo) continue;
      if (best == nullptr || further(value) < further(*best)) best = &value;
    }
  }
  return best;
}

// Relative half-width of a value's interval in percent.
std::optional<double> IntervalPct(const pb::CalibrationValue& value) {
  if (value.low() == 0 && value.high() == 0) return std::nullopt;
  if (value.value() <= 0) return std::nullopt;
  return 100 *
         std::max(value.high() - value.value(), value.value() - value.low()) /
         value.value();
}

}  // namespace

ErrorBand BandOf(const pb::Calibration& calibration, const pb::CellKey& key,
                 uint32_t sm_count) {
  ErrorBand band;
  const uint32_t blocks_per_sm =
      Placement(key.blocks(), sm_count).most_blocks_per_sm();
  const double model_p99_pct =
      blocks_per_sm >= kCrowdedBlocksPerSm ? kModelP99CrowdedPct : kModelP99Pct;
  if (calibration.measured().empty()) {
    band.uncalibrated = true;
    band.p50_pct = std::hypot(kModelP50Pct, kUncalibratedP50Pct);
    band.p99_pct = std::hypot(model_p99_pct, kUncalibratedP99Pct);
    band.why = absl::StrCat("UNCALIBRATED: nothing was measured of ",
                            key.kernel(), " on ", key.part());
    return band;
  }
  const pb::CalibrationValue* value =
      TileTimeOf(calibration, key.k(), blocks_per_sm);
  double pct = kComputedPct;
  if (value == nullptr) {
    band.why = absl::StrCat("tile times with ", blocks_per_sm,
                            " blocks per SM come from the fitted sharing");
  } else if (IsMeasured(calibration, value)) {
    pct = IntervalPct(*value).value_or(kPublishedDigitPct);
    band.why = absl::StrCat("measured ", value->quantity());
  } else {
    // An interval there is that of the computation, not its distance from
    // reality.
    pct = std::hypot(kComputedPct, IntervalPct(*value).value_or(0));
    band.why = absl::StrCat("fitted or computed ", value->quantity());
  }
  band.p50_pct = std::hypot(kModelP50Pct, pct);
  band.p99_pct = std::hypot(model_p99_pct, pct);
  return band;
}

void AddErrorBand(const ErrorBand& band, uint64_t quantum_ps, pb::Cell& cell) {
  for (const char* name : {kLatency, kE2e, kWait}) {
    const pb::Metric* metric = FindMetric(cell, name);
    if (metric == nullptr) continue;
    const auto p50 = MetricQuantile(*metric, 0.5);
    const auto p99 = MetricQuantile(*metric, 0.99);
    if (!p50 || !p99) continue;
    const double tick_us = static_cast<double>(quantum_ps) * 1e-6;
    const auto at_least_a_tick = [&](double pct, double value_us) {
      return value_us > 0 ? std::max(pct, 100 * tick_us / value_us) : pct;
    };
    pb::Metric added;
    added.set_name(kErrorBand);
    added.set_unit(FindMetricInfo(kErrorBand)->unit);
    pb::Quantiles* quantiles = added.mutable_quantiles();
    const double p50_pct = at_least_a_tick(band.p50_pct, *p50);
    quantiles->add_q(0.5);
    quantiles->add_value(p50_pct);
    quantiles->add_q(0.99);
    // Nobody knows a tail better than the median; and quantiles ascend.
    quantiles->add_value(
        std::max(p50_pct, at_least_a_tick(band.p99_pct, *p99)));
    if (band.uncalibrated) added.set_soft_reason(band.why);
    *cell.add_metrics() = std::move(added);
    return;
  }
}

}  // namespace tilebound::model
