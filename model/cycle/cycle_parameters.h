// What the cycle level knows of an SM, each number with where it comes from.
//
//   TILEBOUND_ASSIGN_OR_RETURN(CycleParameters parameters,
//                              DefaultCycleParameters(/*capability=*/86));
//   parameters.clock_mhz = 1200;
#ifndef TILEBOUND_MODEL_CYCLE_CYCLE_PARAMETERS_H_
#define TILEBOUND_MODEL_CYCLE_CYCLE_PARAMETERS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tilebound::model {

// Cycles are the SM's; CycleParameterRegistry tells meaning and source of
// each.
struct CycleParameters {
  double clock_mhz = 1200;
  double queue_places = 13;
  double fma_interval_cycles = 1.3;
  double integer_takes_fma = 0;
  double tensor_multiply_adds_per_cycle = 128;
  double lsu_cost_scale = 1;
  double shared_wavefront_cycles = 1;
  double shared_store_cycles = 7.7;
  double global_load_cycles = 3.7;
  double global_store_cycles = 4;
  double async_copy_cycles = 42;
  double atomic_cycles = 4;
  double shared_latency_cycles = 23;
  double store_latency_cycles = 20;
  double variable_latency_cycles = 20;
  double operand_read_cycles = 2;
  double barrier_cycles = 20;
  double l2_latency_us = 0.8;
  double atomic_round_trip_us = 2.4;
  double memory_jitter = 0.2;
};

enum class ParameterSource {
  // Read off the machine code or the part's documents.
  kCounted,
  // A microbenchmark on an H200, carried over to the other parts.
  kProbed,
  // From tile times of a part and kernel, by FitCycleParameters.
  kFitted,
  // Fitted once, to the published A10 surface, and held for everything else.
  kFittedOnce,
  // A plausible value that results hardly depend on.
  kAssumed,
};
std::string ParameterSourceName(ParameterSource source);

struct CycleParameterInfo {
  std::string name;
  double CycleParameters::*member;
  // Accepted range, both ends included.
  double least;
  double most;
  ParameterSource source;
  std::string meaning;
};

// All of them, in the struct's order.
const std::vector<CycleParameterInfo>& CycleParameterRegistry();

// What differs by compute capability (80, 86, 90) set, the rest as above; the
// clock is the caller's to set. kNotFound names those that are known.
absl::StatusOr<CycleParameters> DefaultCycleParameters(uint32_t capability);

// Errors name the parameter, its value, and the range.
absl::Status ValidateCycleParameters(const CycleParameters& parameters);

// "clock_mhz=1200 queue_places=13 ...", 17 digits each: the same text for the
// same values only, so that a hash of it can name results.
std::string FormatCycleParameters(const CycleParameters& parameters);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_CYCLE_PARAMETERS_H_
