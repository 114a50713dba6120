// A queue of what happens next to each of a fixed number of things.
//
//   Calendar calendar(/*things=*/528, /*bucket_ps=*/1 << 15);
//   calendar.Put(3, time_ps);            // one entry a thing at a time
//   while (auto next = calendar.Take()) ...
//
// Time is cut into a ring of buckets, each a short ordered list, so that Put
// and Take cost the same however many things there are: a heap of 500 would be
// most of what generating a large trace costs. Buckets best hold an entry in
// four or so: most lists are then empty, which a processor guesses right, and a
// map of one bit a bucket leads past the empty ones.
#ifndef TILEBOUND_ORACLE_CALENDAR_H_
#define TILEBOUND_ORACLE_CALENDAR_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"

namespace tilebound::oracle {

class Calendar {
 public:
  struct Entry {
    uint32_t thing;
    int64_t time_ps;
  };

  // A bucket is as wide as the power of two at or under bucket_ps.
  Calendar(uint32_t things, uint64_t bucket_ps)
      : shift_(std::bit_width(std::max<uint64_t>(1, bucket_ps)) - 1),
        heads_(kBuckets, kNone),
        full_(kBuckets / 64, 0),
        next_(things, kNone),
        time_(things, 0) {}

  // time_ps must not be earlier than that of the last entry taken.
  void Put(uint32_t thing, int64_t time_ps) {
    time_[thing] = time_ps;
    // What is further off than the ring waits in its last bucket.
    const int64_t bucket =
        std::clamp(time_ps >> shift_, current_, current_ + kBuckets - 1) &
        (kBuckets - 1);
    uint32_t* at = &heads_[bucket];
    while (*at != kNone && Before(*at, thing)) at = &next_[*at];
    next_[thing] = *at;
    *at = thing;
    full_[bucket / 64] |= uint64_t{1} << (bucket % 64);
    ++size_;
  }

  // The earliest entry; of two at the same time, that of the lower number.
  absl::optional<Entry> Take() {
    while (size_ > 0) {
      SkipEmpty();
      const int64_t bucket = current_ & (kBuckets - 1);
      const uint32_t thing = heads_[bucket];
      heads_[bucket] = next_[thing];
      if (heads_[bucket] == kNone) {
        full_[bucket / 64] &= ~(uint64_t{1} << (bucket % 64));
      }
      --size_;
      if (time_[thing] >> shift_ > current_) {
        // It was too far off; by now it may be in reach.
        Put(thing, time_[thing]);
        continue;
      }
      return Entry{thing, time_[thing]};
    }
    return absl::nullopt;
  }

 private:
  static constexpr int64_t kBuckets = 1 << 14;
  static constexpr uint32_t kNone = ~0u;

  bool Before(uint32_t a, uint32_t b) const {
    return time_[a] != time_[b] ? time_[a] < time_[b] : a < b;
  }

  // Moves current_ on to the first bucket that is not empty; one is not.
  void SkipEmpty() {
    uint64_t word = full_[(current_ & (kBuckets - 1)) / 64] >> (current_ % 64);
    while (word == 0) {
      current_ = (current_ | 63) + 1;
      word = full_[(current_ & (kBuckets - 1)) / 64];
    }
    current_ += std::countr_zero(word);
  }

  const int shift_;
  // First entry of each bucket; further ones by next_.
  std::vector<uint32_t> heads_;
  // Bit b says whether bucket b has entries.
  std::vector<uint64_t> full_;
  std::vector<uint32_t> next_;
  std::vector<int64_t> time_;
  int64_t current_ = 0;
  uint32_t size_ = 0;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_CALENDAR_H_
