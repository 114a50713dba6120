#include "data/schema/calibration.h"

#include <cmath>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"

namespace tilebound {
namespace {

using Identity = std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t,
                            std::string, std::string>;

Identity IdentityOf(const pb::CalibrationValue& value) {
  return {value.quantity(), value.k(),    value.blocks(), value.blocks_per_sm(),
          value.slot(),     value.site(), value.variant()};
}

std::vector<std::string> QuantityNames() {
  std::vector<std::string> names;
  for (const QuantityInfo& known : QuantityRegistry()) {
    names.push_back(known.name);
  }
  return names;
}

absl::Status ValidateValue(const std::string& at,
                           const pb::CalibrationValue& value, bool derived) {
  const QuantityInfo* info = FindQuantityInfo(value.quantity());
  if (info == nullptr) {
    const std::vector<std::string> names = QuantityNames();
    return absl::InvalidArgumentError(absl::StrCat(
        at, ".quantity \"", value.quantity(), "\" is not registered",
        DidYouMean(value.quantity(), names), "; accepted are ",
        absl::StrJoin(names, ", ")));
  }
  if (value.unit() != info->unit) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ".unit is \"", value.unit(), "\"; ", info->name,
                     " is always in \"", info->unit, "\""));
  }
  if (!std::isfinite(value.value()) ||
      (value.value() < 0 && !info->may_be_negative)) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, ".value is ", value.value(), "; ", info->name, " is a ",
        info->may_be_negative ? "finite number" : "number of at least 0"));
  }
  if (!std::isfinite(value.low()) || !std::isfinite(value.high()) ||
      value.low() > value.high()) {
    return absl::InvalidArgumentError(
        absl::StrCat(at, ": interval from ", value.low(), " to ", value.high(),
                     " is reversed or not finite"));
  }
  if (value.source().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, ".source is empty; say where ", info->name, " comes from"));
  }
  if (derived != (value.fitted_from_size() > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        at, derived ? ".fitted_from is empty; a fitted or computed value names "
                      "what it rests on"
                    : ".fitted_from is set; only fitted and computed values "
                      "have it"));
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<QuantityInfo>& QuantityRegistry() {
  static const auto* registry = new std::vector<QuantityInfo>{
      {kTileTimeSolo, "us", "tile time of one block per SM, by k and blocks"},
      {kTileTimeMean, "us", "mean tile time of all blocks, by k and blocks"},
      {kTileTimeSlot, "us", "tile time by k, blocks per SM and slot"},
      {kTileWallP99, "us", "99th percentile of single tiles, by k and blocks"},
      {kServiceTime, "us", "time the SM's server needs for one tile, by k"},
      {kMemoryLatency, "us", "latency outside the server per tile, by k"},
      {kMemoryLatencyLoad, "us2_per_tile",
       "memory latency added per grid-wide tile rate (us per tile/us), by k"},
      {kBoundaryTime, "us", "tile boundary, flag sampled in its middle"},
      {kTileSpreadSlot, "1",
       "coefficient of variation of a tile by k, blocks per SM and slot"},
      {kTileCorrelationSlot, "1",
       "correlation of a tile with the next of its block, by k, blocks per SM "
       "and slot",
       /*may_be_negative=*/true},
      {kGlobalLatency, "us", "load or copy from global memory, issue to data"},
      {kAtomicRoundTrip, "us",
       "task fetch: ticket and flag, one after another"},
      {kPipeCost, "1",
       "cycles of a memory instruction relative to the counted cost"},
      {kAdmissionQueue, "1",
       "memory instructions that a subpartition can have waiting"},
      {kServiceSpread, "1", "coefficient of variation of a service time"},
      {kSmSpread, "1", "coefficient of variation of service time among SMs"},
      {kUnclaimedShare, "1",
       "part of a waiting block's turn that the others do not get"},
      {kClockSagSlowdown, "1",
       "usual SM clock over the clock that it sags to with all SMs busy"},
      {kClockSagShare, "1", "part of the time that the clock sags"},
      {kSetterDelay, "us", "setter's stamp to the flag visible everywhere"},
      {kFlagRoundTrip, "us", "one synchronous read of the flag"},
      {kClaimRoundTrip, "us", "one atomic on the way to an urgent tile"},
      {kBarrierCost, "us", "one block-wide barrier"},
      {kSiteCost, "us", "barrier and decision of one site, by site"},
      {kSiteService, "us", "part of site_cost that the SM serves, by site"},
      {kLaunchDelay, "us",
       "host's call to urgent blocks running, and their end to the host "
       "knowing, together"},
      {kCompletionDelay, "us", "part of launch_delay that follows the end"},
      {kNewcomerDelay, "us",
       "what a block new on its SM takes beyond a tile of the youngest there"},
      {kBackgroundTasks, "tasks", "background tiles of one launch"},
      {"makespan", "us", "time to finish a stated amount of tiles"},
  };
  return *registry;
}

