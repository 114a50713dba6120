// One chunk of a trace: first as it lies in the file, then as records.
//
//   absl::StatusOr<ChunkView> view = ParseChunk(bytes, bytes.size());
//   DecodedChunk chunk;                       // reused from chunk to chunk
//   TILEBOUND_RETURN_IF_ERROR(chunk.Decode(*view, time_unit_ps));
//   for (const auto& part : chunk.segments()) ...
//
// The file's bytes are read in place and a DecodedChunk keeps its buffers, so
// that reading a trace allocates nothing per record.
#ifndef TILEBOUND_DATA_TRACE_CHUNK_VIEW_H_
#define TILEBOUND_DATA_TRACE_CHUNK_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/trace/record.h"

namespace tilebound {

// The fields of pb::TraceChunk.
struct ChunkView {
  uint32_t block = 0;
  uint64_t first_sequence = 0;
  uint32_t records = 0;
  uint32_t kinds = 0;
  int64_t base_time = 0;
  uint64_t base_task = 0;
  uint64_t base_generation = 0;
  // Serialized pb::TraceColumns, compressed or not: a view of the bytes that
  // were parsed, and the size that it should have.
  absl::string_view columns;
  uint64_t columns_size = 0;
  bool compressed = false;

  bool Has(RecordKind kind) const {
    return (kinds >> static_cast<int>(kind)) & 1;
  }
};

// Times beyond this many picoseconds (26 days) from 0 are malformed, so that
// readers can add to them without a thought of overflow.
inline constexpr int64_t kMostTime = int64_t{1} << 61;

// From a serialized pb::TraceChunk of `size` bytes, or from its first bytes if
// they reach into the columns and nothing follows these. Every field may stand
// once, in any order.
absl::StatusOr<ChunkView> ParseChunk(absl::string_view first_bytes,
                                     uint64_t size);

class DecodedChunk {
 public:
  // Records that lie side by side in one of the two stores: tiles (a pop and
  // its end each, two sequence numbers) or singles (one each).
  struct Segment {
    bool tiles;
    uint32_t first;
    uint32_t count;
    uint64_t first_sequence;
  };

  // Errors say what is malformed; the contents are then void.
  absl::Status Decode(const ChunkView& view, int64_t time_unit_ps);
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Record>& singles() const { return singles_; }
  // Tasks, pop times and end times, side by side.
  const std::vector<int64_t>& tile_task() const { return tile_task_; }
  const std::vector<int64_t>& tile_pop() const { return tile_pop_; }
  const std::vector<int64_t>& tile_end() const { return tile_end_; }
  // True only if no time is earlier than the one before it.
  bool rising() const { return rising_; }

  // Calls visit(sequence, record) for each record in order.
  template <typename Visit>
  void ForEach(Visit visit) const;

 private:
  struct Fields;
  absl::Status ReadRuns(const Fields& fields, const ChunkView& view);
  absl::Status ReadSingles(const Fields& fields, const ChunkView& view);
  absl::Status ReadTiles(const Fields& fields);
  absl::Status Accumulate(const ChunkView& view, int64_t unit);
  bool AllFit() const;

  uint32_t tiles_ = 0;
  bool rising_ = false;
  std::vector<Segment> segments_;
  std::vector<Record> singles_;
  std::vector<int64_t> tile_task_, tile_pop_, tile_end_;
  std::string plain_;
};

template <typename Visit>
void DecodedChunk::ForEach(Visit visit) const {
  for (const Segment& s : segments_) {
    for (uint32_t i = s.first; i < s.first + s.count; ++i) {
      const uint64_t at = i - s.first;
      if (s.tiles) {
        const auto task = static_cast<uint64_t>(tile_task_[i]);
        visit(s.first_sequence + 2 * at, Record::Pop(tile_pop_[i], task));
        visit(s.first_sequence + 2 * at + 1,
              Record::TileEnd(tile_end_[i], task));
      } else {
        visit(s.first_sequence + at, singles_[i]);
      }
    }
  }
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_CHUNK_VIEW_H_
