#include "model/cycle/fit_cycles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "Eigen/Dense"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "model/cycle/slot_times.h"

namespace tilebound::model {
namespace {

class Fitter {
 public:
  Fitter(const TileStream& stream, uint32_t warps_per_block,
         const CycleParameters& start, const CycleFitOptions& options)
      : stream_(stream),
        warps_per_block_(warps_per_block),
        options_(options),
        parameters_(start) {}

  const CycleParameters& parameters() const { return parameters_; }

  absl::StatusOr<double> Predict(const CycleParameters& parameters,
                                 const CycleObservation& observed) const {
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<CycleSlotTime> slots,
        ComputeCycleSlotTimes(stream_, parameters,
                              {.blocks = observed.blocks,
                               .warps_per_block = warps_per_block_,
                               .chunks = observed.chunks,
                               .tiles = options_.tiles,
                               .seed = options_.seed},
                              options_.cache_folder));
    return observed.slot ? slots[*observed.slot].mean_us
                         : MeanCycleTileUs(slots);
  }

  // Least squares of relative errors, by Gauss and Newton with the slopes of
  // the first step: a solo tile's time is all but linear in both latencies.
  absl::Status FitLatencies(const std::vector<CycleObservation>& solo,
                            bool both) {
    const std::vector<double CycleParameters::*> members =
        both ? std::vector{&CycleParameters::l2_latency_us,
                           &CycleParameters::atomic_round_trip_us}
             : std::vector{&CycleParameters::l2_latency_us};
    const auto rows = static_cast<Eigen::Index>(solo.size());
    const auto columns = static_cast<Eigen::Index>(members.size());
    constexpr int kSteps = 4;
    constexpr double kDifferenceUs = 0.1;
    Eigen::VectorXd error(rows);
    Eigen::MatrixXd slope(rows, columns);
    for (int step = 0; step < kSteps; ++step) {
      for (Eigen::Index i = 0; i < rows; ++i) {
        const CycleObservation& observed = solo[static_cast<size_t>(i)];
        TILEBOUND_ASSIGN_OR_RETURN(const double now,
                                   Predict(parameters_, observed));
        error(i) = 1 - now / observed.us;
        for (Eigen::Index j = 0; step == 0 && j < columns; ++j) {
          CycleParameters moved = parameters_;
          moved.*members[static_cast<size_t>(j)] += kDifferenceUs;
          TILEBOUND_ASSIGN_OR_RETURN(const double then,
                                     Predict(moved, observed));
          slope(i, j) = (then - now) / kDifferenceUs / observed.us;
        }
      }
      const Eigen::VectorXd change = slope.colPivHouseholderQr().solve(error);
      for (Eigen::Index j = 0; j < columns; ++j) {
        double& value = parameters_.*members[static_cast<size_t>(j)];
        value = std::clamp(value + change(j), 0.0, kMostLatencyUs);
      }
      if (change.cwiseAbs().maxCoeff() < 1e-3) break;
    }
    return absl::OkStatus();
  }

  // Moves `member` from where it is, in steps of the factor `step`, until the
  // prediction passes the observation, then halves the interval.
  absl::Status FitOne(double CycleParameters::*member, double step,
                      double least, double most, double tolerance,
                      const CycleObservation& observed) {
    const auto error_at = [&](double value) -> absl::StatusOr<double> {
      CycleParameters moved = parameters_;
      moved.*member = value;
      TILEBOUND_ASSIGN_OR_RETURN(const double predicted,
                                 Predict(moved, observed));
      return predicted - observed.us;
    };
    const double middle = parameters_.*member;
    TILEBOUND_ASSIGN_OR_RETURN(const double middle_error, error_at(middle));
    double low = middle, high = middle;
    double low_error = middle_error, high_error = middle_error;
    double a = middle, a_error = middle_error, b = middle;
    double nearest = middle_error;
    // Outwards on both sides, so that of several crossings the nearest to the
    // start is found.
    for (bool found = middle_error == 0; !found;) {
      if (low <= least && high >= most) {
        return absl::OutOfRangeError(absl::StrCat(
            "no value from ", least, " to ", most, " brings the tile time of ",
            observed.blocks, " blocks and ", observed.chunks, " chunks to ",
            observed.us, " us; the nearest is ", observed.us + nearest, " us"));
      }
      for (const bool up : {false, true}) {
        double& end = up ? high : low;
        double& end_error = up ? high_error : low_error;
        if (found || (up ? end >= most : end <= least)) continue;
        const double next =
            up ? std::min(most, end * step) : std::max(least, end / step);
        TILEBOUND_ASSIGN_OR_RETURN(const double next_error, error_at(next));
        if (std::abs(next_error) < std::abs(nearest)) nearest = next_error;
        if ((next_error > 0) != (end_error > 0)) {
          a = end;
          a_error = end_error;
          b = next;
          found = true;
        }
        end = next;
        end_error = next_error;
      }
    }
    while (std::abs(a - b) > tolerance) {
      const double half = (a + b) / 2;
      TILEBOUND_ASSIGN_OR_RETURN(const double half_error, error_at(half));
      if ((half_error > 0) == (a_error > 0)) {
        a = half;
        a_error = half_error;
      } else {
        b = half;
      }
    }
    parameters_.*member = (a + b) / 2;
    return absl::OkStatus();
  }