const QuantityInfo* FindQuantityInfo(absl::string_view name) {
  for (const QuantityInfo& info : QuantityRegistry()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::vector<std::pair<std::string, const CalibrationValues*>> CalibrationGroups(
    const pb::Calibration& calibration) {
  return {{"measured", &calibration.measured()},
          {"declared", &calibration.declared()},
          {"fitted", &calibration.fitted()},
          {"computed", &calibration.computed()}};
}

const pb::CalibrationValue* FindCalibrationValue(
    const pb::Calibration& calibration, absl::string_view quantity,
    const CalibrationConditions& conditions) {
  const Identity wanted = {std::string(quantity), conditions.k,
                           conditions.blocks,     conditions.blocks_per_sm,
                           conditions.slot,       conditions.site,
                           conditions.variant};
  for (const auto& [name, group] : CalibrationGroups(calibration)) {
    for (const pb::CalibrationValue& value : *group) {
      if (IdentityOf(value) == wanted) return &value;
    }
  }
  return nullptr;
}

absl::StatusOr<double> CalibrationNumber(
    const pb::Calibration& calibration, absl::string_view quantity,
    const CalibrationConditions& conditions) {
  const pb::CalibrationValue* value =
      FindCalibrationValue(calibration, quantity, conditions);
  if (value != nullptr) return value->value();
  std::string where;
  if (conditions.k != 0) absl::StrAppend(&where, " at k ", conditions.k);
  if (conditions.blocks != 0) {
    absl::StrAppend(&where, " with ", conditions.blocks, " blocks");
  }
  if (conditions.blocks_per_sm != 0) {
    absl::StrAppend(&where, " with ", conditions.blocks_per_sm,
                    " blocks per SM, slot ", conditions.slot);
  }
  if (!conditions.site.empty()) {
    absl::StrAppend(&where, " at site ", conditions.site);
  }
  if (!conditions.variant.empty()) {
    absl::StrAppend(&where, " with variant ", conditions.variant);
  }
  return absl::NotFoundError(
      absl::StrCat("the calibration of ", calibration.kernel(), " on ",
                   calibration.part(), " has no ", quantity, where));
}

absl::Status ValidateFitRecipe(const pb::FitRecipe& recipe) {
  TILEBOUND_RETURN_IF_ERROR(ValidateName("fit_recipe.part", recipe.part()));
  TILEBOUND_RETURN_IF_ERROR(ValidateName("fit_recipe.kernel", recipe.kernel()));
  if (!(recipe.sm_clock_mhz() > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("fit_recipe.sm_clock_mhz is ", recipe.sm_clock_mhz(),
                     "; a clock over 0 is needed"));
  }
  std::set<Identity> declared;
  for (int i = 0; i < recipe.declared_size(); ++i) {
    const std::string at = absl::StrCat("fit_recipe.declared[", i, "]");
    TILEBOUND_RETURN_IF_ERROR(
        ValidateValue(at, recipe.declared(i), /*derived=*/false));
    if (!declared.insert(IdentityOf(recipe.declared(i))).second) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, " says ", recipe.declared(i).quantity(),
                       " a second time for the same conditions"));
    }
  }
  for (int i = 0; i < recipe.observations_size(); ++i) {
    const pb::FitObservation& observation = recipe.observations(i);
    const std::string at = absl::StrCat("fit_recipe.observations[", i, "]");
    if (FindQuantityInfo(observation.quantity()) == nullptr &&
        observation.quantity() != kLatency && observation.quantity() != kE2e) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, ".quantity \"", observation.quantity(),
                       "\" is neither a registered quantity nor latency or e2e",
                       DidYouMean(observation.quantity(), QuantityNames())));
    }
    if (observation.surface().empty() || observation.metric().empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, " names no surface or no metric; both are needed"));
    }
    const absl::Status key = ValidateCellKey(observation.cell());
    if (!key.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, ".cell: ", key.message()));
    }
  }
  for (const auto* names : {&recipe.transfer().quantities(),
                            &recipe.transfer().quantities_in_cycles()}) {
    for (const std::string& name : *names) {
      if (FindQuantityInfo(name) == nullptr) {
        return absl::InvalidArgumentError(
            absl::StrCat("fit_recipe.transfer names \"", name,
                         "\", which is not a registered quantity"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateCalibration(const pb::Calibration& calibration) {
  TILEBOUND_RETURN_IF_ERROR(
      ValidateName("calibration.part", calibration.part()));
  TILEBOUND_RETURN_IF_ERROR(
      ValidateName("calibration.kernel", calibration.kernel()));
  if (!(calibration.sm_clock_mhz() > 0) ||
      !std::isfinite(calibration.sm_clock_mhz())) {
    return absl::InvalidArgumentError(
        absl::StrCat("calibration.sm_clock_mhz is ", calibration.sm_clock_mhz(),
                     "; a clock over 0 is needed"));
  }
  std::set<Identity> seen;
  for (const auto& [name, group] : CalibrationGroups(calibration)) {
    const bool derived =
        group == &calibration.fitted() || group == &calibration.computed();
    for (int i = 0; i < group->size(); ++i) {
      const std::string at = absl::StrCat("calibration.", name, "[", i, "]");
      TILEBOUND_RETURN_IF_ERROR(ValidateValue(at, group->Get(i), derived));
      if (!seen.insert(IdentityOf(group->Get(i))).second) {
        return absl::InvalidArgumentError(
            absl::StrCat(at, " says ", group->Get(i).quantity(),
                         " a second time for the same conditions"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
