// Reads a .tbtrace file, whole or cut short.
//
//   TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader,
//                              TraceReader::Open("run.tbtrace"));
//   std::cout << reader.header().tasks() << " tasks promised\n";
//   TraceEnd end = reader.ForEachRecord(
//       [](uint32_t stream, uint64_t sequence, const Record& record) {...});
//   if (!end.whole) std::cout << end.why << "\n";
//
// What is damaged is passed over and told in the TraceEnd; the records that are
// given out are those that were written.
#ifndef TILEBOUND_DATA_TRACE_READER_H_
#define TILEBOUND_DATA_TRACE_READER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/trace/byte_source.h"
#include "data/trace/chunk_view.h"
#include "data/trace/record.h"
#include "data/trace/trace.pb.h"

namespace tilebound {

// How the pass over a trace ended.
struct TraceEnd {
  // The index was there and no chunk was damaged.
  bool whole = false;
  // What is missing or damaged first, with its place in bytes; "" if whole.
  std::string why;
  uint64_t chunks = 0;
  uint64_t damaged_chunks = 0;
};

// Goes over the chunks of a trace in file order. Of one that is passed over,
// the columns are not read.
//
//   ChunkCursor cursor = reader.Chunks();
//   while (cursor.Next()) {
//     if (cursor.chunk().Has(RecordKind::kFlagSet)) Use(cursor.Whole());
//   }
//   if (!cursor.end().whole) ...
class ChunkCursor {
 public:
  // Moves to the next chunk that can be parsed; false at the end.
  bool Next();
  // All of the chunk but its columns.
  const ChunkView& chunk() const { return chunk_; }
  // The chunk with its columns, which stay until the next call.
  const ChunkView& Whole();
  // Byte offset of the chunk's frame in the file.
  uint64_t offset() const { return offset_; }
  // Notes that the present chunk did not decode.
  void MarkDamaged(absl::string_view why);
  const TraceEnd& end() const { return end_; }

 private:
  friend class TraceReader;
  ChunkCursor(const ByteSource& source, uint64_t first_frame)
      : file_bytes_(source.size()), window_(source), next_(first_frame) {}
  void Problem(absl::string_view why, uint64_t offset);
  void ReadIndex(absl::string_view index);

  const uint64_t file_bytes_;
  ByteWindow window_;
  uint64_t next_;
  uint64_t offset_ = 0;
  uint64_t columns_offset_ = 0;
  bool done_ = false;
  ChunkView chunk_;
  TraceEnd end_;
};

class TraceReader {
 public:
  // Opens the file. Errors (2 as exit status) say why this is not a trace that
  // can be read at all: no such file, other content, an unreadable header, a
  // newer schema.
  static absl::StatusOr<TraceReader> Open(const std::string& path);
  // Of bytes in memory; `name` is what errors call them.
  static absl::StatusOr<TraceReader> FromBytes(std::string bytes,
                                               const std::string& name);

  const pb::TraceHeader& header() const { return header_; }
  const std::string& name() const { return name_; }
  uint64_t file_bytes() const { return source_->size(); }
  // Streams of blocks: 0 .. streams() - 1; the host's comes on top.
  uint32_t streams() const {
    return header_.blocks() + header_.urgent_streams();
  }

  ChunkCursor Chunks() const { return ChunkCursor(*source_, first_frame_); }

  // Decodes everything, chunk by chunk. Streams interleave as they do in the
  // file; a stream's records come in order.
  TraceEnd ForEachRecord(
      const std::function<void(uint32_t stream, uint64_t sequence,
                               const Record& record)>& visit) const;

 private:
  TraceReader(ByteSource source, const std::string& name)
      : source_(std::make_unique<ByteSource>(std::move(source))), name_(name) {}
  static absl::StatusOr<TraceReader> FromSource(ByteSource source,
                                                const std::string& name);
  absl::Status ReadHeader();

  // On the heap: cursors point to it.
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  pb::TraceHeader header_;
  uint64_t first_frame_ = 0;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_READER_H_
