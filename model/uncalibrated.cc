#include "model/uncalibrated.h"

#include "absl/strings/str_cat.h"
#include "data/schema/calibration.h"
#include "model/fit.h"

namespace tilebound::model {

absl::StatusOr<pb::Calibration> UncalibratedFrom(const pb::Part& part,
                                                 const pb::Kernel& kernel,
                                                 const pb::Calibration& donor,
                                                 const CycleOptions& options) {
  pb::FitRecipe recipe;
  recipe.set_part(part.name());
  recipe.set_kernel(kernel.name());
  recipe.set_sm_clock_mhz(part.boost_clock_mhz());
  recipe.set_build("none: UNCALIBRATED");
  recipe.set_note(absl::StrCat(
      "UNCALIBRATED: nothing was measured of ", kernel.name(), " on ",
      part.name(), "; computed from its counted instructions, the part's ",
      "facts and the calibration of ", donor.kernel(), " on ", donor.part()));
  recipe.mutable_transfer()->set_part(donor.part());
  recipe.mutable_transfer()->set_kernel(donor.kernel());
  const auto known = [&](const char* quantity) {
    for (const auto& [name, group] : CalibrationGroups(donor)) {
      for (const pb::CalibrationValue& value : *group) {
        if (value.quantity() == quantity) return true;
      }
    }
    return false;
  };
  // In time: what lies outside the SM.
  for (const char* quantity :
       {kPipeCost, kAdmissionQueue, kGlobalLatency, kAtomicRoundTrip,
        kServiceSpread, kSmSpread, kUnclaimedShare, kSetterDelay, kLaunchDelay,
        kCompletionDelay, kFlagRoundTrip, kClaimRoundTrip}) {
    if (known(quantity)) recipe.mutable_transfer()->add_quantities(quantity);
  }
  for (const char* quantity : {kBoundaryTime, kMemoryLatencyLoad, kSiteCost,
                               kSiteService, kBarrierCost, kNewcomerDelay}) {
    if (known(quantity)) {
      recipe.mutable_transfer()->add_quantities_in_cycles(quantity);
    }
  }
  return FitCalibration(part, kernel, recipe, {}, &donor, {.cycle = options});
}

}  // namespace tilebound::model
