// Gathers consecutive records of one block and turns them into one chunk.
// TraceWriter keeps one for each block; nobody else needs it.
//
//   ChunkEncoder encoder(/*stream=*/3, /*time_unit_ps=*/1);
//   encoder.Append(Record::Pop(0, 17));
//   std::string frame = encoder.TakeFrame(/*compress=*/false, "").bytes;
#ifndef TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_
#define TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "data/trace/column_codec.h"
#include "data/trace/record.h"
#include "data/trace/trace.pb.h"

namespace tilebound {

// Limits of a chunk that readers rely on.
inline constexpr uint32_t kMostChunkRecords = 1u << 20;
inline constexpr uint32_t kMostColumnsBytes = 16u << 20;
// A chunk that would shrink by more than this is stored plain, so that a small
// file cannot unfold into a large one.
inline constexpr uint32_t kMostCompression = 64;

// A chunk as it goes to the file, and what the index says of it.
struct EncodedChunk {
  // Varint length and TraceFrame.
  std::string bytes;
  uint32_t records = 0;
  int64_t first_time = 0;
  int64_t last_time = 0;
};

class ChunkEncoder {
 public:
  ChunkEncoder(uint32_t stream, int64_t time_unit_ps)
      : unit_(time_unit_ps), stream_(stream) {}

  // Takes the next record; its time is floored to the unit.
  void Append(const Record& record);
  // The same as the pop and then the end of the tile.
  void AppendTile(uint64_t task, int64_t pop_ps, int64_t end_ps);

  // Fetches the place of the next tile into the cache.
  void PrefetchTile() const {
    __builtin_prefetch(tiles_.get() + tile_count_, /*rw=*/1);
  }

  uint32_t records() const { return records_; }
  // Number that the next record gets.
  uint64_t next_sequence() const { return first_sequence_ + records_; }
  // Only with no record pending.
  void set_next_sequence(uint64_t sequence) { first_sequence_ = sequence; }

  // Encodes what is pending and starts over behind it. Only with records. The
  // bytes go to `buffer`, so that it can serve for one chunk after another.
  EncodedChunk TakeFrame(bool compress, std::string buffer);
  // Gives the buffers' memory back; only with no record pending.
  void Shrink();

 private:
  // What a tile adds to each of the three columns.
  struct Tile {
    int64_t task;
    int64_t wait;
    int64_t time;
  };

  int64_t InUnits(int64_t time_ps) const;
  // What the first record, of any kind or of a task, settles.
  void Begin(int64_t time);
  void KnowTask(uint64_t task);
  void AddTile(uint64_t task, int64_t pop, int64_t end);
  void AddRun(uint64_t kind);
  void AddSingle(const Record& record, int64_t time);
  int64_t Advance(int64_t time);
  void FlushPop();
  void PackTiles();

  // What a tile touches stands together and first: with hundreds of blocks in
  // turns, fetching it is most of what appending costs. For the same reason
  // tiles are packed as soon as they fill a group, not when the chunk closes.
  std::unique_ptr<Tile[]> tiles_;
  uint32_t tile_count_ = 0;
  uint32_t records_ = 0;
  // Of the record before.
  int64_t time_ = 0;
  uint64_t task_ = 0;
  uint64_t run_kind_ = 0, run_length_ = 0;
  const int64_t unit_;
  bool begun_ = false;
  bool task_known_ = false;
  // A pop that may yet become a tile.
  bool pop_pending_ = false;
  uint32_t kinds_ = 0;
  const uint32_t stream_;

  uint64_t first_sequence_ = 0;
  Record pop_;
  int64_t pop_time_ = 0;
  // Of the record before, and of the one before the chunk.
  int64_t base_time_ = 0, first_time_ = 0;
  uint64_t generation_ = 0, base_generation_ = 0;
  uint64_t single_task_ = 0, base_task_ = 0;
  // The tile columns hold whole groups until TakeFrame adds the rest.
  pb::TraceColumns columns_;
};

inline int64_t ChunkEncoder::InUnits(int64_t time_ps) const {
  if (unit_ == 1) return time_ps;
  const int64_t quotient = time_ps / unit_;
  return quotient - (time_ps % unit_ < 0 ? 1 : 0);
}

inline void ChunkEncoder::Begin(int64_t time) {
  if (!begun_) {
    begun_ = true;
    time_ = base_time_ = time;
  }
  if (records_ == 0) first_time_ = time;
}

inline void ChunkEncoder::KnowTask(uint64_t task) {
  if (task_known_) return;
  task_known_ = true;
  task_ = single_task_ = base_task_ = task;
}

// Differences wrap: a foreign recorder may hand in any 64 bits.
inline int64_t ChunkEncoder::Advance(int64_t time) {
  const uint64_t before = static_cast<uint64_t>(time_);
  time_ = time;
  return static_cast<int64_t>(static_cast<uint64_t>(time) - before);
}

inline void ChunkEncoder::AddTile(uint64_t task, int64_t pop, int64_t end) {
  if (run_kind_ == 0 && run_length_ > 0) {
    ++run_length_;
  } else {
    AddRun(0);
  }
  if (tiles_ == nullptr) tiles_ = std::make_unique<Tile[]>(kColumnGroup);
  const int64_t wait = Advance(pop);
  tiles_[tile_count_++] = {static_cast<int64_t>(task - task_), wait,
                           Advance(end)};
  task_ = task;
  if (tile_count_ == kColumnGroup) PackTiles();
}

inline void ChunkEncoder::AppendTile(uint64_t task, int64_t pop_ps,
                                     int64_t end_ps) {
  if (pop_pending_) FlushPop();
  const int64_t pop = InUnits(pop_ps);
  Begin(pop);
  KnowTask(task);
  records_ += 2;
  AddTile(task, pop, InUnits(end_ps));
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_
