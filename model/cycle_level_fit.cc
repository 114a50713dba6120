#include "model/cycle_level_fit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/cycle/fit_cycles.h"
#include "model/cycle/slot_times.h"
#include "model/find_root.h"
#include "model/observation_model.h"
#include "model/recipe_values.h"

namespace tilebound::model {
namespace {

// The other slots' tile times move a little with the youngest's; the round that
// comes nearest is kept.
constexpr int kRounds = 4;
// Where the search for cycle parameters begins.
constexpr CycleParameters kStart;

using Observations = std::vector<const pb::FitObservation*>;

class CycleLevelFitter {
 public:
  CycleLevelFitter(const FitInputs& inputs, pb::Calibration calibration)
      : inputs_(inputs), calibration_(std::move(calibration)) {}

  // A solo tile tells the latencies, a full SM what the pipe costs, one handoff
  // how far the youngest slot falls behind.
  absl::StatusOr<pb::Calibration> Run() {
    TILEBOUND_ASSIGN_OR_RETURN(
        stream_, FindStream(inputs_.program(), StreamCapability(inputs_.part)));
    CycleObservations observed;
    const bool fit_cost = Lacks(kPipeCost);
    const bool fit_queue = Lacks(kAdmissionQueue);
    if (Lacks(kGlobalLatency)) {
      TILEBOUND_ASSIGN_OR_RETURN(observed.solo, BeginLatencies());
    }
    if (!Lacks(kGlobalLatency) && Lacks(kAtomicRoundTrip)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the recipe declares ", kGlobalLatency, " and not ", kAtomicRoundTrip,
          "; declare both, or neither to have them fitted"));
    }
    if (fit_cost) {
      TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* mean,
                                 Observation(kTileTimeMean));
      Begin(kPipeCost, kStart.lsu_cost_scale, {mean});
      TILEBOUND_ASSIGN_OR_RETURN(const double us, Observed(*mean));
      observed.mean = CycleObservation{
          .blocks = BlocksPerSm(*mean), .chunks = ReferenceChunks(), .us = us};
    }
    TILEBOUND_RETURN_IF_ERROR(Refit(observed));
    if (fit_queue) TILEBOUND_RETURN_IF_ERROR(FitQueue(std::move(observed)));
    return std::move(calibration_);
  }

 private:
  bool Lacks(absl::string_view quantity) const {
    return FindCalibrationValue(calibration_, quantity) == nullptr;
  }
  absl::StatusOr<const pb::FitObservation*> Observation(
      absl::string_view quantity) const {
    return FindObservation(inputs_.recipe, quantity, inputs_.reference_k());
  }
  absl::StatusOr<double> Observed(const pb::FitObservation& observation) const {
    return ObservedValue(observation, inputs_.surfaces);
  }
  uint32_t BlocksPerSm(const pb::FitObservation& observation) const {
    return observation.cell().blocks() / inputs_.part.sm_count();
  }
  uint32_t Chunks(uint32_t k) const { return k / inputs_.program().chunk_k(); }
  uint32_t ReferenceChunks() const { return Chunks(inputs_.reference_k()); }
  uint32_t WarpsPerBlock() const {
    return inputs_.kernel.threads_per_block() / 32;
  }

  // A place for a value that is being fitted.
  void Begin(absl::string_view quantity, double start,
             const Observations& from) {
    *calibration_.add_fitted() = FittedValue(quantity, start, 0, from);
  }
  pb::CalibrationValue* Fitted(absl::string_view quantity) {
    for (pb::CalibrationValue& value : *calibration_.mutable_fitted()) {
      if (value.quantity() == quantity) return &value;
    }
    return nullptr;
  }

  // Begins both latencies; returns the tiles that are left to fit them to.
  absl::StatusOr<std::vector<CycleObservation>> BeginLatencies() {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* reference,
                               Observation(kTileTimeSolo));
    Observations from = {reference};
    const bool fit_atomic = Lacks(kAtomicRoundTrip);
    for (const pb::FitObservation& observation :
         inputs_.recipe.observations()) {
      if (fit_atomic && &observation != reference &&
          observation.quantity() == kTileTimeSolo) {
        from.push_back(&observation);
      }
    }
    Begin(kGlobalLatency, kStart.l2_latency_us, from);
    if (fit_atomic) {
      Begin(kAtomicRoundTrip, kStart.atomic_round_trip_us, from);
    }
    std::vector<CycleObservation> solo;
    for (const pb::FitObservation* observation : from) {
      TILEBOUND_ASSIGN_OR_RETURN(const double us, Observed(*observation));
      solo.push_back({.chunks = Chunks(observation->cell().k()), .us = us});
    }
    // The reference depth last: it is the one that is kept if only one is.
    std::rotate(solo.begin(), solo.begin() + 1, solo.end());
    if (fit_atomic && solo.size() == 1) {
      TILEBOUND_RETURN_IF_ERROR(FitLatenciesTogether(solo[0]));
      solo.clear();
    }
    return solo;
  }

  // One depth determines one number: both latencies, in the ratio in which the
  // search begins.
  absl::Status FitLatenciesTogether(const CycleObservation& solo) {
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
                   return SoloUs(solo.chunks);
                 }));
    scale(factor);
    return absl::OkStatus();
  }

  absl::StatusOr<double> SoloUs(uint32_t chunks) const {
    TILEBOUND_ASSIGN_OR_RETURN(const CycleParameters parameters,
                               CycleParametersOf(inputs_.part, calibration_));
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<CycleSlotTime> slots,
        ComputeCycleSlotTimes(stream_, parameters,
                              {.blocks = 1,
                               .warps_per_block = WarpsPerBlock(),
                               .chunks = chunks,
                               .tiles = inputs_.options.cycle.tiles},
                              inputs_.options.cycle.cache_folder));
    return slots[0].mean_us;
  }

  // Fits the cycle level to `observed`, and takes parameters and slot tile
  // times over.
  absl::Status Refit(const CycleObservations& observed) {
    TILEBOUND_ASSIGN_OR_RETURN(CycleParameters start,
                               CycleParametersOf(inputs_.part, calibration_));
    const CycleFitOptions options = {
        .tiles = std::max(kLeastTiles, inputs_.options.cycle.tiles / 3),
        .cache_folder = inputs_.options.cycle.cache_folder};
    TILEBOUND_ASSIGN_OR_RETURN(
        const CycleFit fit,
        FitCycleParameters(stream_, WarpsPerBlock(), start, observed, options));
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
        ComputeSlotTimes(inputs_.part, inputs_.kernel, calibration_,
                         inputs_.options.cycle));
    calibration_.clear_computed();
    calibration_.mutable_computed()->Add(slots.begin(), slots.end());
    return absl::OkStatus();
  }

  // The youngest slot's tile time that gives `latency_us`, the other slots
  // being as they are.
  absl::StatusOr<double> YoungestUs(const pb::FitObservation& observation,
                                    double latency_us) const {
    pb::Calibration trial = calibration_;
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<pb::CalibrationValue> server,
        ComputeServerParameters(inputs_.part, inputs_.kernel, trial));
    trial.mutable_computed()->Add(server.begin(), server.end());
    const uint32_t blocks = BlocksPerSm(observation);
    pb::CalibrationValue* youngest = nullptr;
    for (pb::CalibrationValue& value : *trial.mutable_computed()) {
      if (value.quantity() == kTileTimeSlot &&
          value.blocks_per_sm() == blocks && value.slot() + 1 == blocks) {
        youngest = &value;
      }
    }
    if (youngest == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat(DescribeObservation(observation), " is of ", blocks,
                       " blocks per SM, which the part does not hold"));
    }
    return FindRoot(0.7 * latency_us, 1.05 * latency_us, latency_us,
                    [&](double us) -> absl::StatusOr<double> {
                      youngest->set_value(us);
                      return ObservedLatencyUs(
                          {inputs_.part, inputs_.kernel, trial}, observation,
                          inputs_.options.events);
                    });
  }

  double ComputedYoungestUs(uint32_t blocks) const {
    return FindCalibrationValue(calibration_, kTileTimeSlot,
                                {.k = inputs_.reference_k(),
                                 .blocks_per_sm = blocks,
                                 .slot = blocks - 1})
        ->value();
  }

  absl::Status FitQueue(CycleObservations observed) {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::FitObservation* observation,
                               Observation(kLatency));
    TILEBOUND_ASSIGN_OR_RETURN(const double latency_us, Observed(*observation));
    Begin(kAdmissionQueue, kStart.queue_places, {observation});
    const uint32_t blocks = BlocksPerSm(*observation);
    observed.slot = CycleObservation{
        .blocks = blocks, .chunks = ReferenceChunks(), .slot = blocks - 1};
    // A fit's short runs of the cycle level over the long one whose slot tile
    // times are kept: the youngest's differ by a percent, now more, now less.
    double run_bias = 1;
    double least_miss = HUGE_VAL;
    pb::Calibration best;
    CycleObservation best_slot;
    for (int round = 0; round < kRounds; ++round) {
      TILEBOUND_ASSIGN_OR_RETURN(const double wanted_us,
                                 YoungestUs(*observation, latency_us));
      observed.slot->us = wanted_us * run_bias;
      TILEBOUND_RETURN_IF_ERROR(Refit(observed));
      const double computed_us = ComputedYoungestUs(blocks);
      const double miss = std::abs(computed_us / wanted_us - 1);
      if (miss < least_miss) {
        least_miss = miss;
        best = calibration_;
        best_slot = *observed.slot;
      }
      run_bias *= wanted_us / computed_us;
    }
    calibration_ = std::move(best);
    observed.slot = best_slot;
    return QueueInterval(observed.slot, *observation, latency_us);
  }

  // A published quantile is known to half a tick either way.
  absl::Status QueueInterval(std::optional<CycleObservation> slot,
                             const pb::FitObservation& observation,
                             double latency_us) {
    const pb::Calibration best = calibration_;
    const double half_tick_us =
        static_cast<double>(inputs_.part.timer_quantum_ps()) * 0.5e-6;
    CycleObservations queue_only;
    queue_only.slot = slot;
    std::vector<double> ends;
    for (double sign : {1.0, -1.0}) {
      calibration_ = best;
      TILEBOUND_ASSIGN_OR_RETURN(
          queue_only.slot->us,
          YoungestUs(observation, latency_us + sign * half_tick_us));
      TILEBOUND_RETURN_IF_ERROR(Refit(queue_only));
      ends.push_back(Fitted(kAdmissionQueue)->value());
    }
    calibration_ = best;
    pb::CalibrationValue* queue = Fitted(kAdmissionQueue);
    // The simulated tile times have an error of their own.
    queue->set_low(std::min({ends[0], ends[1], queue->value()}));
    queue->set_high(std::max({ends[0], ends[1], queue->value()}));
    return absl::OkStatus();
  }

  const FitInputs& inputs_;
  pb::Calibration calibration_;
  TileStream stream_;
};

}  // namespace

absl::StatusOr<pb::Calibration> FitCycleLevel(const FitInputs& inputs,
                                              pb::Calibration calibration) {
  return CycleLevelFitter(inputs, std::move(calibration)).Run();
}

}  // namespace tilebound::model
