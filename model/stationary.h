// One SM simulated long enough to stand for every SM at any time: when each of
// its blocks starts tiles, and looks at the flag, over a stretch of steady
// state.
//
//   StationaryTrace trace(server, timing.marks, warmup_ps, length_ps, margin);
//   size_t look = trace.FirstLookAtOrAfter(slot, visible_ps);
//   int64_t seen_ps = trace.ObservePs(slot, look);
#ifndef TILEBOUND_MODEL_STATIONARY_H_
#define TILEBOUND_MODEL_STATIONARY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/tile_timing.h"

namespace tilebound::model {

class StationaryTrace {
 public:
  // Runs `server` until `length_ps` after a warm-up of `warmup_ps`, and on
  // until every block has `margin` more starts. Times count from the end of the
  // warm-up. `marks` say which passings are looks; where none decides there are
  // no looks to be found.
  template <typename Server>
  StationaryTrace(Server server, const std::vector<Mark>& marks,
                  int64_t warmup_ps, int64_t length_ps, uint32_t margin)
      : length_ps_(length_ps),
        start_(marks[0]),
        inside_(HasLooksInside(marks)),
        starts_(server.blocks()),
        looks_(server.blocks()) {
    std::vector<uint32_t> beyond(server.blocks(), 0);
    std::vector<int64_t> sample_ps(server.blocks(), 0);
    uint32_t complete = 0;
    while (complete < server.blocks()) {
      const auto [time, slot, mark] = server.NextPassing();
      const int64_t since = time - warmup_ps;
      if (mark == 0 && since >= 0) {
        starts_[slot].push_back(since);
        if (since >= length_ps && ++beyond[slot] == margin) ++complete;
      }
      if (inside_) AddLook(slot, since, marks[mark], sample_ps[slot]);
    }
    BuildIndex();
  }

  int64_t length_ps() const { return length_ps_; }
  uint32_t blocks() const { return static_cast<uint32_t>(starts_.size()); }
  // Ascending tile starts of a slot.
  const std::vector<int64_t>& Starts(uint32_t slot) const {
    return starts_[slot];
  }

  // Index of the slot's first look that samples the flag at or after `time_ps`,
  // up to the length and what the samples are late after starts.
  std::size_t FirstLookAtOrAfter(uint32_t slot, int64_t time_ps) const {
    const int64_t shift = inside_ ? 0 : start_.sample_offset_ps;
    const int64_t from = time_ps > shift ? time_ps - shift : 0;
    const std::vector<int64_t>& times =
        inside_ ? looks_[slot].sample_ps : starts_[slot];
    std::size_t at =
        index_[slot][static_cast<std::size_t>(from >> bucket_bits_)];
    while (times[at] < from) ++at;
    return at;
  }

  std::size_t Looks(uint32_t slot) const {
    return inside_ ? looks_[slot].sample_ps.size() : starts_[slot].size();
  }
  // When look `look` reads the flag.
  int64_t SamplePs(uint32_t slot, std::size_t look) const {
    return inside_ ? looks_[slot].sample_ps[look]
                   : starts_[slot][look] + start_.sample_offset_ps;
  }
  // When look `look` has its answer.
  int64_t ObservePs(uint32_t slot, std::size_t look) const {
    return inside_ ? looks_[slot].observe_ps[look]
                   : starts_[slot][look] + start_.observe_offset_ps;
  }
  // Whether a tile is in hand at the look.
  bool InsideTile(uint32_t slot, std::size_t look) const {
    return inside_ && looks_[slot].inside[look];
  }
  // Index into Starts of the first tile that starts after the look began.
  std::size_t NextTile(uint32_t slot, std::size_t look) const {
    return inside_ ? looks_[slot].next_tile[look] : look + 1;
  }

  // Starts of all blocks that fall into the stretch.
  uint64_t TilesInStretch() const;

 private:
  // Looks of one slot, column by column: searched is the first one only.
  struct LookColumns {
    std::vector<int64_t> sample_ps;
    std::vector<int64_t> observe_ps;
    std::vector<uint32_t> next_tile;
    std::vector<bool> inside;
  };

  static bool HasLooksInside(const std::vector<Mark>& marks);
  void AddLook(uint32_t slot, int64_t time_ps, const Mark& mark,
               int64_t& sample_ps);
  void BuildIndex();

  // Buckets of 2^22 ps (about 4 us) make a look-up a step or two; a long
  // stretch has longer tiles, and longer buckets.
  int bucket_bits_ = 22;
  int64_t length_ps_;
  // Looks at boundaries only are starts shifted, and take no room of their own.
  Mark start_;
  bool inside_;
  std::vector<std::vector<int64_t>> starts_;
  std::vector<LookColumns> looks_;
  std::vector<std::vector<uint32_t>> index_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_STATIONARY_H_
