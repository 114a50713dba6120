#include "model/fit.h"

#include <algorithm>
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
#include "model/cycle/fit_cycles.h"
#include "model/cycle/slot_times.h"
#include "model/cycle_calibration.h"
#include "model/occupancy.h"
#include "model/predict_options.h"
#include "model/reserved.h"
#include "model/sampled.h"
#include "model/slot_sharing.h"
#include "model/tile_timing.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSeed = 1;
constexpr uint64_t kEvents = 10'000;
// The other slots' tile times move a little with the youngest's; two rounds
// settle both.
constexpr int kRounds = 2;
// Where the search for cycle parameters begins.
constexpr CycleParameters kStart;

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
         const pb::FitRecipe& recipe, const std::vector<pb::Surface>& surfaces,
         const CycleOptions& options)
      : part_(part),
        kernel_(kernel),
        recipe_(recipe),
        surfaces_(surfaces),
        options_(options) {}

  absl::StatusOr<pb::Calibration> Run(const pb::Calibration* transferred) {
    TILEBOUND_RETURN_IF_ERROR(Start(transferred));
    if (!HasSlotTimes()) TILEBOUND_RETURN_IF_ERROR(FitCycleLevel());
    if (Lacks(kServiceTime, reference_k())) {
      TILEBOUND_RETURN_IF_ERROR(AddServerParameters(&calibration_));
    }
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

  bool HasSlotTimes() const {
    return SlotTileTimes(calibration_, reference_k(),
                         ComputeOccupancy(part_, kernel_).blocks_per_sm)
        .ok();
  }

  absl::Status AddServerParameters(pb::Calibration* calibration) const {
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<pb::CalibrationValue> values,
        ComputeServerParameters(part_, kernel_, *calibration));
    calibration->mutable_computed()->Add(values.begin(), values.end());
    return absl::OkStatus();
  }

  // Fits what the recipe neither declares nor transfers, then computes the slot
  // tile times. A solo tile tells the latencies, a full SM what the pipe costs,
  // one handoff how far the youngest slot falls behind.
  absl::Status FitCycleLevel() {
    TILEBOUND_ASSIGN_OR_RETURN(const TileStream stream,
                               FindStream(program(), StreamCapability(part_)));
    CycleObservations observed;
    const bool fit_latency = Lacks(kGlobalLatency, 0);
    const bool fit_cost = Lacks(kPipeCost, 0);
    const bool fit_queue = Lacks(kAdmissionQueue, 0);
    if (fit_latency) {
      TILEBOUND_RETURN_IF_ERROR(
          Begin(kGlobalLatency, 0, kTileTimeSolo, kStart.l2_latency_us));
      observed.solo = SoloObservations();
      if (Lacks(kAtomicRoundTrip, 0)) {
        TILEBOUND_RETURN_IF_ERROR(Begin(kAtomicRoundTrip, 0, kTileTimeSolo,
                                        kStart.atomic_round_trip_us));
        if (observed.solo.size() == 1) {
          TILEBOUND_RETURN_IF_ERROR(FitLatenciesTogether(stream, observed));
          observed.solo.clear();
        }
      } else {
        observed.solo.erase(observed.solo.begin(), observed.solo.end() - 1);
      }
    }
    if (fit_cost) {
      TILEBOUND_RETURN_IF_ERROR(
          Begin(kPipeCost, 0, kTileTimeMean, kStart.lsu_cost_scale));
      TILEBOUND_ASSIGN_OR_RETURN(observed.mean, MeanObservation());
    }
    TILEBOUND_RETURN_IF_ERROR(Refit(stream, observed));
    if (!fit_queue) return absl::OkStatus();
    TILEBOUND_RETURN_IF_ERROR(
        Begin(kAdmissionQueue, 0, kLatency, kStart.queue_places));
    return FitQueue(stream, observed);
  }

  // One depth determines one number: both latencies, in the ratio in which the
  // search begins.
  absl::Status FitLatenciesTogether(const TileStream& stream,
                                    const CycleObservations& observed) {
    const CycleObservation& solo = observed.solo[0];
    const auto scale = [&](double factor) {
      Fitted(kGlobalLatency)
          ->set_value(FourDigits(factor * kStart.l2_latency_us));
      Fitted(kAtomicRoundTrip)
          ->set_value(FourDigits(factor * kStart.atomic_round_trip_us));
    };
    constexpr double kMostFactor = 20;
    TILEBOUND_ASSIGN_OR_RETURN(
        const double factor,
        FindRoot(0, kMostFactor, solo.us,
                 [&](double trial) -> absl::StatusOr<double> {
                   scale(trial);
                   TILEBOUND_ASSIGN_OR_RETURN(
                       const CycleParameters parameters,
                       CycleParametersOf(part_, calibration_));
                   TILEBOUND_ASSIGN_OR_RETURN(
                       const std::vector<CycleSlotTime> slots,
                       ComputeCycleSlotTimes(
                           stream, parameters,
                           {.blocks = 1,
                            .warps_per_block = kernel_.threads_per_block() / 32,
                            .chunks = solo.chunks,
                            .tiles = options_.tiles},
                           options_.cache_folder));
                   return slots[0].mean_us;
                 }));
    scale(factor);
    return absl::OkStatus();
  }

  std::vector<CycleObservation> SoloObservations() const {
    std::vector<CycleObservation> solo;
    for (const pb::CalibrationValue& value : calibration_.measured()) {
      if (value.quantity() != kTileTimeSolo) continue;
      const CycleObservation observation = {
          .chunks = value.k() / program().chunk_k(), .us = value.value()};
      // The reference depth last: it is the one that is kept if only one is.
      solo.insert(value.k() == reference_k() ? solo.end() : solo.begin(),
                  observation);
    }
    return solo;
  }

  absl::StatusOr<CycleObservation> MeanObservation() const {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kTileTimeMean));
    TILEBOUND_ASSIGN_OR_RETURN(const double us, Look(*observation, surfaces_));
    return CycleObservation{
        .blocks = observation->cell().blocks() / part_.sm_count(),
        .chunks = reference_k() / program().chunk_k(),
        .us = us};
  }

  // Fits the cycle level to `observed`, and takes parameters and slot tile
  // times over.
  absl::Status Refit(const TileStream& stream,
                     const CycleObservations& observed) {
    TILEBOUND_ASSIGN_OR_RETURN(CycleParameters start,
                               CycleParametersOf(part_, calibration_));
    TILEBOUND_ASSIGN_OR_RETURN(
        const CycleFit fit,
        FitCycleParameters(stream, kernel_.threads_per_block() / 32, start,
                           observed,
                           {.tiles = std::max(kLeastTiles, options_.tiles / 3),
                            .cache_folder = options_.cache_folder}));
    const std::pair<const char*, double> fitted[] = {
        {kGlobalLatency, fit.parameters.l2_latency_us},
        {kAtomicRoundTrip, fit.parameters.atomic_round_trip_us},
        {kPipeCost, fit.parameters.lsu_cost_scale},
        {kAdmissionQueue, fit.parameters.queue_places}};
    for (const auto& [quantity, value] : fitted) {
      if (pb::CalibrationValue* place = Fitted(quantity); place != nullptr) {
        place->set_value(FourDigits(value));
      }
    }
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<pb::CalibrationValue> slots,
        ComputeSlotTimes(part_, kernel_, calibration_, options_));
    calibration_.clear_computed();
    calibration_.mutable_computed()->Add(slots.begin(), slots.end());
    return absl::OkStatus();
  }

  // The youngest slot's tile time that gives `latency_us`, the other slots
  // being as they are.
  absl::StatusOr<double> YoungestUs(const pb::FitObservation& observation,
                                    double latency_us) const {
    pb::Calibration trial = calibration_;
    TILEBOUND_RETURN_IF_ERROR(AddServerParameters(&trial));
    const uint32_t blocks = observation.cell().blocks() / part_.sm_count();
    pb::CalibrationValue* youngest = nullptr;
    for (pb::CalibrationValue& value : *trial.mutable_computed()) {
      if (value.quantity() == kTileTimeSlot &&
          value.blocks_per_sm() == blocks && value.slot() + 1 == blocks) {
        youngest = &value;
      }
    }
    return FindRoot(0.7 * latency_us, 1.05 * latency_us, latency_us,
                    [&](double us) -> absl::StatusOr<double> {
                      youngest->set_value(us);
                      return LatencyUs(trial, observation);
                    });
  }

  absl::Status FitQueue(const TileStream& stream, CycleObservations observed) {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kLatency));
    TILEBOUND_ASSIGN_OR_RETURN(const double latency_us,
                               Look(*observation, surfaces_));
    const uint32_t blocks = observation->cell().blocks() / part_.sm_count();
    observed.slot =
        CycleObservation{.blocks = blocks,
                         .chunks = reference_k() / program().chunk_k(),
                         .slot = blocks - 1};
    for (int round = 0; round < kRounds; ++round) {
      TILEBOUND_ASSIGN_OR_RETURN(observed.slot->us,
                                 YoungestUs(*observation, latency_us));
      TILEBOUND_RETURN_IF_ERROR(Refit(stream, observed));
    }
    return QueueInterval(stream, observed, *observation, latency_us);
  }

  // A published quantile is known to half a tick either way.
  absl::Status QueueInterval(const TileStream& stream,
                             CycleObservations observed,
                             const pb::FitObservation& observation,
                             double latency_us) {
    const pb::Calibration best = calibration_;
    const double half_tick_us =
        static_cast<double>(part_.timer_quantum_ps()) * 0.5e-6;
    CycleObservations queue_only;
    std::vector<double> ends;
    for (double sign : {1.0, -1.0}) {
      calibration_ = best;
      TILEBOUND_ASSIGN_OR_RETURN(
          observed.slot->us,
          YoungestUs(observation, latency_us + sign * half_tick_us));
      queue_only.slot = observed.slot;
      TILEBOUND_RETURN_IF_ERROR(Refit(stream, queue_only));
      ends.push_back(Fitted(kAdmissionQueue)->value());
    }
    calibration_ = best;
    pb::CalibrationValue* queue = Fitted(kAdmissionQueue);
    // The simulated tile times have an error of their own.
    queue->set_low(std::min({ends[0], ends[1], queue->value()}));
    queue->set_high(std::max({ends[0], ends[1], queue->value()}));
    return absl::OkStatus();
  }

  const pb::Part& part_;
  const pb::Kernel& kernel_;
  const pb::FitRecipe& recipe_;
  const std::vector<pb::Surface>& surfaces_;
  const CycleOptions& options_;
  pb::Calibration calibration_;
};

}  // namespace

absl::StatusOr<pb::Calibration> FitCalibration(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration* transferred, const CycleOptions& options) {
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
  return Fitter(part, kernel, recipe, surfaces, options).Run(transferred);
}

absl::StatusOr<std::vector<FitResidual>> FitResiduals(
    const pb::Part& part, const pb::Kernel& kernel, const pb::FitRecipe& recipe,
    const std::vector<pb::Surface>& surfaces,
    const pb::Calibration& calibration) {
  const CycleOptions options;
  const Fitter fitter(part, kernel, recipe, surfaces, options);
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
