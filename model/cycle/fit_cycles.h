// The few cycle parameters that neither machine code nor probes tell, from tile
// times: latencies from blocks alone on their SM, the load-store pipe's cost
// from a full SM's throughput, the queue's places from one slot's tile time.
//
//   CycleObservations observed;
//   observed.solo = {{.chunks = 1, .us = 6.7}, {.chunks = 2, .us = 10.3}};
//   observed.mean = CycleObservation{.blocks = 4, .chunks = 2, .us = 25.4};
//   TILEBOUND_ASSIGN_OR_RETURN(
//       CycleFit fit, FitCycleParameters(stream, /*warps_per_block=*/8,
//                                        parameters, observed, {}));
#ifndef TILEBOUND_MODEL_CYCLE_FIT_CYCLES_H_
#define TILEBOUND_MODEL_CYCLE_FIT_CYCLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"

namespace tilebound::model {

// A tile time: of a slot, or the mean over all tiles of the SM.
struct CycleObservation {
  uint32_t blocks = 1;
  // k / chunk_k.
  uint32_t chunks = 1;
  std::optional<uint32_t> slot = std::nullopt;
  double us = 0;
};

struct CycleObservations {
  // One block per SM. From two different k on they determine l2_latency_us and
  // atomic_round_trip_us; with one k, l2_latency_us only; none leaves both.
  std::vector<CycleObservation> solo;
  // Determines lsu_cost_scale; without it the scale stays.
  std::optional<CycleObservation> mean;
  // Determines queue_places; without it they stay.
  std::optional<CycleObservation> slot;
};

struct CycleFitOptions {
  // Of the youngest slot, at each evaluation.
  uint32_t tiles = 100;
  uint64_t seed = 1;
  // Of the three fits after one another; each moves the others a little.
  uint32_t rounds = 2;
  std::string cache_folder = "";
};

struct CycleResidual {
  CycleObservation observed;
  double predicted_us;
};

struct CycleFit {
  CycleParameters parameters;
  // Names of those that were fitted.
  std::vector<std::string> fitted;
  std::vector<CycleResidual> residuals;
};

// `start` holds everything that is not fitted, and where the search begins.
// Errors: an observation that is not positive or not of its kind, and a value
// that no parameter in its range can reach: the message tells the nearest.
absl::StatusOr<CycleFit> FitCycleParameters(const TileStream& stream,
                                            uint32_t warps_per_block,
                                            const CycleParameters& start,
                                            const CycleObservations& observed,
                                            const CycleFitOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_FIT_CYCLES_H_
