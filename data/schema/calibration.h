// The quantities that a calibration can hold, and finding one.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       double spread, CalibrationNumber(calibration, kSmSpread, {}));
#ifndef TILEBOUND_DATA_SCHEMA_CALIBRATION_H_
#define TILEBOUND_DATA_SCHEMA_CALIBRATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/calibration.pb.h"

namespace tilebound {

inline constexpr char kTileTimeSolo[] = "tile_time_solo";
inline constexpr char kTileTimeMean[] = "tile_time_mean";
inline constexpr char kTileTimeSlot[] = "tile_time_slot";
inline constexpr char kTileWallP99[] = "tile_wall_p99";
inline constexpr char kServiceTime[] = "service_time";
inline constexpr char kMemoryLatency[] = "memory_latency";
inline constexpr char kMemoryLatencyLoad[] = "memory_latency_load";
inline constexpr char kBoundaryTime[] = "boundary_time";
inline constexpr char kTileSpreadSlot[] = "tile_spread_slot";
inline constexpr char kTileCorrelationSlot[] = "tile_correlation_slot";
inline constexpr char kGlobalLatency[] = "global_latency";
inline constexpr char kAtomicRoundTrip[] = "atomic_round_trip";
inline constexpr char kPipeCost[] = "pipe_cost";
inline constexpr char kAdmissionQueue[] = "admission_queue";
inline constexpr char kServiceSpread[] = "service_spread";
inline constexpr char kSmSpread[] = "sm_spread";
inline constexpr char kUnclaimedShare[] = "unclaimed_share";
inline constexpr char kClockSagSlowdown[] = "clock_sag_slowdown";
inline constexpr char kClockSagShare[] = "clock_sag_share";
inline constexpr char kSetterDelay[] = "setter_delay";
inline constexpr char kFlagRoundTrip[] = "flag_round_trip";
inline constexpr char kSiteCost[] = "site_cost";
inline constexpr char kSiteService[] = "site_service";
inline constexpr char kClaimRoundTrip[] = "claim_round_trip";
inline constexpr char kBarrierCost[] = "barrier_cost";
inline constexpr char kLaunchDelay[] = "launch_delay";
inline constexpr char kCompletionDelay[] = "completion_delay";
inline constexpr char kNewcomerDelay[] = "newcomer_delay";
inline constexpr char kBackgroundTasks[] = "background_tasks";

struct QuantityInfo {
  std::string name;
  std::string unit;
  std::string meaning;
  bool may_be_negative = false;
};

const std::vector<QuantityInfo>& QuantityRegistry();
const QuantityInfo* FindQuantityInfo(absl::string_view name);

// What narrows a look-up; a member left empty matches only values that do not
// depend on it.
struct CalibrationConditions {
  uint32_t k = 0;
  uint32_t blocks = 0;
  uint32_t blocks_per_sm = 0;
  uint32_t slot = 0;
  std::string site = {};
  std::string variant = {};
};

// The groups of a calibration's values with their names, in the order in which
// they are shown. Valid as long as the calibration.
using CalibrationValues =
    google::protobuf::RepeatedPtrField<pb::CalibrationValue>;
std::vector<std::pair<std::string, const CalibrationValues*>> CalibrationGroups(
    const pb::Calibration& calibration);

// The value with exactly these conditions, whatever its group; nullptr if there
// is none. ValidateCalibration makes sure that there is at most one.
const pb::CalibrationValue* FindCalibrationValue(
    const pb::Calibration& calibration, absl::string_view quantity,
    const CalibrationConditions& conditions = {});

// The same as a number; kNotFound names quantity, part and kernel.
absl::StatusOr<double> CalibrationNumber(
    const pb::Calibration& calibration, absl::string_view quantity,
    const CalibrationConditions& conditions = {});

// Errors name the group, the index, the field and what is accepted: quantity
// not registered, foreign unit, negative time, a value without source, a fitted
// value without fitted_from, two values for the same thing.
absl::Status ValidateCalibration(const pb::Calibration& calibration);

// Errors as above for the declared values, and for observations or transfers
// that name an unregistered quantity or no surface.
absl::Status ValidateFitRecipe(const pb::FitRecipe& recipe);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_CALIBRATION_H_
