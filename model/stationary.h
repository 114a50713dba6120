// One SM simulated long enough to stand for every SM at any time: the tile
// starts of each of its blocks over a stretch of steady state.
#ifndef TILEBOUND_MODEL_STATIONARY_H_
#define TILEBOUND_MODEL_STATIONARY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilebound::model {

class StationaryTrace {
 public:
  // Runs `server` until `length_ps` after a warm-up of `warmup_ps`, and on
  // until every block has `margin` more starts. Times count from the end of the
  // warm-up.
  template <typename Server>
  StationaryTrace(Server server, int64_t warmup_ps, int64_t length_ps,
                  uint32_t margin)
      : length_ps_(length_ps), starts_(server.blocks()) {
    std::vector<uint32_t> beyond(server.blocks(), 0);
    uint32_t complete = 0;
    while (complete < server.blocks()) {
      const auto [time, slot] = server.NextBoundary();
      if (time < warmup_ps) continue;
      starts_[slot].push_back(time - warmup_ps);
      if (time - warmup_ps >= length_ps && ++beyond[slot] == margin) ++complete;
    }
    BuildIndex();
  }

  int64_t length_ps() const { return length_ps_; }
  uint32_t blocks() const { return static_cast<uint32_t>(starts_.size()); }
  // Ascending tile starts of a slot.
  const std::vector<int64_t>& Starts(uint32_t slot) const {
    return starts_[slot];
  }

  // Index of the slot's first start at or after `time_ps`, 0 <= time_ps <=
  // length.
  std::size_t FirstAtOrAfter(uint32_t slot, int64_t time_ps) const {
    const std::vector<int64_t>& starts = starts_[slot];
    std::size_t at =
        index_[slot][static_cast<std::size_t>(time_ps >> bucket_bits_)];
    while (starts[at] < time_ps) ++at;
    return at;
  }

  // Starts of all blocks that fall into the stretch.
  uint64_t TilesInStretch() const;

 private:
  void BuildIndex();

  // Buckets of 2^22 ps (about 4 us) make a look-up a step or two; a long
  // stretch has longer tiles, and longer buckets.
  int bucket_bits_ = 22;
  int64_t length_ps_;
  std::vector<std::vector<int64_t>> starts_;
  std::vector<std::vector<uint32_t>> index_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_STATIONARY_H_