 private:
  static constexpr double kMostLatencyUs = 99;

  const TileStream& stream_;
  uint32_t warps_per_block_;
  const CycleFitOptions& options_;
  CycleParameters parameters_;
};

absl::Status Check(absl::string_view name, const CycleObservation& observed,
                   bool wants_slot) {
  if (!(observed.us > 0) || !std::isfinite(observed.us)) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, " is ", observed.us, " us; a time over 0 is needed"));
  }
  if (observed.slot.has_value() != wants_slot) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, wants_slot ? " names no slot; it is the time of one"
                                      : " names a slot; it is a mean"));
  }
  if (observed.slot && *observed.slot >= observed.blocks) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, " is of slot ", *observed.slot, " of ",
                     observed.blocks, " blocks; slots count from 0"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CycleFit> FitCycleParameters(const TileStream& stream,
                                            uint32_t warps_per_block,
                                            const CycleParameters& start,
                                            const CycleObservations& observed,
                                            const CycleFitOptions& options) {
  std::vector<CycleObservation> all = observed.solo;
  bool both = false;
  for (const CycleObservation& solo : observed.solo) {
    TILEBOUND_RETURN_IF_ERROR(Check("a solo tile time", solo, false));
    if (solo.blocks != 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a solo tile time is of ", solo.blocks, " blocks; 1 is solo"));
    }
    both |= solo.chunks != observed.solo[0].chunks;
  }
  if (observed.mean) {
    TILEBOUND_RETURN_IF_ERROR(Check("the mean", *observed.mean, false));
    all.push_back(*observed.mean);
  }
  if (observed.slot) {
    TILEBOUND_RETURN_IF_ERROR(Check("the slot's time", *observed.slot, true));
    all.push_back(*observed.slot);
  }
  Fitter fitter(stream, warps_per_block, start, options);
  for (uint32_t round = 0; round < options.rounds; ++round) {
    if (!observed.solo.empty()) {
      TILEBOUND_RETURN_IF_ERROR(fitter.FitLatencies(observed.solo, both));
    }
    if (observed.mean) {
      TILEBOUND_RETURN_IF_ERROR(fitter.FitOne(&CycleParameters::lsu_cost_scale,
                                              1.1, 0.1, 10, 0.002,
                                              *observed.mean));
    }
    if (observed.slot) {
      TILEBOUND_RETURN_IF_ERROR(fitter.FitOne(
          &CycleParameters::queue_places, 1.1, 2, 60, 0.05, *observed.slot));
    }
  }
  // The last word to the solo times, which nothing else can mend.
  if (!observed.solo.empty() && (observed.mean || observed.slot)) {
    TILEBOUND_RETURN_IF_ERROR(fitter.FitLatencies(observed.solo, both));
  }
  CycleFit fit;
  fit.parameters = fitter.parameters();
  if (!observed.solo.empty()) fit.fitted.push_back("l2_latency_us");
  if (both) fit.fitted.push_back("atomic_round_trip_us");
  if (observed.mean) fit.fitted.push_back("lsu_cost_scale");
  if (observed.slot) fit.fitted.push_back("queue_places");
  for (const CycleObservation& observation : all) {
    TILEBOUND_ASSIGN_OR_RETURN(const double predicted,
                               fitter.Predict(fit.parameters, observation));
    fit.residuals.push_back({observation, predicted});
  }
  return fit;
}

}  // namespace tilebound::model
