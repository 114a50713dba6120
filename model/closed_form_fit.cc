#include "model/closed_form_fit.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "model/recipe_values.h"

namespace tilebound::model {
namespace {

struct Line {
  double slope;
  double intercept;
};

// Least squares; nothing with fewer than two different x.
std::optional<Line> FitLine(const std::vector<std::pair<double, double>>& at) {
  const auto n = static_cast<double>(at.size());
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (const auto& [x, y] : at) {
    x_mean += x / n;
    y_mean += y / n;
  }
  for (const auto& [x, y] : at) {
    xx += (x - x_mean) * (x - x_mean);
    xy += (x - x_mean) * (y - y_mean);
  }
  if (!(xx > 0)) return std::nullopt;
  return Line{xy / xx, y_mean - xy / xx * x_mean};
}

bool IsAlone(const FitInputs& inputs, const pb::FitObservation& observation) {
  return observation.cell().blocks() <= inputs.part.sm_count();
}

// Observations of a tile alone on its SM, whichever name they stand under.
std::vector<const pb::FitObservation*> AloneOnTheirSm(const FitInputs& inputs) {
  std::vector<const pb::FitObservation*> alone;
  for (const pb::FitObservation& observation : inputs.recipe.observations()) {
    if ((observation.quantity() == kTileTimeSolo ||
         observation.quantity() == kTileTimeMean) &&
        IsAlone(inputs, observation)) {
      alone.push_back(&observation);
    }
  }
  return alone;
}

// Microseconds that a tile takes longer in the observation's cell than without
// looks.
struct LookCost {
  double us;
  double sites;
};
absl::StatusOr<LookCost> ReadLookCost(const FitInputs& inputs,
                                      const pb::FitObservation& observation) {
  if (!IsAlone(inputs, observation) || observation.cell().period() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(DescribeObservation(observation),
                     ": costs of sites are fitted to overheads of period 1 and "
                     "of up to one block per SM, which hide nothing"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const double percent,
                             ObservedValue(observation, inputs.surfaces));
  const uint32_t k = observation.cell().k();
  for (const pb::FitObservation* tile : AloneOnTheirSm(inputs)) {
    if (tile->cell().k() != k) continue;
    TILEBOUND_ASSIGN_OR_RETURN(const double tile_us,
                               ObservedValue(*tile, inputs.surfaces));
    return LookCost{percent / 100 * tile_us,
                    static_cast<double>(k / inputs.program().chunk_k())};
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the recipe has no tile time at k ", k, " of one block per ",
                   "SM, over which ", DescribeObservation(observation),
                   " is an overhead; observe it as ", kTileTimeSolo));
}

absl::StatusOr<double> SiteUs(const pb::Calibration& calibration,
                              pb::Site site) {
  return CalibrationNumber(calibration, kSiteCost, {.site = SiteName(site)});
}

absl::Status RefuseNegative(double us, const pb::FitObservation& observation,
                            absl::string_view quantity) {
  if (us >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(DescribeObservation(observation), " leaves ", FourDigits(us),
                   " us of ", quantity, "; at least 0 is accepted"));
}

}  // namespace

absl::StatusOr<pb::Calibration> FitTileLine(const FitInputs& inputs,
                                            pb::Calibration calibration) {
  const pb::TileProgram& program = inputs.program();
  const std::vector<const pb::FitObservation*> alone = AloneOnTheirSm(inputs);
  std::vector<std::pair<double, double>> points;
  double reference_us = 0;
  for (const pb::FitObservation* observation : alone) {
    TILEBOUND_ASSIGN_OR_RETURN(const double us,
                               ObservedValue(*observation, inputs.surfaces));
    const uint32_t k = observation->cell().k();
    if (k == inputs.reference_k()) reference_us = us;
    points.emplace_back(k / program.chunk_k(), us);
  }
  const std::optional<Line> line = FitLine(points);
  if (!line || reference_us == 0 || program.pipeline_stages() < 2) {
    return absl::FailedPreconditionError(absl::StrCat(
        "kernel ", inputs.kernel.name(), " has no instruction stream for ",
        inputs.part.name(), ", so its service is told by tile times of one ",
        "block per SM at two depths, ", inputs.reference_k(),
        " among them, and only of a tile of several pipeline stages; add a ",
        "stream, declare ", kServiceTime, " and ", kMemoryLatency,
        ", or observe ", kTileTimeSolo, " at both"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const double load,
                             CalibrationNumber(calibration, kMemoryLatencyLoad,
                                               {.k = inputs.reference_k()}));
  const double service_us = line->slope / program.chunk_service_share();
  const double latency_us = line->intercept -
                            program.epilogue_service_share() * service_us -
                            load * inputs.part.sm_count() / reference_us;
  TILEBOUND_RETURN_IF_ERROR(
      RefuseNegative(latency_us, *alone[0], kMemoryLatency));
  *calibration.add_fitted() =
      FittedValue(kServiceTime, service_us, inputs.reference_k(), alone);
  *calibration.add_fitted() =
      FittedValue(kMemoryLatency, latency_us, inputs.reference_k(), alone);
  return calibration;
}

absl::StatusOr<pb::Calibration> FitSiteCosts(const FitInputs& inputs,
                                             pb::Calibration calibration) {
  for (const pb::FitObservation& observation : inputs.recipe.observations()) {
    if (observation.quantity() != kSiteCost) continue;
    TILEBOUND_ASSIGN_OR_RETURN(LookCost cost,
                               ReadLookCost(inputs, observation));
    if (observation.cell().site() != pb::BOUNDARY) {
      TILEBOUND_ASSIGN_OR_RETURN(
          const double site_us, SiteUs(calibration, observation.cell().site()));
      cost.us -= cost.sites * site_us;
    }
    TILEBOUND_RETURN_IF_ERROR(RefuseNegative(cost.us, observation, kSiteCost));
    pb::CalibrationValue value =
        FittedValue(kSiteCost, cost.us, 0, {&observation});
    value.set_site(SiteName(pb::BOUNDARY));
    *calibration.add_fitted() = std::move(value);
  }
  for (const pb::FitObservation& observation : inputs.recipe.observations()) {
    if (observation.quantity() != kFlagRoundTrip) continue;
    TILEBOUND_ASSIGN_OR_RETURN(const LookCost cost,
                               ReadLookCost(inputs, observation));
    TILEBOUND_ASSIGN_OR_RETURN(const double site_us,
                               SiteUs(calibration, observation.cell().site()));
    TILEBOUND_ASSIGN_OR_RETURN(const double tile_us,
                               SiteUs(calibration, pb::BOUNDARY));
    const double us = (cost.us - tile_us) / cost.sites - site_us;
    TILEBOUND_RETURN_IF_ERROR(RefuseNegative(us, observation, kFlagRoundTrip));
    *calibration.add_fitted() =
        FittedValue(kFlagRoundTrip, us, 0, {&observation});
  }
  return calibration;
}

}  // namespace tilebound::model
