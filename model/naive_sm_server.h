// SmServer a second time, from the textbook and as plainly as can be: every
// block's remaining work is taken down at its present rate until somebody is
// done. Long double instead of integers, real time instead of virtual time, no
// code shared but the random numbers, which are drawn in the same order so that
// the two can be compared boundary by boundary.
#ifndef TILEBOUND_MODEL_NAIVE_SM_SERVER_H_
#define TILEBOUND_MODEL_NAIVE_SM_SERVER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/random.h"
#include "model/tile_timing.h"

namespace tilebound::model {

class NaiveSmServer {
 public:
  struct Boundary {
    long double time_ps;
    uint32_t slot;
  };

  NaiveSmServer(TileTiming timing, std::vector<int64_t> weights, Random random,
                double scale)
      : timing_(std::move(timing)),
        waiting_share_(timing_.unclaimed_share),
        random_(random) {
    for (Phase& phase : timing_.phases) {
      phase.duration_ps = std::llround(phase.duration_ps * scale);
    }
    const auto most = static_cast<uint64_t>(timing_.SoloPs()) * weights.size();
    for (int64_t weight : weights) {
      // Waits as long as it takes until its first tile.
      blocks_.push_back(
          {.weight = static_cast<long double>(weight),
           .phase = timing_.phases.size() - 1,
           .in_service = false,
           .remaining_ps = static_cast<long double>(random_.Below(most + 1)),
           .factor = 1});
    }
  }

  Boundary NextBoundary() {
    while (true) {
      // Who is done first at the present rates?
      uint32_t first = 0;
      long double step = Left(0);
      for (uint32_t slot = 1; slot < blocks_.size(); ++slot) {
        if (Left(slot) < step) step = Left(first = slot);
      }
      std::vector<long double> done(blocks_.size());
      for (uint32_t slot = 0; slot < blocks_.size(); ++slot) {
        done[slot] = step * Rate(slot);
      }
      for (uint32_t slot = 0; slot < blocks_.size(); ++slot) {
        blocks_[slot].remaining_ps -= done[slot];
      }
      now_ps_ += step;
      Block& block = blocks_[first];
      block.phase = (block.phase + 1) % timing_.phases.size();
      if (block.phase == 0 && timing_.service_spread > 0) {
        // In whole 1/2^16, as SmServer keeps it.
        const double excess = 65536 * timing_.service_spread * random_.Late();
        block.factor = std::max(0.125, 1 + std::trunc(excess) / 65536);
      }
      const Phase& phase = timing_.phases[block.phase];
      block.in_service = phase.service;
      block.remaining_ps =
          phase.duration_ps * (phase.service ? block.factor : 1.0L);
      if (block.phase == 0) return {now_ps_, first};
    }
  }

 private:
  struct Block {
    long double weight;
    size_t phase;
    bool in_service;
    // Of the present phase: waiting time, or work.
    long double remaining_ps;
    double factor;
  };

  long double Rate(uint32_t slot) const {
    if (!blocks_[slot].in_service) return 1;
    long double total = 0;
    for (const Block& block : blocks_) {
      // In whole units, as SmServer keeps it.
      total += block.in_service ? block.weight
               : timing_.phases[block.phase].hands_on
                   ? 0
                   : std::trunc(waiting_share_ * block.weight);
    }
    return blocks_[slot].weight / total;
  }

  // Time until the block's phase ends if nothing changes.
  long double Left(uint32_t slot) const {
    return blocks_[slot].remaining_ps / Rate(slot);
  }

  TileTiming timing_;
  long double waiting_share_;
  Random random_;
  std::vector<Block> blocks_;
  long double now_ps_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_NAIVE_SM_SERVER_H_
