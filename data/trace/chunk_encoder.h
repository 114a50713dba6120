// Gathers consecutive records of one block and turns them into one chunk.
// TraceWriter keeps one for each block; nobody else needs it.
//
//   ChunkEncoder encoder(/*stream=*/3, /*time_unit_ps=*/1);
//   encoder.Append(Record::Pop(0, 17));
//   std::string frame = encoder.TakeFrame(/*compress=*/false).bytes;
#ifndef TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_
#define TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_

#include <cstdint>
#include <string>
#include <vector>

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
      : stream_(stream), unit_(time_unit_ps) {}

  // Takes the next record; its time is floored to the unit.
  void Append(const Record& record);
  // The same as the pop and then the end of the tile.
  void AppendTile(uint64_t task, int64_t pop_ps, int64_t end_ps);

  uint32_t records() const { return records_; }
  // Number that the next record gets.
  uint64_t next_sequence() const { return first_sequence_ + records_; }
  // Only with no record pending.
  void set_next_sequence(uint64_t sequence) { first_sequence_ = sequence; }

  // Encodes what is pending and starts over behind it. Only with records.
  EncodedChunk TakeFrame(bool compress);
  // Gives the buffers' memory back; only with no record pending.
  void Shrink();

 private:
  int64_t InUnits(int64_t time_ps) const;
  // What the first record, of any kind or of a task, settles.
  void Begin(int64_t time);
  void KnowTask(uint64_t task);
  void AddTile(uint64_t task, int64_t pop, int64_t end);
  void AddRun(uint64_t kind);
  void AddSingle(const Record& record, int64_t time);
  int64_t Advance(int64_t time);
  void FlushPop();

  // What a tile touches stands together and first: with hundreds of blocks in
  // turns, fetching it is most of what appending costs.
  struct Tile {
    int64_t task;
    int64_t wait;
    int64_t time;
  };
  std::vector<Tile> tiles_;
  // Of the record before.
  int64_t time_ = 0;
  uint64_t task_ = 0;
  uint64_t run_kind_ = 0, run_length_ = 0;
  uint32_t records_ = 0;
  uint32_t kinds_ = 0;
  bool begun_ = false;
  bool task_known_ = false;
  // A pop that may yet become a tile.
  bool pop_pending_ = false;
  const uint32_t stream_;
  const int64_t unit_;

  uint64_t first_sequence_ = 0;
  Record pop_;
  int64_t pop_time_ = 0;
  // Of the record before, and of the one before the chunk.
  int64_t base_time_ = 0, first_time_ = 0;
  uint64_t generation_ = 0, base_generation_ = 0;
  uint64_t single_task_ = 0, base_task_ = 0;
  pb::TraceColumns singles_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_CHUNK_ENCODER_H_
