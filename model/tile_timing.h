// What one tile does on its SM, as alternating phases: latency, which a block
// waits out without using the SM, and service, which it must get from the SM's
// server and shares with the blocks beside it; and where in it the block passes
// a site.
//
// A tile of k / chunk_k chunks is
//   boundary   latency B, the flag sampled in its middle; then what the task
//              fetch takes beyond it, latency F - B
//   chunk      latency (L - F) / chunks(reference_k), service s C      each
//   epilogue   service e C
// where a tile of several pipeline stages waits for its first chunk only, and
// for that as long as all chunks at reference_k together: the copies of later
// ones hide behind compute;
// with L = L0 + L1 X, X the load of the whole grid in tiles of reference_k, and
// C, L0, L1, B, F the calibration's service_time, memory_latency,
// memory_latency_load, boundary_time and atomic_round_trip at reference_k; s
// and e are the kernel's declared shares. Without atomic_round_trip the fetch
// is the boundary. A LookPlan (model/look_plan.h) adds the looks and what they
// cost: latency of the block's own, which blocks beside it hide, and a little
// service, which nobody can.
#ifndef TILEBOUND_MODEL_TILE_TIMING_H_
#define TILEBOUND_MODEL_TILE_TIMING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "model/look_plan.h"

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
  // Index into TileTiming::marks of what happens on entering the phase; 0 for
  // nothing, except that the first phase of a tile always has mark 0.
  uint32_t mark = 0;
  // Latency phases: all warps of the block wait, so that the others get its
  // whole turn, whatever the unclaimed_share.
  bool hands_on = false;
};

// What a block does about the flag from entering a phase on. A mark that
// decides stands on a latency phase that lasts at least observe_offset_ps.
struct Mark {
  // Reads the flag, sample_offset_ps after entering.
  bool samples = false;
  // Acts on what was read, observe_offset_ps after entering: a look.
  bool decides = false;
  // Whether a tile is in hand, which urgent work then abandons.
  bool inside = false;
  int64_t sample_offset_ps = 0;
  int64_t observe_offset_ps = 0;
};

// One tile program among the phases, and how often it is drawn.
struct ProgramSpan {
  uint32_t first;
  uint32_t end;
  double weight;
};

struct TileTiming {
  // Of all programs, one after another. Within a program latency and service
  // take turns, but for where a look divides them.
  std::vector<Phase> phases = {};
  // [0] is the start of a tile.
  std::vector<Mark> marks = {Mark{}};
  // Empty: one program, all phases.
  std::vector<ProgramSpan> programs = {};
  // A decision uses what was read so many looks before.
  uint32_t stale_looks = 0;
  // Copies in flight that an abandoned tile waits for.
  int64_t drain_ps = 0;
  // Coefficients of variation of a tile's service and of an SM's speed.
  double service_spread = 0;
  double sm_spread = 0;
  // Part of a waiting block's turn that the blocks in service do not get: a
  // block waits for memory when its last warp does, and its others had turns
  // until then.
  double unclaimed_share = 0;

  // Duration of a tile that has the SM to itself, and its service; of a mix,
  // the mean.
  int64_t SoloPs() const;
  int64_t ServicePs() const;
  // `programs`, or the one that spans all phases.
  std::vector<ProgramSpan> Spans() const;
  // Looks in a tile; of a mix, in the program that has the fewest.
  uint32_t LeastLooks() const;
};

// The numbers of the formula above at the kernel's reference_k.
struct TileParameters {
  double service_us;
  double latency_us;
  double latency_load_us2;
  double boundary_us;
  double service_spread;
  double sm_spread;
  double unclaimed_share = 0;
  // Of the whole task fetch; under boundary_us it counts as that.
  double fetch_us = 0;
};

// Reads them from a calibration; one without unclaimed_share has none. The
// error names what is missing, a sm_spread so large that an SM could be drawn
// with no speed at all, or an unclaimed_share over 1.
absl::StatusOr<TileParameters> ReadTileParameters(
    const pb::Calibration& calibration, const pb::TileProgram& program);

// `load` is the grid's tile rate in tiles of reference_k per microsecond: what
// loads the memory is the depth of tiles, not their number. `k` is a multiple
// of the chunk. A latency under the boundary's counts as the boundary's. Error
// if the tile could take less than kLeastTilePs or more than kMostTilePs. The
// default plan has no looks and costs nothing.
absl::StatusOr<TileTiming> MakeTileTiming(const pb::TileProgram& program,
                                          const TileParameters& parameters,
                                          uint32_t k, double load,
                                          const LookPlan& plan = {});

// All programs of a kernel, each with its own parameters (same order); `rate`
// is the grid's, in tiles of whatever depth per microsecond. Errors as above.
absl::StatusOr<TileTiming> MakeKernelTiming(
    const pb::Kernel& kernel, const std::vector<TileParameters>& parameters,
    uint32_t k, double rate, const LookPlan& plan);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TILE_TIMING_H_
