#include "model/fit.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/closed_form_fit.h"
#include "model/cycle_level_fit.h"
#include "model/fit_inputs.h"
#include "model/observation_model.h"
#include "model/occupancy.h"
#include "model/recipe_values.h"
#include "model/slot_sharing.h"

namespace tilebound::model {
namespace {

bool Lacks(const pb::Calibration& calibration, absl::string_view quantity,
           uint32_t k) {
  return FindCalibrationValue(calibration, quantity, {.k = k}) == nullptr;
}

bool HasSlotTimes(const FitInputs& inputs, const pb::Calibration& calibration) {
  return SlotTileTimes(
             calibration, inputs.reference_k(),
             ComputeOccupancy(inputs.part, inputs.kernel).blocks_per_sm)
      .ok();
}

// Where nothing is shared and nobody has counted instructions, tile times by
// depth tell all.
bool IsFittedByLine(const FitInputs& inputs) {
  return ComputeOccupancy(inputs.part, inputs.kernel).blocks_per_sm == 1 &&
         !FindStream(inputs.program(), StreamCapability(inputs.part)).ok();
}

// In one wave the newcomer's delay comes on top of all else.
absl::StatusOr<pb::Calibration> FitNewcomer(
    const FitInputs& inputs, const pb::FitObservation& observation,
    pb::Calibration calibration) {
  TILEBOUND_ASSIGN_OR_RETURN(const double e2e_us,
                             ObservedValue(observation, inputs.surfaces));
  TILEBOUND_ASSIGN_OR_RETURN(
      const double without_us,
      ObservedE2eUs({inputs.part, inputs.kernel, calibration}, observation, 0,
                    inputs.options.events));
  if (e2e_us < without_us) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no ", kNewcomerDelay, " of at least 0 gives the observed e2e of ",
        e2e_us, " us: without any it is ", without_us));
  }
  *calibration.add_fitted() =
      FittedValue(kNewcomerDelay, e2e_us - without_us, 0, {&observation});
  return calibration;
}

absl::StatusOr<pb::Calibration> Fit(const FitInputs& inputs,
                                    const pb::Calibration* transferred) {
  TILEBOUND_ASSIGN_OR_RETURN(
      pb::Calibration calibration,
      StartCalibration(inputs.recipe, inputs.surfaces, transferred));
  const uint32_t k = inputs.reference_k();
  if (Lacks(calibration, kServiceTime, k)) {
    if (IsFittedByLine(inputs)) {
      TILEBOUND_ASSIGN_OR_RETURN(calibration,
                                 FitTileLine(inputs, std::move(calibration)));
    } else {
      if (!HasSlotTimes(inputs, calibration)) {
        TILEBOUND_ASSIGN_OR_RETURN(
            calibration, FitCycleLevel(inputs, std::move(calibration)));
      }
      TILEBOUND_ASSIGN_OR_RETURN(
          const std::vector<pb::CalibrationValue> server,
          ComputeServerParameters(inputs.part, inputs.kernel, calibration));
      calibration.mutable_computed()->Add(server.begin(), server.end());
    }
  }
  TILEBOUND_ASSIGN_OR_RETURN(calibration,
                             FitSiteCosts(inputs, std::move(calibration)));
  const auto e2e = FindObservation(inputs.recipe, kE2e, k);
  if (Lacks(calibration, kNewcomerDelay, 0) && e2e.ok()) {
    return FitNewcomer(inputs, **e2e, std::move(calibration));
  }
  return calibration;
}

}  // namespace

absl::StatusOr<pb::Calibration> FitCalibration(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred, const FitOptions& options) {
  if (recipe.part() != part.name() || recipe.kernel() != kernel.name()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the recipe is for ", recipe.kernel(), " on ", recipe.part(), ", not ",
        kernel.name(), " on ", part.name()));
  }
  if (kernel.programs_size() != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "kernel ", kernel.name(), " mixes ", kernel.programs_size(),
        " tile programs; a fit needs exactly one"));
  }
  return Fit({part, kernel, recipe, surfaces, options}, transferred);
}

absl::StatusOr<std::vector<FitResidual>> FitResiduals(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration& calibration) {
  std::vector<FitResidual> residuals;
  for (const pb::FitObservation& observation : recipe.observations()) {
    if (observation.quantity() == kTileWallP99) continue;
    TILEBOUND_ASSIGN_OR_RETURN(const double observed,
                               ObservedValue(observation, surfaces));
    TILEBOUND_ASSIGN_OR_RETURN(
        const double predicted,
        PredictObservation({part, kernel, calibration}, observation,
                           FitOptions().events));
    residuals.push_back({observation, observed, predicted});
  }
  return residuals;
}

}  // namespace tilebound::model
