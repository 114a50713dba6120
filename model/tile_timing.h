// What one tile does on its SM, as alternating phases: latency, which a block
// waits out without using the SM, and service, which it must get from the SM's
// server and shares with the blocks beside it.
//
// A tile of k / chunk_k chunks is
//   boundary   latency B, the flag sampled in its middle
//   chunk      latency (L - B) / chunks(reference_k), service s C      each
//   epilogue   service e C
// with L = L0 + L1 X, X the tile rate of the whole grid, and C, L0, L1, B the
// calibration's service_time, memory_latency, memory_latency_load and
// boundary_time at reference_k; s and e are the kernel's declared shares.
#ifndef TILEBOUND_MODEL_TILE_TIMING_H_
#define TILEBOUND_MODEL_TILE_TIMING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"

namespace tilebound::model {

// The longest tile that the servers' integer clocks hold, 34 ms: alone on the
// slowest SM, with the largest draw of its service time. And the shortest that
// is a tile: under that, a run of the usual length would fill the memory.
inline constexpr int64_t kMostTilePs = int64_t{1} << 35;
inline constexpr int64_t kLeastTilePs = 100'000;

// No SM is further from the mean speed than so many deviations: a little over
// what Random::Bell() can give.
inline constexpr double kMostSmDeviations = 3.5;

struct Phase {
  bool service;
  // Latency phases: how long; service phases: how long alone on the SM.
  int64_t duration_ps;
};

struct TileTiming {
  // Latency and service in turn; phase 0 begins with the boundary's latency.
  std::vector<Phase> phases;
  // From the start of the boundary to where the flag is sampled in memory, and
  // to where the block has the answer.
  int64_t sample_offset_ps;
  int64_t observe_offset_ps;
  // Coefficients of variation of a tile's service and of an SM's speed.
  double service_spread;
  double sm_spread;

  // Duration of a tile that has the SM to itself.
  int64_t SoloPs() const;
  int64_t ServicePs() const;
};

// The numbers of the formula above at the kernel's reference_k.
struct TileParameters {
  double service_us;
  double latency_us;
  double latency_load_us2;
  double boundary_us;
  double service_spread;
  double sm_spread;
};

// Reads them from a calibration. The error names what is missing, or a
// sm_spread so large that an SM could be drawn with no speed at all.
absl::StatusOr<TileParameters> ReadTileParameters(
    const pb::Calibration& calibration, const pb::TileProgram& program);

// `rate` is the grid's tile rate in tiles per microsecond; `k` is a multiple of
// the chunk. A latency under the boundary's counts as the boundary's. Error if
// the tile could take less than kLeastTilePs or more than kMostTilePs.
absl::StatusOr<TileTiming> MakeTileTiming(const pb::TileProgram& program,
                                          const TileParameters& parameters,
                                          uint32_t k, double rate);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TILE_TIMING_H_
