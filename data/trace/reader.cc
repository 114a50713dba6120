#include "data/trace/reader.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "data/io/status_macros.h"
#include "data/trace/chunk_encoder.h"
#include "data/trace/column_codec.h"
#include "data/trace/header.h"
#include "data/trace/wire.h"
#include "google/protobuf/stubs/logging.h"

namespace tilebound {
namespace {

constexpr uint32_t kHeaderField = 1;
constexpr uint32_t kChunkField = 2;
constexpr uint32_t kIndexField = 3;

// A header's frame is no longer than this.
constexpr uint64_t kMostHeaderBytes = 1 << 20;

// Enough of a frame for its length and all of a chunk but the columns.
constexpr uint64_t kHead = 128;

// A chunk's columns have kMostColumnsBytes at most, and little stands beside
// them; what is longer is not worth reading.
constexpr uint64_t kMostFrameBytes = 2 * kMostColumnsBytes;

// An index takes some 15 bytes for each chunk.
constexpr uint64_t kMostIndexBytes = 256 << 20;

// The one field of a frame; field 0 if the frame is malformed. Of the content
// there is as much as there is of the frame.
struct Content {
  uint32_t field = 0;
  absl::string_view bytes;
  uint64_t size = 0;
};

Content ContentOf(absl::string_view first_bytes, uint64_t frame_size) {
  WireReader wire(first_bytes, frame_size);
  if (!wire.Next() || !wire.is_bytes()) return {};
  const Content content = {wire.field(), wire.bytes(), wire.size()};
  return wire.Next() || !wire.ok() ? Content() : content;
}

absl::StatusOr<ChunkView> ParseFrame(absl::string_view first_bytes,
                                     uint64_t frame_size) {
  const Content content = ContentOf(first_bytes, frame_size);
  if (content.field != kChunkField) {
    return absl::DataLossError("malformed frame");
  }
  return ParseChunk(content.bytes, content.size);
}

}  // namespace

void ChunkCursor::Problem(absl::string_view why, uint64_t offset) {
  end_.whole = false;
  if (end_.why.empty()) end_.why = absl::StrCat(why, " at byte ", offset);
}

void ChunkCursor::MarkDamaged(absl::string_view why) {
  ++end_.damaged_chunks;
  Problem(why, offset_);
}

void ChunkCursor::ReadIndex(absl::string_view bytes) {
  pb::TraceIndex index;
  if (!index.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    Problem("malformed index", offset_);
  } else if (static_cast<uint64_t>(index.block_size()) != end_.chunks) {
    Problem(absl::StrCat("index of ", index.block_size(), " chunks where ",
                         end_.chunks, " stand"),
            offset_);
  } else if (next_ != file_bytes_) {
    Problem("bytes behind the index", next_);
  } else if (end_.why.empty()) {
    end_.whole = true;
  }
}

bool ChunkCursor::Next() {
  while (!done_) {
    offset_ = next_;
    const absl::string_view head = window_.At(offset_, kHead);
    absl::string_view rest = head;
    uint64_t size;
    if (head.empty()) {
      Problem("the trace was not finished: no index", offset_);
      done_ = true;
      break;
    }
    if (!ConsumeVarint(rest, size) ||
        size > file_bytes_ - offset_ - (head.size() - rest.size())) {
      Problem("the trace was not finished: last frame cut short", offset_);
      done_ = true;
      break;
    }
    const uint64_t frame = offset_ + head.size() - rest.size();
    next_ = frame + size;
    absl::string_view first_bytes = rest.substr(0, size);
    if (ContentOf(first_bytes, size).field == kIndexField) {
      done_ = true;
      if (size > kMostIndexBytes) {
        Problem("index too long", offset_);
      } else {
        ReadIndex(ContentOf(window_.At(frame, size), size).bytes);
      }
      break;
    }
    ++end_.chunks;
    absl::StatusOr<ChunkView> chunk = ParseFrame(first_bytes, size);
    if (!chunk.ok() && first_bytes.size() < size && size <= kMostFrameBytes) {
      first_bytes = window_.At(frame, size);
      chunk = ParseFrame(first_bytes, size);
    }
    if (!chunk.ok()) {
      MarkDamaged(absl::string_view(chunk.status().message()));
      continue;
    }
    chunk_ = *chunk;
    columns_offset_ = frame + (chunk_.columns.data() - first_bytes.data());
    return true;
  }
  return false;
}

const ChunkView& ChunkCursor::Whole() {
  chunk_.columns = window_.At(columns_offset_, chunk_.columns_size);
  return chunk_;
}

absl::StatusOr<TraceReader> TraceReader::Open(const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(ByteSource source, ByteSource::Open(path));
  return FromSource(std::move(source), path);
}

absl::StatusOr<TraceReader> TraceReader::FromBytes(std::string bytes,
                                                   const std::string& name) {
  return FromSource(ByteSource(std::move(bytes)), name);
}

absl::StatusOr<TraceReader> TraceReader::FromSource(ByteSource source,
                                                    const std::string& name) {
  TraceReader reader(std::move(source), name);
  TILEBOUND_RETURN_IF_ERROR(reader.ReadHeader());
  return reader;
}

absl::Status TraceReader::ReadHeader() {
  const auto error = [this](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": ", what));
  };
  ByteWindow window(*source_);
  absl::string_view rest = window.At(0, kHead);
  if (!absl::ConsumePrefix(&rest, kTraceMagic)) {
    return error(
        "not a trace: it does not begin with \"tbtrace\"; accepted are "
        ".tbtrace files");
  }
  uint64_t size;
  const size_t before = rest.size();
  if (!ConsumeVarint(rest, size) ||
      size > file_bytes() - kTraceMagic.size() - (before - rest.size())) {
    return error("unreadable trace header: cut short");
  }
  const uint64_t frame = kTraceMagic.size() + before - rest.size();
  Content content;
  if (size <= kMostHeaderBytes) {
    content = ContentOf(window.At(frame, size), size);
  }
  // The error below says it in one line.
  const google::protobuf::LogSilencer silencer;
  if (content.field != kHeaderField ||
      !header_.ParseFromArray(content.bytes.data(),
                              static_cast<int>(content.bytes.size()))) {
    return error("unreadable trace header: malformed");
  }
  if (absl::Status valid = ValidateTraceHeader(header_); !valid.ok()) {
    return error(valid.message());
  }
  first_frame_ = frame + size;
  return absl::OkStatus();
}

TraceEnd TraceReader::ForEachRecord(
    const std::function<void(uint32_t, uint64_t, const Record&)>& visit) const {
  DecodedChunk decoded;
  ChunkCursor cursor = Chunks();
  while (cursor.Next()) {
    const uint32_t stream = cursor.chunk().block;
    absl::Status status = decoded.Decode(cursor.Whole(), TimeUnit(header_));
    if (status.ok() && stream >= streams() && stream != kHostStream) {
      status = absl::DataLossError(
          absl::StrCat("chunk of block ", stream, ", which the header lacks"));
    }
    if (!status.ok()) {
      cursor.MarkDamaged(absl::string_view(status.message()));
      continue;
    }
    decoded.ForEach([&](uint64_t sequence, const Record& record) {
      visit(stream, sequence, record);
    });
  }
  return cursor.end();
}

}  // namespace tilebound
