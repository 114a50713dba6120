// Tile times out of a recorder's rings: how long tiles take by the slot of
// their block.
#ifndef TILEBOUND_GPU_SUITES_TILE_TIMES_H_
#define TILEBOUND_GPU_SUITES_TILE_TIMES_H_

#include <cstdint>
#include <vector>

#include "data/schema/histogram.h"
#include "gpu/protocol/recorder.cuh"

namespace tilebound::gpu {

struct TileTimes {
  explicit TileTimes(uint64_t quantum_ns)
      : quantum_ns(quantum_ns), wall(quantum_ns * 1000) {}

  // Adds a block's records, oldest first: from one tile's end to the next one's
  // under its slot, from each tile's beginning to its end under wall. The first
  // `warmup` tiles of the block are left out.
  void Add(uint32_t slot, const std::vector<RecorderRecord>& records,
           uint32_t warmup);

  uint64_t quantum_ns;
  std::vector<Histogram> by_slot;
  Histogram wall;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_TILE_TIMES_H_
