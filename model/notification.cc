#include "model/notification.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "model/background.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kNotificationStream = 96;
constexpr double kMostRoundTripUs = 1000;

// Stamps are floored to the tick before they are subtracted.
Histogram Floor(const pb::CellKey& key, uint64_t quantum_ps,
                int64_t round_trip_ps, uint64_t events, Random random) {
  Histogram floor(quantum_ps);
  // The setter's block does not wait for itself.
  const uint32_t others =
      key.setter() == pb::DEVICE ? key.blocks() - 1 : key.blocks();
  for (uint64_t event = 0; event < events; ++event) {
    const uint64_t set_ps = random.Below(quantum_ps);
    // The last of n phases, each uniform in a round trip: the n-th root of one
    // uniform number has its distribution.
    const double phase =
        others == 0 ? 0 : std::pow(random.Unit(), 1.0 / others);
    const uint64_t seen_ps =
        set_ps + static_cast<uint64_t>(std::llround(
                     (1 + phase) * static_cast<double>(round_trip_ps)));
    floor.Add(seen_ps / quantum_ps - set_ps / quantum_ps);
  }
  return floor;
}

}  // namespace

absl::StatusOr<pb::Cell> PredictNotification(const CellInputs& inputs,
                                             const pb::CellKey& key,
                                             const PredictOptions& options) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  if (inputs.part.timer_quantum_ps() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "part ", inputs.part.name(),
        " has no timer_quantum_ps; stamps cannot be floored to a tick that "
        "nobody has measured"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      const double round_trip_us,
      CalibrationNumber(inputs.calibration, kFlagRoundTrip));
  if (round_trip_us > kMostRoundTripUs) {
    return absl::InvalidArgumentError(
        absl::StrCat("the calibration of ", key.kernel(), " on ", key.part(),
                     " has ", kFlagRoundTrip, " ", round_trip_us, " us; up to ",
                     kMostRoundTripUs, " is accepted"));
  }
  uint64_t fingerprint = 0;
  if (!absl::SimpleHexAtoi(Fingerprint(key), &fingerprint)) {
    return absl::InternalError("a fingerprint is not a number");
  }
  *cell.add_metrics() = EventsMetric(
      kNotificationFloor,
      Floor(key, inputs.part.timer_quantum_ps(),
            std::llround(round_trip_us * 1e6), options.events,
            Random(
                StreamSeed({options.seed, fingerprint, kNotificationStream}))));
  *cell.add_metrics() =
      AbsentMetric(kNotificationLoaded, pb::Metric::NOT_MODELLED,
                   "how streaming starves a block's poll has no law here");
  return cell;
}

}  // namespace tilebound::model
