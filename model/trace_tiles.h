// The undisturbed tiles of a recorded trace, block by block: what a calibration
// can be measured from.
//
//   TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(path));
//   TILEBOUND_ASSIGN_OR_RETURN(TraceTiles tiles, ReadTraceTiles(reader, 10));
//   for (const BlockTiles& block : tiles.blocks) Use(block.tiles);
//
// A tile lasts from its pop to the next pop of its block, the boundary between
// them included: that is what the rate of a block, and of the grid, follows
// from. Where an event only changes when the next pop comes (a look that finds
// the flag moved), one tile is longer by what the next one is shorter, and both
// count; leaving them out would favour short tiles, since events more often
// fall into long ones.
#ifndef TILEBOUND_MODEL_TRACE_TILES_H_
#define TILEBOUND_MODEL_TRACE_TILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/trace/reader.h"

namespace tilebound::model {

struct MeasuredTile {
  int64_t duration_ps;
  // The tile before it in the list is the one that the block ran before it.
  bool follows;
};

struct BlockTiles {
  uint32_t block;
  uint32_t sm;
  // Blocks resident on its SM, and its rank by age among them.
  uint32_t blocks_per_sm;
  uint32_t slot;
  std::vector<MeasuredTile> tiles;
};

// Tiles that were left out, by reason.
struct TilesLeftOut {
  // The first tiles of each block with its SM's blocks all there.
  uint64_t warm_up = 0;
  // Abandoned, followed by urgent work, or beside a block of the urgent kernel.
  uint64_t cut_by_events = 0;
  // Records dropped or damaged within the tile.
  uint64_t lost = 0;
  // Begun before all blocks of the SM were there, or ended after the first had
  // gone.
  uint64_t residency_changing = 0;
};

struct TraceTiles {
  // What errors call the trace, as the reader does.
  std::string name;
  // From the header; empty or 0 where it does not say.
  std::string part;
  std::string kernel;
  uint32_t k = 0;
  uint32_t grid_blocks = 0;
  int64_t quantum_ps = 0;
  // Blocks per SM on most of its SMs.
  uint32_t blocks_per_sm = 0;
  // In order of their numbers.
  std::vector<BlockTiles> blocks;
  TilesLeftOut left_out;
  // Of the pass over the file: whether it was whole, and if not, why.
  TraceEnd end;
};

// Leaves out the first `warmup_tiles` of each block. Errors: a block that has
// no start, two blocks of an SM in the same slot (so that slots cannot be told
// apart), a slot over the number of blocks that were there.
absl::StatusOr<TraceTiles> ReadTraceTiles(const TraceReader& reader,
                                          uint64_t warmup_tiles);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_TILES_H_
