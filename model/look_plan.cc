#include "model/look_plan.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"

namespace tilebound::model {
namespace {

bool SampledInTheLook(const pb::CellKey& key) {
  return key.variant() == "default" || key.variant() == "volatile_flag";
}

bool Synchronous(const pb::CellKey& key) {
  return key.variant() == "sync_flag" || key.variant() == "sync_flag_hoisted";
}

struct Cost {
  bool known = false;
  double us = 0;
  double service_us = 0;
};

// What one site costs; unknown without a site_cost.
absl::StatusOr<Cost> ReadCost(const pb::Calibration& calibration,
                              pb::Site site) {
  const CalibrationConditions at = {.site = SiteName(site)};
  const pb::CalibrationValue* cost =
      FindCalibrationValue(calibration, kSiteCost, at);
  if (cost == nullptr) return Cost();
  const pb::CalibrationValue* service =
      FindCalibrationValue(calibration, kSiteService, at);
  const double service_us = service == nullptr ? 0 : service->value();
  if (service_us > cost->value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the calibration of ", calibration.kernel(), " on ", calibration.part(),
        " has ", kSiteService, " ", service_us, " us at site ", at.site,
        "; up to its ", kSiteCost, ", ", cost->value(), " us, is accepted"));
  }
  return Cost{true, cost->value(), service_us};
}

}  // namespace

std::string NoLookPlanReason(const pb::CellKey& key) {
  const bool known = SampledInTheLook(key) ||
                     (key.site() != pb::FOLDED &&
                      (key.variant() == "pipelined_flag" || Synchronous(key)));
  if (known) return "";
  return absl::StrCat("variant ", key.variant(),
                      key.site() == pb::FOLDED ? " at folded sites" : "");
}

absl::StatusOr<LookPlan> ReadLookPlan(const pb::Calibration& calibration,
                                      const pb::CellKey& key) {
  LookPlan plan;
  plan.site = key.site();
  plan.period = key.period();
  plan.stale_looks = key.variant() == "pipelined_flag" ? 1 : 0;
  plan.exposed_round_trip =
      Synchronous(key) || (SampledInTheLook(key) && (key.site() == pb::STAGE ||
                                                     key.site() == pb::ISSUE));
  plan.drains = plan.looks_inside() && key.discipline() == pb::DRAIN;
  const pb::CalibrationValue* round_trip =
      FindCalibrationValue(calibration, kFlagRoundTrip);
  if (round_trip != nullptr) {
    plan.round_trip_us = round_trip->value();
  } else {
    TILEBOUND_ASSIGN_OR_RETURN(plan.round_trip_us,
                               CalibrationNumber(calibration, kBoundaryTime));
  }
  plan.cost_known = true;
  if (key.site() == pb::FOLDED) return plan;
  TILEBOUND_ASSIGN_OR_RETURN(const Cost tile,
                             ReadCost(calibration, pb::BOUNDARY));
  plan.tile_us = tile.us;
  plan.tile_service_us = tile.service_us;
  plan.cost_known = tile.known;
  if (key.site() == pb::BOUNDARY) return plan;
  TILEBOUND_ASSIGN_OR_RETURN(Cost site, ReadCost(calibration, key.site()));
  if (!site.known && key.site() == pb::ISSUE) {
    TILEBOUND_ASSIGN_OR_RETURN(site, ReadCost(calibration, pb::STAGE));
  }
  plan.site_us = site.us;
  plan.site_service_us = site.service_us;
  plan.cost_known &= site.known;
  return plan;
}

}  // namespace tilebound::model
