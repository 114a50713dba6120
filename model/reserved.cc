#include "model/reserved.h"

#include <cmath>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/metric.h"
#include "model/background.h"
#include "model/background_end.h"
#include "model/guests.h"
#include "model/occupancy.h"

namespace tilebound::model {
namespace {

constexpr double kMostNewcomerUs = 100'000;

absl::Status CheckReserve(const Background& background,
                          const pb::CellKey& key) {
  if (key.reserve() <= background.total_free()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("reserve ", key.reserve(), " with blocks ", key.blocks(),
                   ": only ", background.total_free(),
                   " slots are free for urgent blocks; accepted are 1 to ",
                   background.total_free(), ", or fewer blocks"));
}

absl::StatusOr<Histogram> E2e(const Background& background,
                              const pb::CellKey& key, double newcomer_us,
                              const PredictOptions& options, uint32_t threads) {
  if (!(newcomer_us >= 0 && newcomer_us <= kMostNewcomerUs)) {
    return absl::InvalidArgumentError(
        absl::StrCat(kNewcomerDelay, " ", newcomer_us, " us; 0 to ",
                     kMostNewcomerUs, " is accepted"));
  }
  const int64_t newcomer_ps = std::llround(newcomer_us * 1e6);
  std::optional<BackgroundEnd> end;
  if (background.tasks > 0) end.emplace(background, key, threads);
  Histogram ends(kHostQuantumPs);
  if (background.total_free() > 0) {
    ends = GuestTimes(background, key, key.reserve(), newcomer_ps,
                      end ? &*end : nullptr, options, threads);
  } else {
    for (uint64_t event = 0; event < options.events; ++event) {
      ends.Add(static_cast<uint64_t>(end->UrgentEndPs(event, newcomer_ps)) /
               kHostQuantumPs);
    }
  }
  // The host learns of the end a fixed time later.
  Histogram e2e(kHostQuantumPs);
  const uint64_t later =
      static_cast<uint64_t>(background.completion_ps) / kHostQuantumPs;
  for (const auto& [bin, count] : ends.bins()) e2e.Add(bin + later, count);
  return e2e;
}

// Background tiles lost against a grid that also fills the reserved slots.
absl::StatusOr<double> RateLossPct(const CellInputs& inputs,
                                   const pb::CellKey& key,
                                   const Background& background,
                                   const PredictOptions& options) {
  pb::CellKey full = WorkerKey(key);
  full.set_blocks(key.blocks() + key.reserve());
  TILEBOUND_ASSIGN_OR_RETURN(
      const CellModel cell,
      MakeCellModel(inputs.part, inputs.kernel, inputs.calibration, full,
                    options.sharing, options.seed));
  return 100 * (1 - background.cell.tile_rate / cell.tile_rate);
}

}  // namespace

absl::StatusOr<Histogram> ReservedE2e(const CellInputs& inputs,
                                      const pb::CellKey& key,
                                      double newcomer_us,
                                      const PredictOptions& options,
                                      uint32_t threads) {
  TILEBOUND_ASSIGN_OR_RETURN(const Background background,
                             MakeBackground(inputs, key, options));
  TILEBOUND_RETURN_IF_ERROR(CheckReserve(background, key));
  return E2e(background, key, newcomer_us, options, threads);
}

absl::StatusOr<pb::Cell> PredictReserved(const CellInputs& inputs,
                                         const pb::CellKey& key,
                                         const PredictOptions& options,
                                         uint32_t threads) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  const auto absent = [&](absl::string_view reason) {
    for (const char* name : {kE2e, kRateLoss}) {
      *cell.add_metrics() =
          AbsentMetric(name, pb::Metric::NOT_MODELLED, reason);
    }
    return cell;
  };
  if (const std::string lacks =
          BackgroundNotModelledReason(key, options.sharing);
      !lacks.empty()) {
    return absent(lacks);
  }
  TILEBOUND_ASSIGN_OR_RETURN(const Background background,
                             MakeBackground(inputs, key, options));
  if (background.total_free() > 0) {
    TILEBOUND_RETURN_IF_ERROR(CheckReserve(background, key));
  } else if (background.tasks == 0) {
    return absent(
        absl::StrCat(background.envelope,
                     ", so urgent work waits for the end of the background; ",
                     NeedsBackgroundTasks()));
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      const double newcomer_us,
      CalibrationNumber(inputs.calibration, kNewcomerDelay));
  TILEBOUND_ASSIGN_OR_RETURN(
      const Histogram e2e, E2e(background, key, newcomer_us, options, threads));
  *cell.add_metrics() = EventsMetric(kE2e, e2e);
  if (CheckResident(inputs.part, inputs.kernel, key.blocks() + key.reserve())
          .ok()) {
    TILEBOUND_ASSIGN_OR_RETURN(const double loss,
                               RateLossPct(inputs, key, background, options));
    *cell.add_metrics() = ScalarMetric(kRateLoss, loss, 0);
  }
  *cell.add_metrics() = ScalarMetric(
      "tile_time_mean", key.blocks() / background.cell.tile_rate, 0);
  return cell;
}

}  // namespace tilebound::model
