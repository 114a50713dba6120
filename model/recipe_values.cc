#include "model/recipe_values.h"

#include <cmath>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"

namespace tilebound::model {
namespace {

// How often time is a factor of a unit: what counts cycles scales with the
// clock to that power.
int PowerOfTime(absl::string_view unit) {
  return unit == "us" ? 1 : unit == "us2_per_tile" ? 2 : 0;
}

// Whether an observation stands in the calibration as it is. The others only
// determine the quantity that they name.
bool IsMeasuredValue(absl::string_view quantity) {
  return quantity == kTileTimeSolo || quantity == kTileTimeMean ||
         quantity == kTileWallP99;
}

pb::CalibrationValue Value(absl::string_view quantity, double value,
                           uint32_t k) {
  pb::CalibrationValue result;
  result.set_quantity(std::string(quantity));
  result.set_unit(FindQuantityInfo(quantity)->unit);
  result.set_value(value);
  result.set_k(k);
  return result;
}

// The values of `quantity` in `from`, times scaled by the ratio of the clocks
// where they are work `in_cycles`.
absl::StatusOr<std::vector<pb::CalibrationValue>> Transferred(
    const pb::Calibration& from, const std::string& quantity,
    std::optional<double> clocks) {
  std::vector<pb::CalibrationValue> values;
  for (const auto* group : {&from.declared(), &from.fitted()}) {
    for (const pb::CalibrationValue& value : *group) {
      if (value.quantity() != quantity) continue;
      pb::CalibrationValue copy = value;
      const double scale =
          clocks ? std::pow(*clocks, PowerOfTime(value.unit())) : 1;
      copy.set_value(FourDigits(value.value() * scale));
      copy.set_low(FourDigits(value.low() * scale));
      copy.set_high(FourDigits(value.high() * scale));
      copy.clear_fitted_from();
      copy.set_source(absl::StrCat(
          "calibration of ", from.kernel(), " on ", from.part(), ", ",
          clocks ? "the same number of cycles" : "unchanged"));
      values.push_back(std::move(copy));
    }
  }
  if (!values.empty()) return values;
  return absl::NotFoundError(absl::StrCat("the calibration of ", from.part(),
                                          " has no ", quantity,
                                          " to transfer"));
}

absl::StatusOr<std::vector<pb::CalibrationValue>> AllTransferred(
    const pb::FitRecipe& recipe, const pb::Calibration* from) {
  if (!recipe.has_transfer()) return std::vector<pb::CalibrationValue>();
  if (from == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the recipe transfers from ", recipe.transfer().part(),
                     ", but its calibration was not given"));
  }
  const double clocks = from->sm_clock_mhz() / recipe.sm_clock_mhz();
  std::vector<pb::CalibrationValue> all;
  const auto take = [&](const std::string& quantity,
                        std::optional<double> scale) -> absl::Status {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::CalibrationValue> values,
                               Transferred(*from, quantity, scale));
    all.insert(all.end(), values.begin(), values.end());
    return absl::OkStatus();
  };
  for (const std::string& quantity : recipe.transfer().quantities()) {
    TILEBOUND_RETURN_IF_ERROR(take(quantity, std::nullopt));
  }
  for (const std::string& quantity : recipe.transfer().quantities_in_cycles()) {
    TILEBOUND_RETURN_IF_ERROR(take(quantity, clocks));
  }
  return all;
}

}  // namespace

double FourDigits(double value) {
  double rounded = value;
  return absl::SimpleAtod(absl::StrFormat("%.4g", value), &rounded) ? rounded
                                                                    : value;
}

std::string DescribeObservation(const pb::FitObservation& observation) {
  std::string text =
      absl::StrCat(observation.surface(), ": ", observation.metric());
  if (observation.quantile() > 0) {
    absl::StrAppend(&text, " quantile ", observation.quantile());
  }
  return absl::StrCat(text, " of ", CanonicalText(observation.cell()));
}

absl::StatusOr<double> ObservedValue(const pb::FitObservation& observation,
                                     const std::vector<pb::Surface>& surfaces) {
  const std::string fingerprint = Fingerprint(observation.cell());
  for (const pb::Surface& surface : surfaces) {
    if (surface.name() != observation.surface()) continue;
    for (const pb::Cell& cell : surface.cells()) {
      if (Fingerprint(cell.key()) != fingerprint) continue;
      const pb::Metric* metric = FindMetric(cell, observation.metric());
      if (metric == nullptr) continue;
      const auto value = observation.quantile() > 0
                             ? MetricQuantile(*metric, observation.quantile())
                             : MetricScalar(*metric);
      if (value.has_value()) return *value;
    }
  }
  return absl::NotFoundError(absl::StrCat("no surface holds the observation ",
                                          DescribeObservation(observation)));
}

absl::StatusOr<const pb::FitObservation*> FindObservation(
    const pb::FitRecipe& recipe, absl::string_view quantity, uint32_t k) {
  for (const pb::FitObservation& observation : recipe.observations()) {
    if (observation.quantity() == quantity && observation.cell().k() == k) {
      return &observation;
    }
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the recipe of ", recipe.kernel(), " on ", recipe.part(),
                   " has no observation of ", quantity, " at k ", k,
                   "; measure it or declare what it determines"));
}

absl::StatusOr<pb::Calibration> StartCalibration(
    const pb::FitRecipe& recipe, const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred) {
  pb::Calibration calibration;
  calibration.set_part(recipe.part());
  calibration.set_kernel(recipe.kernel());
  calibration.set_sm_clock_mhz(recipe.sm_clock_mhz());
  calibration.set_build(recipe.build());
  calibration.set_note(recipe.note());
  for (const pb::FitObservation& observation : recipe.observations()) {
    TILEBOUND_ASSIGN_OR_RETURN(const double value,
                               ObservedValue(observation, surfaces));
    if (!IsMeasuredValue(observation.quantity())) continue;
    pb::CalibrationValue measured =
        Value(observation.quantity(), value, observation.cell().k());
    measured.set_blocks(observation.cell().blocks());
    measured.set_source(DescribeObservation(observation));
    *calibration.add_measured() = std::move(measured);
  }
  *calibration.mutable_declared() = recipe.declared();
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::CalibrationValue> taken,
                             AllTransferred(recipe, transferred));
  calibration.mutable_declared()->Add(taken.begin(), taken.end());
  return calibration;
}

pb::CalibrationValue FittedValue(
    absl::string_view quantity, double value, uint32_t k,
    const std::vector<const pb::FitObservation*>& observations) {
  pb::CalibrationValue result = Value(quantity, FourDigits(value), k);
  result.set_source("//model:calibrate");
  for (const pb::FitObservation* observation : observations) {
    result.add_fitted_from(DescribeObservation(*observation));
  }
  return result;
}

}  // namespace tilebound::model
