// What a recipe gives a calibration before anything is fitted: the values that
// it may read, those that it declares, those that it takes over.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       pb::Calibration calibration,
//       StartCalibration(recipe, surfaces, /*transferred=*/nullptr));
#ifndef TILEBOUND_MODEL_RECIPE_VALUES_H_
#define TILEBOUND_MODEL_RECIPE_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

// `value` to four significant digits: what calibrations are written with.
double FourDigits(double value);

// "a10_reference: latency quantile 0.5 of part=a10 ...".
std::string DescribeObservation(const pb::FitObservation& observation);

// The observation's value; kNotFound if no surface holds it.
absl::StatusOr<double> ObservedValue(const pb::FitObservation& observation,
                                     const std::vector<pb::Surface>& surfaces);

// The recipe's observation of `quantity` at depth `k`; the error says what to
// measure or declare.
absl::StatusOr<const pb::FitObservation*> FindObservation(
    const pb::FitRecipe& recipe, absl::string_view quantity, uint32_t k);

// The measured and declared groups. `transferred` is the calibration that
// recipe.transfer names, or null. Errors: an observation that no surface
// holds, a transfer without its calibration or of a quantity that it lacks.
absl::StatusOr<pb::Calibration> StartCalibration(
    const pb::FitRecipe& recipe, const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred);

// A value of the fitted group that rests on `observations`, at depth `k` (0
// where the quantity has none).
pb::CalibrationValue FittedValue(
    absl::string_view quantity, double value, uint32_t k,
    const std::vector<const pb::FitObservation*>& observations);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RECIPE_VALUES_H_
