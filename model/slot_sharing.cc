#include "model/slot_sharing.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "model/sm_server.h"

namespace tilebound::model {

absl::StatusOr<std::vector<double>> SlotTileTimes(
    const pb::Calibration& calibration, uint32_t k, uint32_t blocks_per_sm) {
  std::vector<double> tile_us;
  if (blocks_per_sm == 1) {
    for (const auto& [group, values] : CalibrationGroups(calibration)) {
      for (const pb::CalibrationValue& value : *values) {
        if (value.quantity() == kTileTimeSolo && value.k() == k) {
          return std::vector<double>{value.value()};
        }
      }
    }
  }
  for (uint32_t slot = 0; slot < blocks_per_sm; ++slot) {
    const pb::CalibrationValue* value = FindCalibrationValue(
        calibration, kTileTimeSlot,
        {.k = k, .blocks_per_sm = blocks_per_sm, .slot = slot});
    if (value == nullptr || !(value->value() > 0)) {
      return absl::NotFoundError(absl::StrCat(
          "the calibration of ", calibration.kernel(), " on ",
          calibration.part(), " has no ", kTileTimeSlot, " of slot ", slot,
          " with ", blocks_per_sm, " blocks per SM at k ", k,
          "; record a trace with so many blocks per SM for calibrate --trace, "
          "or give the kernel an instruction stream for calibrate --recipe"));
    }
    tile_us.push_back(value->value());
  }
  return tile_us;
}

absl::StatusOr<SlotSharing> SolveSlotSharing(
    const pb::Calibration& calibration, uint32_t k, uint32_t sm_count,
    const std::vector<uint32_t>& residencies,
    const TimingAtRate& timing_at_rate) {
  SlotSharing sharing;
  for (uint32_t blocks_per_sm : residencies) {
    if (sharing.count(blocks_per_sm) != 0) continue;
    if (blocks_per_sm <= 1) {
      sharing[blocks_per_sm].weights.assign(blocks_per_sm, kWeightOne);
      continue;
    }
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<double> tile_us,
                               SlotTileTimes(calibration, k, blocks_per_sm));
    double rate = 0;
    std::vector<double> tile_ps;
    for (double us : tile_us) {
      rate += sm_count / us;
      tile_ps.push_back(us * 1e6);
    }
    TILEBOUND_ASSIGN_OR_RETURN(const TileTiming timing, timing_at_rate(rate));
    absl::StatusOr<SlotWeights> solved = SolveSlotWeights(timing, tile_ps);
    if (!solved.ok()) {
      return absl::Status(
          solved.status().code(),
          absl::StrCat("the calibration of ", calibration.kernel(), " on ",
                       calibration.part(), ": ", solved.status().message()));
    }
    sharing[blocks_per_sm] = *std::move(solved);
  }
  return sharing;
}

}  // namespace tilebound::model
