// From published or measured values to a calibration.
//
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Calibration calibration,
//                              FitCalibration(part, kernel, recipe, surfaces,
//                                             /*transferred=*/nullptr, {}));
//
// The fit reads the values that the recipe lists and no others: a test changes
// all the rest and finds the calibration identical. What the recipe declares or
// transfers is not fitted. The rest is, by what the kernel's file holds:
// with instruction streams the parameters of the cycle level, which then
// computes the tile time of every slot (model/cycle_level_fit.h); without any,
// and one block per SM, service and latency in closed form from tile times by
// depth (model/closed_form_fit.h); then costs of sites, and the newcomer's
// delay from one e2e of the reserved arm. Slot tile times that are measured
// make the first two unnecessary.
#ifndef TILEBOUND_MODEL_FIT_H_
#define TILEBOUND_MODEL_FIT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "data/schema/surface.pb.h"
#include "model/fit_inputs.h"

namespace tilebound::model {

// `transferred` is the calibration that recipe.transfer names, or null.
// Errors: an observation that no surface holds, a quantity that the data cannot
// determine (the message names the measurement that is missing), a value that
// no parameter can reach.
absl::StatusOr<pb::Calibration> FitCalibration(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred, const FitOptions& options);

// What the model says of each observation that the recipe lists, to be shown
// beside it: residuals.
struct FitResidual {
  pb::FitObservation observation;
  double observed;
  double predicted;
};
absl::StatusOr<std::vector<FitResidual>> FitResiduals(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration& calibration);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_FIT_H_
