#include "model/cycle/cycle_parameters.h"

#include <cstdio>

#include "absl/strings/str_cat.h"

namespace tilebound::model {

std::string ParameterSourceName(ParameterSource source) {
  switch (source) {
    case ParameterSource::kCounted:
      return "counted";
    case ParameterSource::kProbed:
      return "probed on an H200";
    case ParameterSource::kFitted:
      return "fitted by part and kernel";
    case ParameterSource::kFittedOnce:
      return "fitted once";
    case ParameterSource::kAssumed:
      return "assumed";
  }
  return "";
}

const std::vector<CycleParameterInfo>& CycleParameterRegistry() {
  using P = CycleParameters;
  using S = ParameterSource;
  static const auto& registry = *new std::vector<CycleParameterInfo>{
      {"clock_mhz", &P::clock_mhz, 1, 10'000, S::kCounted,
       "SM clock under load, as the measurement reports it"},
      {"queue_places", &P::queue_places, 1, 60, S::kFittedOnce,
       "instructions a subpartition may have before the load-store pipe; a "
       "fraction is the share of admissions that find one place more. Shuffles "
       "in flight on an H200 say 9 to 10"},
      {"fma_interval_cycles", &P::fma_interval_cycles, 1, 64, S::kProbed,
       "between two fp32 instructions of a subpartition: 32 lanes plus a "
       "dispatch loss of 0.3, or 2 where it has 16 lanes"},
      {"integer_takes_fma", &P::integer_takes_fma, 0, 1, S::kCounted,
       "1 where integer instructions run in lanes that FMAs use too, 0 where "
       "they have lanes of their own"},
      {"tensor_multiply_adds_per_cycle", &P::tensor_multiply_adds_per_cycle, 1,
       1e6, S::kCounted,
       "of a subpartition's tensor core, fp16 inputs and fp32 sums"},
      {"lsu_cost_scale", &P::lsu_cost_scale, 0.05, 20, S::kAssumed,
       "factor on all costs of the load-store pipe; a recipe may have it fitted"},
      {"shared_wavefront_cycles", &P::shared_wavefront_cycles, 0.01, 1000,
       S::kCounted, "of the pipe, for a wavefront of a shared load"},
      {"shared_store_cycles", &P::shared_store_cycles, 0.01, 1000, S::kProbed,
       "of the pipe, for a shared store"},
      {"global_load_cycles", &P::global_load_cycles, 0.01, 1000, S::kProbed,
       "of the pipe, for a global load"},
      {"global_store_cycles", &P::global_store_cycles, 0.01, 1000, S::kAssumed,
       "of the pipe, for a global store: four sectors"},
      {"async_copy_cycles", &P::async_copy_cycles, 0.01, 1000, S::kProbed,
       "of the pipe, for a cp.async of 16 bytes a lane. Four stand for 16 "
       "global loads and 16 shared stores, and on an H200 a chunk of 32 costs "
       "a saturated SM 14 to 19 cycles a warp less through them (two builds; "
       "tile_time_mean of 528 blocks, k 64 and 128, in data/measured/h200)"},
      {"atomic_cycles", &P::atomic_cycles, 0.01, 1000, S::kAssumed,
       "of the pipe, for a global atomic"},
      {"shared_latency_cycles", &P::shared_latency_cycles, 1, 1000, S::kProbed,
       "from the pipe to the result of a shared load"},
      {"store_latency_cycles", &P::store_latency_cycles, 1, 1000, S::kAssumed,
       "from the pipe to a global store's scoreboard"},
      {"variable_latency_cycles", &P::variable_latency_cycles, 1, 1000,
       S::kAssumed, "to the result of S2R, MUFU and the like"},
      {"operand_read_cycles", &P::operand_read_cycles, 1, 1000, S::kAssumed,
       "from the pipe to a memory instruction's operands being free"},
      {"barrier_cycles", &P::barrier_cycles, 1, 31, S::kProbed,
       "from the last arrival to the next issue"},
      {"l2_latency_us", &P::l2_latency_us, 0, 100, S::kFitted,
       "of a global load in the tile's own memory mix, L2 hits and misses"},
      {"atomic_round_trip_us", &P::atomic_round_trip_us, 0, 100, S::kFitted,
       "of the ticket's atomic, queueing at its one address included"},
      {"memory_jitter", &P::memory_jitter, 0, 0.95, S::kAssumed,
       "half width of the uniform spread of both latencies, relative"},
  };
  return registry;
}

absl::StatusOr<CycleParameters> DefaultCycleParameters(uint32_t capability) {
  CycleParameters parameters;
  // FP32 lanes and tensor rates: NVIDIA's tuning guides and architecture white
  // papers. A100: 64 lanes and 1024 fp16 multiply-adds an SM; GA10x (A10): 128
  // and 512; Hopper: 128 and 2048, of which mma.sync reaches about two thirds.
  switch (capability) {
    case 80:
      parameters.fma_interval_cycles = 2;
      parameters.tensor_multiply_adds_per_cycle = 256;
      return parameters;
    case 86:
      // The second 16 lanes of a GA10x subpartition do either fp32 or integers.
      parameters.integer_takes_fma = 1;
      parameters.tensor_multiply_adds_per_cycle = 128;
      return parameters;
    case 90:
      parameters.tensor_multiply_adds_per_cycle = 340;
      return parameters;
    default:
      return absl::NotFoundError(
          absl::StrCat("no cycle parameters for compute capability ",
                       capability, "; there are those of 80, 86 and 90"));
  }
}

absl::Status ValidateCycleParameters(const CycleParameters& parameters) {
  for (const CycleParameterInfo& info : CycleParameterRegistry()) {
    const double value = parameters.*info.member;
    // Written so that NaN fails.
    if (!(value >= info.least && value <= info.most)) {
      return absl::InvalidArgumentError(
          absl::StrCat("cycle parameter ", info.name, " is ", value, "; ",
                       info.least, " to ", info.most, " is accepted"));
    }
  }
  return absl::OkStatus();
}

std::string FormatCycleParameters(const CycleParameters& parameters) {
  std::string text;
  for (const CycleParameterInfo& info : CycleParameterRegistry()) {
    char value[32];
    std::snprintf(value, sizeof(value), "%.17g", parameters.*info.member);
    absl::StrAppend(&text, text.empty() ? "" : " ", info.name, "=", value);
  }
  return text;
}

}  // namespace tilebound::model
