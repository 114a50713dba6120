// Mean, spread and memory of the tiles of one residency slot, from the tiles of
// all blocks that ran in it.
//
//   TileSums sums(blocks, quantum_ps);
//   Estimate mean = sums.MeanUs();
//
// Every figure comes with a 95 % interval by batches over time
// (model/batch_estimate.h): the j-th batch is the j-th part of each block's
// tiles. Each block counts the same, so that a fast SM, which runs more tiles,
// does not count for more.
#ifndef TILEBOUND_MODEL_SLOT_STATISTICS_H_
#define TILEBOUND_MODEL_SLOT_STATISTICS_H_

#include <cstdint>
#include <vector>

#include "model/batch_estimate.h"
#include "model/trace_tiles.h"

namespace tilebound::model {

// Tiles that a block must have run for its figures to mean something, and how
// many there are at least in a batch.
inline constexpr uint64_t kLeastTilesPerBlock = 100;
inline constexpr int kTileBatches = 10;

class TileSums {
 public:
  // Each block has at least kLeastTilesPerBlock tiles. `quantum_ps` is the tick
  // of the clock that stamped them, 0 for an exact one.
  TileSums(const std::vector<const BlockTiles*>& blocks, int64_t quantum_ps);

  // Mean tile time of a block in the slot.
  Estimate MeanUs() const;
  // Blocks over the rate of all of them together: the harmonic mean.
  Estimate MeanByRateUs() const;
  // Coefficient of variation of a tile about its block's mean. A stamp's tick
  // adds a sixth of its square to the variance of a difference of two stamps;
  // that is taken out.
  Estimate Spread() const;
  // Correlation of a tile with the next tile of the same block. The tick's part
  // is taken out, and so is most of the bias of a short series.
  Estimate Correlation() const;
  // Coefficient of variation of the mean among blocks, what chance adds taken
  // out; 0 for fewer than two blocks.
  double SpreadAmongBlocks() const;

  uint64_t tiles() const { return tiles_; }

 private:
  struct Batch {
    double n = 0;
    // Sums about a value near the block's mean, in us.
    double sum = 0;
    double squares = 0;
    // Of tiles that follow the one before them: products, and each side.
    double pairs = 0;
    double products = 0;
    double sides = 0;
  };
  struct Block {
    double origin_us;
    std::vector<Batch> batches;
    Batch Without(int left_out) const;
  };

  double VarianceWithout(int left_out) const;
  double MeanWithout(int left_out) const;

  std::vector<Block> blocks_;
  double quantum_us_;
  uint64_t tiles_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SLOT_STATISTICS_H_
