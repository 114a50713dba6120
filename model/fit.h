// From published or measured values to a calibration.
//
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Calibration calibration,
//                              FitCalibration(part, kernel, recipe, surfaces,
//                                             /*transferred=*/nullptr));
//
// The fit reads the values that the recipe lists and no others: a test changes
// all the rest and finds the calibration identical. It determines
//   service_time    so that the simulated mean tile time at saturation is the
//                   tile_time_mean given
//   memory_latency  so that a tile alone on its SM takes the tile_time_solo
//                   given, at the load of the grid that it was measured with
//   share_decay     so that the simulated quantile is the latency given
//   newcomer_delay  so that the simulated quantile is the e2e given (arm
//                   reserved); only where the recipe has such an observation
// and leaves out what the recipe declares or transfers.
#ifndef TILEBOUND_MODEL_FIT_H_
#define TILEBOUND_MODEL_FIT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

// `transferred` is the calibration that recipe.transfer names, or null.
// Errors: an observation that no surface holds, a quantity that the data cannot
// determine (the message names the measurement that is missing), a value that
// no parameter can reach.
absl::StatusOr<pb::Calibration> FitCalibration(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred);

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
