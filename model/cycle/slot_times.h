// Tile times of an SM's residency slots, from the cycle level: what a part and
// kernel without measured ones are predicted from.
//
//   TILEBOUND_ASSIGN_OR_RETURN(TileStream stream, FindStream(program, 86));
//   TILEBOUND_ASSIGN_OR_RETURN(
//       std::vector<CycleSlotTime> slots,
//       ComputeCycleSlotTimes(stream, parameters,
//                        {.blocks = 4, .warps_per_block = 8, .chunks = 2},
//                        DefaultCacheFolder()));
//
// About half a millisecond of CPU a tile, so results are kept in files named by
// the SHA-256 of everything that they depend on. A file that is not what was
// written (cut short, edited, of another version) is passed over and replaced.
#ifndef TILEBOUND_MODEL_CYCLE_SLOT_TIMES_H_
#define TILEBOUND_MODEL_CYCLE_SLOT_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"

namespace tilebound::model {

struct CycleSlotOptions {
  uint32_t blocks = 1;
  uint32_t warps_per_block = 8;
  // k / chunk_k.
  uint32_t chunks = 1;
  // Tiles of the youngest slot that are counted, at least kLeastTiles, and
  // those before them that are not.
  uint32_t tiles = 100;
  uint32_t warm_up_tiles = 8;
  uint64_t seed = 1;

  bool operator==(const CycleSlotOptions&) const = default;
};

inline constexpr uint32_t kLeastTiles = 8;

// Of one slot's tiles, back to back. Standard errors take the lag-1
// correlation for that of a first-order process.
struct CycleSlotTime {
  double mean_us = 0;
  double mean_error_us = 0;
  // Deviation over mean.
  double spread = 0;
  double spread_error = 0;
  // Correlation of a tile's time with the next one's.
  double lag1 = 0;
  double lag1_error = 0;
  uint64_t tiles = 0;

  bool operator==(const CycleSlotTime&) const = default;
};

// By slot, oldest first. `cache_folder` "" for no cache; a folder that cannot
// be written is no error, since the result does not need it.
// Errors: those of SimulateSm, too few tiles, a slot that starves (the youngest
// had not finished after 5e8 cycles).
absl::StatusOr<std::vector<CycleSlotTime>> ComputeCycleSlotTimes(
    const TileStream& stream, const CycleParameters& parameters,
    const CycleSlotOptions& options, const std::string& cache_folder = "");

// Mean tile time over all that the SM finishes: blocks over the sum of the
// slots' rates.
double MeanCycleTileUs(const std::vector<CycleSlotTime>& slots);

// $XDG_CACHE_HOME/tilebound, else $HOME/.cache/tilebound, else "".
std::string DefaultCacheFolder();

// Name of the cache file for these inputs: 64 hex digits.
std::string CycleSlotKey(const TileStream& stream,
                         const CycleParameters& parameters,
                         const CycleSlotOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_SLOT_TIMES_H_
