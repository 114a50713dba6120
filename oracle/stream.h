// What the oracle remembers of one stream while it goes over a trace: a few
// hundred bytes, however long the stream is.
//
//   Stream stream(/*id=*/3, StreamRole::kWorker, /*index=*/0);
//   ... rules look at `stream`, which tells what was so before the record ...
//   stream.Advance(sequence, record);
#ifndef TILEBOUND_ORACLE_STREAM_H_
#define TILEBOUND_ORACLE_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/trace/record.h"

namespace tilebound::oracle {

enum class StreamRole : uint8_t { kWorker, kUrgent, kHost };

// kUnknown after records went missing.
enum class Life : uint8_t { kUnborn, kAlive, kGone, kUnknown };
enum class Doing : uint8_t { kIdle, kTile, kUrgent, kUnknown };
// What is known of the last observation.
enum class Seen : uint8_t { kNothing, kSome, kUnknown };

// A record and its number in its stream.
struct Spot {
  uint64_t sequence = 0;
  Record record;
};

// A spot in the trace as a whole, with where the block was resident.
struct Place {
  uint32_t stream = 0;
  Spot spot;
  // -1 where the start was not seen.
  int64_t sm = -1;
  int64_t slot = -1;
};

// Tiles that follow one another in a stream with nothing between: for each, a
// pop and an end. The arrays belong to the decoded chunk.
struct TileRun {
  uint64_t first_sequence = 0;
  size_t count = 0;
  const int64_t* task = nullptr;
  const int64_t* pop = nullptr;
  const int64_t* end = nullptr;
  // Whether it is known that no time is earlier than the one before it.
  bool rising = false;

  Spot PopAt(size_t i) const {
    return {first_sequence + 2 * i,
            Record::Pop(pop[i], static_cast<uint64_t>(task[i]))};
  }
  Spot EndAt(size_t i) const {
    return {first_sequence + 2 * i + 1,
            Record::TileEnd(end[i], static_cast<uint64_t>(task[i]))};
  }
};

struct Stream {
  Stream(uint32_t stream_id, StreamRole stream_role, size_t stream_index)
      : id(stream_id), role(stream_role), index(stream_index) {}

  // Takes in what has just been looked at.
  void Advance(uint64_t sequence, const Record& record);
  void Advance(const TileRun& run);
  // Records are missing here: what was going on is no longer known.
  void Forget();

  Place At(const Spot& spot) const { return {id, spot, sm, slot}; }
  Place At(uint64_t sequence, const Record& record) const {
    return At(Spot{sequence, record});
  }

  const uint32_t id;
  const StreamRole role;
  // Counts the streams of one thread from 0, for PerStream.
  const size_t index;

  uint64_t next_sequence = 0;
  // While a record is shown: how many numbers were left out just before it, and
  // whether its number is one that the stream had passed.
  uint64_t gap = 0;
  bool back = false;
  Life life = Life::kUnborn;
  Doing doing = Doing::kIdle;
  Seen seen = Seen::kNothing;
  // Whether `abandoned` waits for its restart.
  bool abandon_open = false;
  // Whether an abandon may be among missing records.
  bool abandon_unknown = false;
  bool any_record = false;
  bool any_claim = false;
  // Records that are known to be missing, or 1 if the number is not known.
  uint64_t missing = 0;
  int64_t sm = -1;
  int64_t slot = -1;
  Spot last;
  Spot start;
  // Pop or restart of the tile in hand, while doing kTile.
  Spot tile;
  Spot abandoned;
  // Begin of the urgent tile in hand, while doing kUrgent.
  Spot urgent;
  Spot observed;
  Spot claimed;
};

// A value for each stream of a thread, made when first asked for.
template <typename T>
class PerStream {
 public:
  T& operator[](const Stream& stream) {
    if (stream.index >= values_.size()) values_.resize(stream.index + 1);
    return values_[stream.index];
  }

 private:
  std::vector<T> values_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_STREAM_H_
