#include "model/slot_statistics.h"

#include <algorithm>
#include <cmath>

namespace tilebound::model {

TileSums::TileSums(const std::vector<const BlockTiles*>& blocks,
                   int64_t quantum_ps)
    : quantum_us_(static_cast<double>(quantum_ps) * 1e-6) {
  for (const BlockTiles* from : blocks) {
    Block block = {0, std::vector<Batch>(kTileBatches)};
    const size_t count = from->tiles.size();
    for (const MeasuredTile& tile : from->tiles) {
      block.origin_us += static_cast<double>(tile.duration_ps) * 1e-6 / count;
    }
    double before = 0;
    for (size_t i = 0; i < count; ++i) {
      Batch& batch = block.batches[i * kTileBatches / count];
      const double us = static_cast<double>(from->tiles[i].duration_ps) * 1e-6 -
                        block.origin_us;
      batch.n += 1;
      batch.sum += us;
      batch.squares += us * us;
      if (from->tiles[i].follows) {
        batch.pairs += 1;
        batch.products += before * us;
        batch.sides += before + us;
      }
      before = us;
    }
    tiles_ += count;
    blocks_.push_back(std::move(block));
  }
}

TileSums::Batch TileSums::Block::Without(int left_out) const {
  Batch sum;
  for (int j = 0; j < kTileBatches; ++j) {
    if (j == left_out) continue;
    sum.n += batches[j].n;
    sum.sum += batches[j].sum;
    sum.squares += batches[j].squares;
    sum.pairs += batches[j].pairs;
    sum.products += batches[j].products;
    sum.sides += batches[j].sides;
  }
  return sum;
}

double TileSums::MeanWithout(int left_out) const {
  double mean = 0;
  for (const Block& block : blocks_) {
    const Batch batch = block.Without(left_out);
    mean += (block.origin_us + batch.sum / batch.n) / blocks_.size();
  }
  return mean;
}

double TileSums::VarianceWithout(int left_out) const {
  double squares = 0;
  double freedom = 0;
  for (const Block& block : blocks_) {
    const Batch batch = block.Without(left_out);
    squares += batch.squares - batch.sum * batch.sum / batch.n;
    freedom += batch.n - 1;
  }
  return std::max(0.0, squares / freedom - quantum_us_ * quantum_us_ / 6);
}

Estimate TileSums::MeanUs() const {
  return EstimateByBatches(kTileBatches,
                           [this](int j) { return MeanWithout(j); });
}

Estimate TileSums::MeanByRateUs() const {
  return EstimateByBatches(kTileBatches, [this](int j) {
    double rate = 0;
    for (const Block& block : blocks_) {
      const Batch batch = block.Without(j);
      rate += 1 / (block.origin_us + batch.sum / batch.n);
    }
    return blocks_.size() / rate;
  });
}

Estimate TileSums::Spread() const {
  Estimate spread = EstimateByBatches(kTileBatches, [this](int j) {
    return std::sqrt(VarianceWithout(j)) / MeanWithout(j);
  });
  spread.low = std::max(0.0, spread.low);
  return spread;
}

Estimate TileSums::Correlation() const {
  Estimate correlation = EstimateByBatches(kTileBatches, [this](int j) {
    const double variance = VarianceWithout(j);
    double covariance = quantum_us_ * quantum_us_ / 12;
    double pairs = 0, products = 0, tiles = 0;
    for (const Block& block : blocks_) {
      const Batch batch = block.Without(j);
      const double mean = batch.sum / batch.n;
      products +=
          batch.products - mean * batch.sides + mean * mean * batch.pairs;
      pairs += batch.pairs;
      tiles += batch.n;
    }
    if (variance <= 0 || pairs == 0) return 0.0;
    covariance += products / pairs;
    const double raw = covariance / variance;
    // Marriott and Pope, Biometrika 41 (1954): a mean taken from the series
    // itself lowers the correlation by (1 + 4 r) / n.
    return raw + (1 + 4 * raw) * blocks_.size() / tiles;
  });
  correlation.value = std::clamp(correlation.value, -1.0, 1.0);
  correlation.low = std::clamp(correlation.low, -1.0, 1.0);
  correlation.high = std::clamp(correlation.high, -1.0, 1.0);
  return correlation;
}

double TileSums::SpreadAmongBlocks() const {
  if (blocks_.size() < 2) return 0;
  const double mean = MeanWithout(kAllBatches);
  double among = 0;
  double chance = 0;
  for (const Block& block : blocks_) {
    const Batch all = block.Without(kAllBatches);
    const double block_mean = block.origin_us + all.sum / all.n;
    among += (block_mean - mean) * (block_mean - mean) / (blocks_.size() - 1);
    // What the mean of this block's batches would move by.
    double squares = 0;
    for (const Batch& batch : block.batches) {
      const double off = batch.sum / batch.n + block.origin_us - block_mean;
      squares += off * off;
    }
    chance += squares / (kTileBatches * (kTileBatches - 1.0)) / blocks_.size();
  }
  return std::sqrt(std::max(0.0, among - chance)) / mean;
}

}  // namespace tilebound::model
