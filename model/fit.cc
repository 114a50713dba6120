#include "model/fit.h"

#include <cmath>
#include <functional>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "model/cell_model.h"
#include "model/predict_options.h"
#include "model/reserved.h"
#include "model/sampled.h"
#include "model/tile_timing.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSeed = 1;
constexpr uint64_t kEvents = 10'000;
// Parameters feed back on one another through the load; three rounds settle
// them to the digits that are kept.
constexpr int kRounds = 3;

double FourDigits(double value) {
  double rounded = value;
  return absl::SimpleAtod(absl::StrFormat("%.4g", value), &rounded) ? rounded
                                                                    : value;
}

// How often time is a factor of a unit: what counts cycles scales with the
// clock to that power.
int PowerOfTime(absl::string_view unit) {
  return unit == "us" ? 1 : unit == "us2_per_tile" ? 2 : 0;
}

std::string Describe(const pb::FitObservation& observation) {
  std::string text =
      absl::StrCat(observation.surface(), ": ", observation.metric());
  if (observation.quantile() > 0) {
    absl::StrAppend(&text, " quantile ", observation.quantile());
  }
  return absl::StrCat(text, " of ", CanonicalText(observation.cell()));
}

absl::StatusOr<double> Look(const pb::FitObservation& observation,
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
  return absl::NotFoundError(
      absl::StrCat("no surface holds the observation ", Describe(observation)));
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

// The x in [low, high] where `function`, which falls or rises throughout,
// equals `target`: false position with Illinois' halving of the end that stays
// (Dowell and Jarratt, BIT 11, 1971), to a ten-thousandth of the range.
absl::StatusOr<double> FindRoot(
    double low, double high, double target,
    const std::function<absl::StatusOr<double>(double)>& function) {
  const double precision = 1e-4 * (high - low);
  TILEBOUND_ASSIGN_OR_RETURN(double at_low, function(low));
  TILEBOUND_ASSIGN_OR_RETURN(double at_high, function(high));
  if (target < std::min(at_low, at_high) ||
      target > std::max(at_low, at_high)) {
    return absl::OutOfRangeError(absl::StrCat(
        "values from ", std::min(at_low, at_high), " to ",
        std::max(at_low, at_high), " can be reached, ", target, " cannot"));
  }
  at_low -= target;
  at_high -= target;
  double x = low;
  for (int kept = 0, i = 0; i < 40 && high - low > precision; ++i) {
    x = high - at_high * (high - low) / (at_high - at_low);
    TILEBOUND_ASSIGN_OR_RETURN(double at_x, function(x));
    at_x -= target;
    if (at_x == 0) return x;
    if ((at_x < 0) == (at_high < 0)) {
      if (std::abs(high - x) < precision) return x;
      high = x;
      at_high = at_x;
      if (kept == 1) at_low /= 2;
      kept = 1;
    } else {
      if (std::abs(x - low) < precision) return x;
      low = x;
      at_low = at_x;
      if (kept == -1) at_high /= 2;
      kept = -1;
    }
  }
  return x;
}

class Fitter {
 public:
  Fitter(const pb::Part& part, const pb::Kernel& kernel,
         const pb::FitRecipe& recipe, const std::vector<pb::Surface>& surfaces)
      : part_(part), kernel_(kernel), recipe_(recipe), surfaces_(surfaces) {}

  absl::StatusOr<pb::Calibration> Run(const pb::Calibration* transferred) {
    TILEBOUND_RETURN_IF_ERROR(Start(transferred));
    const bool fit_service = Lacks(kServiceTime, reference_k());
    const bool fit_latency = Lacks(kMemoryLatency, reference_k());
    const bool fit_decay = Lacks(kShareDecay, 0);
    if (fit_service) {
      TILEBOUND_RETURN_IF_ERROR(
          Begin(kServiceTime, reference_k(), kTileTimeMean, 1.0));
    }
    if (fit_latency) {
      TILEBOUND_RETURN_IF_ERROR(
          Begin(kMemoryLatency, reference_k(), kTileTimeSolo, 1.0));
    }
    if (fit_decay) {
      TILEBOUND_RETURN_IF_ERROR(Begin(kShareDecay, 0, kLatency, 0.5));
    }
    for (int round = 0; round < kRounds; ++round) {
      if (fit_service) TILEBOUND_RETURN_IF_ERROR(FitService());
      if (fit_latency) TILEBOUND_RETURN_IF_ERROR(FitLatency());
      if (fit_decay) TILEBOUND_RETURN_IF_ERROR(FitDecay());
    }
    if (fit_decay) TILEBOUND_RETURN_IF_ERROR(DecayInterval());
    if (Lacks(kNewcomerDelay, 0) && Observation(kE2e).ok()) {
      TILEBOUND_RETURN_IF_ERROR(Begin(kNewcomerDelay, 0, kE2e, 0));
      TILEBOUND_RETURN_IF_ERROR(FitNewcomer());
    }
    return calibration_;
  }

  absl::StatusOr<double> Predict(const pb::Calibration& calibration,
                                 const pb::FitObservation& observation) const {
    if (observation.quantity() == kLatency) {
      return LatencyUs(calibration, observation);
    }
    if (observation.quantity() == kE2e) {
      TILEBOUND_ASSIGN_OR_RETURN(
          const double newcomer_us,
          CalibrationNumber(calibration, kNewcomerDelay));
      return E2eUs(calibration, observation, newcomer_us);
    }
    return MeanTileUs(calibration, observation.cell());
  }

 private:
  const pb::TileProgram& program() const { return kernel_.programs(0); }
  uint32_t reference_k() const { return program().reference_k(); }

  bool Lacks(absl::string_view quantity, uint32_t k) const {
    return FindCalibrationValue(calibration_, quantity, {.k = k}) == nullptr;
  }

  // Measured and declared groups.
  absl::Status Start(const pb::Calibration* transferred) {
    calibration_.set_part(recipe_.part());
    calibration_.set_kernel(recipe_.kernel());
    calibration_.set_sm_clock_mhz(recipe_.sm_clock_mhz());
    calibration_.set_build(recipe_.build());
    calibration_.set_note(recipe_.note());
    for (const pb::FitObservation& observation : recipe_.observations()) {
      TILEBOUND_ASSIGN_OR_RETURN(const double value,
                                 Look(observation, surfaces_));
      if (observation.quantity() == kLatency ||
          observation.quantity() == kE2e) {
        continue;
      }
      pb::CalibrationValue measured =
          Value(observation.quantity(), value, observation.cell().k());
      measured.set_blocks(observation.cell().blocks());
      measured.set_source(Describe(observation));
      *calibration_.add_measured() = std::move(measured);
    }
    *calibration_.mutable_declared() = recipe_.declared();
    return TakeOver(transferred);
  }

  absl::Status TakeOver(const pb::Calibration* from) {
    if (!recipe_.has_transfer()) return absl::OkStatus();
    if (from == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the recipe transfers from ", recipe_.transfer().part(),
                       ", but its calibration was not given"));
    }
    const double clocks = from->sm_clock_mhz() / recipe_.sm_clock_mhz();
    const auto take = [&](const std::string& quantity, bool in_cycles,
                          absl::string_view how) -> absl::Status {
      bool found = false;
      for (const auto* group : {&from->declared(), &from->fitted()}) {
        for (const pb::CalibrationValue& value : *group) {
          if (value.quantity() != quantity) continue;
          pb::CalibrationValue copy = value;
          const double scale =
              in_cycles ? std::pow(clocks, PowerOfTime(value.unit())) : 1;
          copy.set_value(FourDigits(value.value() * scale));
          copy.set_low(FourDigits(value.low() * scale));
          copy.set_high(FourDigits(value.high() * scale));
          copy.clear_fitted_from();
          copy.set_source(absl::StrCat("calibration of ", from->kernel(),
                                       " on ", from->part(), ", ", how));
          *calibration_.add_declared() = std::move(copy);
          found = true;
        }
      }
      if (found) return absl::OkStatus();
      return absl::NotFoundError(absl::StrCat("the calibration of ",
                                              from->part(), " has no ",
                                              quantity, " to transfer"));
    };
    for (const std::string& quantity : recipe_.transfer().quantities()) {
      TILEBOUND_RETURN_IF_ERROR(take(quantity, false, "unchanged"));
    }
    for (const std::string& quantity :
         recipe_.transfer().quantities_in_cycles()) {
      TILEBOUND_RETURN_IF_ERROR(
          take(quantity, true, "the same number of cycles"));
    }
    return absl::OkStatus();
  }

  // The observation that determines a quantity, and a place for its value.
  absl::Status Begin(absl::string_view quantity, uint32_t k,
                     absl::string_view determined_by, double start) {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(determined_by));
    pb::CalibrationValue value = Value(quantity, start, k);
    value.set_source("//model:calibrate");
    value.add_fitted_from(Describe(*observation));
    *calibration_.add_fitted() = std::move(value);
    return absl::OkStatus();
  }

  absl::StatusOr<const pb::FitObservation*> Observation(
      absl::string_view quantity) const {
    for (const pb::FitObservation& observation : recipe_.observations()) {
      if (observation.quantity() == quantity &&
          observation.cell().k() == reference_k()) {
        return &observation;
      }
    }
    return absl::FailedPreconditionError(absl::StrCat(
        "the recipe of ", recipe_.kernel(), " on ", recipe_.part(),
        " has no observation of ", quantity, " at k ", reference_k(),
        "; measure it or declare what it determines"));
  }

  pb::CalibrationValue* Fitted(absl::string_view quantity) {
    for (pb::CalibrationValue& value : *calibration_.mutable_fitted()) {
      if (value.quantity() == quantity) return &value;
    }
    return nullptr;
  }

  absl::StatusOr<CellModel> Model(const pb::Calibration& calibration,
                                  pb::CellKey key) const {
    // Cells of the arm none run the same tiles, and have no events.
    key.set_arm(pb::COOPERATIVE);
    key.set_urgent_tiles(1);
    return MakeCellModel(part_, kernel_, calibration, key, Sharing::kSlot,
                         kSeed);
  }

  absl::StatusOr<double> MeanTileUs(const pb::Calibration& calibration,
                                    const pb::CellKey& key) const {
    TILEBOUND_ASSIGN_OR_RETURN(const CellModel cell, Model(calibration, key));
    return key.blocks() / cell.base_tile_rate;
  }

  absl::StatusOr<double> LatencyUs(
      const pb::Calibration& calibration,
      const pb::FitObservation& observation) const {
    TILEBOUND_ASSIGN_OR_RETURN(CellModel cell,
                               Model(calibration, observation.cell()));
    // Flooring both stamps leaves the mean alone, so the unfloored quantile is
    // what a published one in ticks estimates; and it moves smoothly.
    cell.quantum_ps = 1000;
    const HandoffMetrics metrics = SampleHandoff(cell, kEvents, 1);
    for (const pb::Metric& metric : metrics.ToMetrics()) {
      if (metric.name() != kLatency) continue;
      const auto value = MetricQuantile(metric, observation.quantile());
      if (value.has_value()) return *value;
    }
    return absl::InternalError("a simulated cell has no latency");
  }

  absl::StatusOr<double> E2eUs(const pb::Calibration& calibration,
                               const pb::FitObservation& observation,
                               double newcomer_us) const {
    PredictOptions options;
    options.events = kEvents;
    options.seed = kSeed;
    TILEBOUND_ASSIGN_OR_RETURN(
        const Histogram e2e,
        ReservedE2e({part_, kernel_, calibration}, observation.cell(),
                    newcomer_us, options, 1));
    TILEBOUND_ASSIGN_OR_RETURN(const uint64_t bin,
                               e2e.Quantile(observation.quantile()));
    return e2e.ToMicroseconds(static_cast<double>(bin));
  }

  // In one wave the delay comes on top of all else.
  absl::Status FitNewcomer() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kE2e));
    TILEBOUND_ASSIGN_OR_RETURN(const double e2e_us,
                               Look(*observation, surfaces_));
    TILEBOUND_ASSIGN_OR_RETURN(const double without_us,
                               E2eUs(calibration_, *observation, 0));
    if (e2e_us < without_us) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no ", kNewcomerDelay, " of at least 0 gives the observed e2e of ",
          e2e_us, " us: without any it is ", without_us));
    }
    Fitted(kNewcomerDelay)->set_value(FourDigits(e2e_us - without_us));
    return absl::OkStatus();
  }

  // Sets a fitted quantity so that `predict` gives `target`.
  absl::Status Solve(absl::string_view quantity, double low, double high,
                     double target,
                     const std::function<absl::StatusOr<double>()>& predict) {
    pb::CalibrationValue* value = Fitted(quantity);
    const auto solved =
        FindRoot(low, high, target, [&](double x) -> absl::StatusOr<double> {
          value->set_value(x);
          return predict();
        });
    if (!solved.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no ", quantity, " from ", low, " to ", high,
          " gives the observed value: ", solved.status().message()));
    }
    value->set_value(FourDigits(*solved));
    return absl::OkStatus();
  }

  absl::Status FitService() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kTileTimeMean));
    TILEBOUND_ASSIGN_OR_RETURN(const double mean_us,
                               Look(*observation, surfaces_));
    // If the SM never idled, it would serve its blocks one tile each in the
    // mean tile time.
    const double busy_us =
        mean_us * part_.sm_count() / observation->cell().blocks();
    return Solve(kServiceTime, 0.5 * busy_us, 1.1 * busy_us, mean_us,
                 [&] { return MeanTileUs(calibration_, observation->cell()); });
  }

  // A tile alone takes L0 + L1 X + (its service shares) C.
  absl::Status FitLatency() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kTileTimeSolo));
    TILEBOUND_ASSIGN_OR_RETURN(const double solo_us,
                               Look(*observation, surfaces_));
    const CalibrationConditions at_k = {.k = reference_k()};
    TILEBOUND_ASSIGN_OR_RETURN(
        const double service_us,
        CalibrationNumber(calibration_, kServiceTime, at_k));
    TILEBOUND_ASSIGN_OR_RETURN(
        const double load,
        CalibrationNumber(calibration_, kMemoryLatencyLoad, at_k));
    const double shares =
        program().epilogue_service_share() +
        program().chunk_service_share() * reference_k() / program().chunk_k();
    const double rate = observation->cell().blocks() / solo_us;
    const double latency_us = solo_us - shares * service_us - load * rate;
    if (latency_us <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a tile alone takes ", solo_us, " us, which leaves ", latency_us,
          " us of latency beside ", shares * service_us, " us of service"));
    }
    Fitted(kMemoryLatency)->set_value(FourDigits(latency_us));
    return absl::OkStatus();
  }

  absl::Status FitDecay() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kLatency));
    TILEBOUND_ASSIGN_OR_RETURN(const double latency_us,
                               Look(*observation, surfaces_));
    return SolveDecay(*observation, latency_us);
  }

  absl::Status SolveDecay(const pb::FitObservation& observation,
                          double latency_us) {
    return Solve(kShareDecay, 0.3, 1, latency_us,
                 [&] { return LatencyUs(calibration_, observation); });
  }

  // A published quantile is known to half a tick either way.
  absl::Status DecayInterval() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kLatency));
    TILEBOUND_ASSIGN_OR_RETURN(const double latency_us,
                               Look(*observation, surfaces_));
    const double half_tick_us =
        static_cast<double>(part_.timer_quantum_ps()) * 0.5e-6;
    const double best = Fitted(kShareDecay)->value();
    TILEBOUND_RETURN_IF_ERROR(
        SolveDecay(*observation, latency_us + half_tick_us));
    const double low = Fitted(kShareDecay)->value();
    TILEBOUND_RETURN_IF_ERROR(
        SolveDecay(*observation, latency_us - half_tick_us));
    const double high = Fitted(kShareDecay)->value();
    Fitted(kShareDecay)->set_value(best);
    Fitted(kShareDecay)->set_low(std::min(low, high));
    Fitted(kShareDecay)->set_high(std::max(low, high));
    return absl::OkStatus();
  }

  const pb::Part& part_;
  const pb::Kernel& kernel_;
  const pb::FitRecipe& recipe_;
  const std::vector<pb::Surface>& surfaces_;
  pb::Calibration calibration_;
};

}  // namespace

absl::StatusOr<pb::Calibration> FitCalibration(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred) {
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
  return Fitter(part, kernel, recipe, surfaces).Run(transferred);
}

absl::StatusOr<std::vector<FitResidual>> FitResiduals(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration& calibration) {
  const Fitter fitter(part, kernel, recipe, surfaces);
  std::vector<FitResidual> residuals;
  for (const pb::FitObservation& observation : recipe.observations()) {
    if (observation.quantity() == kTileWallP99) continue;
    TILEBOUND_ASSIGN_OR_RETURN(const double observed,
                               Look(observation, surfaces));
    TILEBOUND_ASSIGN_OR_RETURN(const double predicted,
                               fitter.Predict(calibration, observation));
    residuals.push_back({observation, observed, predicted});
  }
  return residuals;
}

}  // namespace tilebound::model
