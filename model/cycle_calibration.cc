#include "model/cycle_calibration.h"

#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "model/cycle/slot_times.h"
#include "model/occupancy.h"
#include "model/slot_sharing.h"

namespace tilebound::model {
namespace {

constexpr uint32_t kThreadsPerWarp = 32;

double FourDigits(double value) {
  double rounded = value;
  return absl::SimpleAtod(absl::StrFormat("%.4g", value), &rounded) ? rounded
                                                                    : value;
}

pb::CalibrationValue Computed(absl::string_view quantity, double value,
                              uint32_t k, absl::string_view source,
                              const std::vector<std::string>& from) {
  pb::CalibrationValue result;
  result.set_quantity(std::string(quantity));
  result.set_unit(FindQuantityInfo(quantity)->unit);
  result.set_value(FourDigits(value));
  result.set_k(k);
  result.set_source(std::string(source));
  *result.mutable_fitted_from() = {from.begin(), from.end()};
  return result;
}

// Share of a tile's service that the program's phases have.
double ServiceShares(const pb::TileProgram& program) {
  return program.epilogue_service_share() + program.chunk_service_share() *
                                                program.reference_k() /
                                                program.chunk_k();
}

}  // namespace

uint32_t StreamCapability(const pb::Part& part) {
  return part.compute_capability() == 89 ? 86 : part.compute_capability();
}

absl::StatusOr<CycleParameters> CycleParametersOf(
    const pb::Part& part, const pb::Calibration& calibration) {
  TILEBOUND_ASSIGN_OR_RETURN(CycleParameters parameters,
                             DefaultCycleParameters(StreamCapability(part)));
  parameters.clock_mhz = calibration.sm_clock_mhz();
  const std::pair<const char*, double CycleParameters::*> held[] = {
      {kGlobalLatency, &CycleParameters::l2_latency_us},
      {kAtomicRoundTrip, &CycleParameters::atomic_round_trip_us},
      {kPipeCost, &CycleParameters::lsu_cost_scale},
      {kAdmissionQueue, &CycleParameters::queue_places}};
  for (const auto& [quantity, member] : held) {
    const pb::CalibrationValue* value =
        FindCalibrationValue(calibration, quantity);
    if (value != nullptr) parameters.*member = value->value();
  }
  TILEBOUND_RETURN_IF_ERROR(ValidateCycleParameters(parameters));
  return parameters;
}

absl::StatusOr<std::vector<pb::CalibrationValue>> ComputeSlotTimes(
    const pb::Part& part, const pb::Kernel& kernel,
    const pb::Calibration& calibration, const CycleOptions& options) {
  const pb::TileProgram& program = kernel.programs(0);
  TILEBOUND_ASSIGN_OR_RETURN(const TileStream stream,
                             FindStream(program, StreamCapability(part)));
  TILEBOUND_ASSIGN_OR_RETURN(const CycleParameters parameters,
                             CycleParametersOf(part, calibration));
  const std::vector<std::string> from = {
      absl::StrCat("instruction stream of ", kernel.name(), " for ",
                   StreamCapability(part)),
      absl::StrFormat("%s %.4g, %s %.4g, %s %.4g, %s %.4g", kGlobalLatency,
                      parameters.l2_latency_us, kAtomicRoundTrip,
                      parameters.atomic_round_trip_us, kPipeCost,
                      parameters.lsu_cost_scale, kAdmissionQueue,
                      parameters.queue_places)};
  std::vector<pb::CalibrationValue> values;
  const uint32_t most = ComputeOccupancy(part, kernel).blocks_per_sm;
  for (uint32_t blocks = 1; blocks <= most; ++blocks) {
    TILEBOUND_ASSIGN_OR_RETURN(
        const std::vector<CycleSlotTime> slots,
        ComputeCycleSlotTimes(
            stream, parameters,
            {.blocks = blocks,
             .warps_per_block = kernel.threads_per_block() / kThreadsPerWarp,
             .chunks = program.reference_k() / program.chunk_k(),
             .tiles = options.tiles},
            options.cache_folder));
    for (uint32_t slot = 0; slot < blocks; ++slot) {
      const CycleSlotTime& time = slots[slot];
      const auto add = [&](absl::string_view quantity, double value,
                           double error) {
        pb::CalibrationValue result = Computed(
            quantity, value, program.reference_k(), "cycle level", from);
        result.set_blocks_per_sm(blocks);
        result.set_slot(slot);
        result.set_low(FourDigits(value - 1.96 * error));
        result.set_high(FourDigits(value + 1.96 * error));
        values.push_back(std::move(result));
      };
      add(kTileTimeSlot, time.mean_us, time.mean_error_us);
      add(kTileSpreadSlot, time.spread, time.spread_error);
      add(kTileCorrelationSlot, time.lag1, time.lag1_error);
    }
  }
  return values;
}

absl::StatusOr<std::vector<pb::CalibrationValue>> ComputeServerParameters(
    const pb::Part& part, const pb::Kernel& kernel,
    const pb::Calibration& calibration) {
  const pb::TileProgram& program = kernel.programs(0);
  const uint32_t k = program.reference_k();
  // The fullest SM that is known: a calibration need not know them all.
  uint32_t most = ComputeOccupancy(part, kernel).blocks_per_sm;
  while (most > 1 && !SlotTileTimes(calibration, k, most).ok()) --most;
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<double> alone,
                             SlotTileTimes(calibration, k, 1));
  TILEBOUND_ASSIGN_OR_RETURN(
      const double load,
      CalibrationNumber(calibration, kMemoryLatencyLoad, {.k = k}));
  TILEBOUND_ASSIGN_OR_RETURN(const double boundary_us,
                             CalibrationNumber(calibration, kBoundaryTime));
  double busy_us = alone[0] - boundary_us;
  if (most > 1) {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<double> full,
                               SlotTileTimes(calibration, k, most));
    double rate = 0;
    for (double us : full) rate += 1 / us;
    busy_us = 1 / rate;
  }
  const double shares = ServiceShares(program);
  const double latency_us =
      most > 1 ? alone[0] - busy_us - load * part.sm_count() / alone[0]
               : boundary_us;
  if (!(busy_us > 0 && latency_us > 0 && shares > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the calibration of ", calibration.kernel(), " on ", calibration.part(),
        ": a tile alone takes ", alone[0], " us and a full SM finishes one in ",
        busy_us, " us, which leaves ", latency_us,
        " us of latency; more than 0 is needed"));
  }
  const std::vector<std::string> from = {
      absl::StrCat(kTileTimeSlot, " with 1 block per SM"),
      absl::StrCat(kTileTimeSlot, " with ", most, " blocks per SM")};
  return std::vector<pb::CalibrationValue>{
      Computed(kServiceTime, busy_us / shares, k, "slot tile times", from),
      Computed(kMemoryLatency, latency_us, k, "slot tile times", from)};
}

}  // namespace tilebound::model
