#include "data/trace/reader.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/column_codec.h"
#include "data/trace/header.h"
#include "data/trace/wire.h"
#include "google/protobuf/stubs/logging.h"

namespace tilebound {
namespace {

constexpr uint32_t kHeaderField = 1;
constexpr uint32_t kChunkField = 2;
constexpr uint32_t kIndexField = 3;

// The one field of a frame; field 0 if the frame is malformed.
struct Content {
  uint32_t field = 0;
  absl::string_view bytes;
};

Content ContentOf(absl::string_view frame) {
  WireReader wire(frame);
  if (!wire.Next() || !wire.is_bytes()) return {};
  const Content content = {wire.field(), wire.bytes()};
  return wire.Next() || !wire.ok() ? Content() : content;
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

void ChunkCursor::ReadIndex(absl::string_view bytes, uint64_t offset) {
  pb::TraceIndex index;
  if (!index.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    Problem("malformed index", offset);
  } else if (static_cast<uint64_t>(index.block_size()) != end_.chunks) {
    Problem(absl::StrCat("index of ", index.block_size(), " chunks where ",
                         end_.chunks, " stand"),
            offset);
  } else if (next_ != bytes_.size()) {
    Problem("bytes behind the index", next_);
  } else if (end_.why.empty()) {
    end_.whole = true;
  }
}

bool ChunkCursor::Next() {
  while (!done_) {
    offset_ = next_;
    absl::string_view rest = bytes_.substr(next_);
    if (rest.empty()) {
      Problem("the trace was not finished: no index", offset_);
      done_ = true;
      break;
    }
    uint64_t size;
    if (!ConsumeVarint(rest, size) || size > rest.size()) {
      Problem("the trace was not finished: last frame cut short", offset_);
      done_ = true;
      break;
    }
    next_ = bytes_.size() - rest.size() + size;
    const Content content = ContentOf(rest.substr(0, size));
    if (content.field == kIndexField) {
      done_ = true;
      ReadIndex(content.bytes, offset_);
      break;
    }
    ++end_.chunks;
    if (content.field != kChunkField) {
      MarkDamaged("malformed frame");
      continue;
    }
    absl::StatusOr<ChunkView> chunk = ParseChunk(content.bytes);
    if (!chunk.ok()) {
      MarkDamaged(absl::string_view(chunk.status().message()));
      continue;
    }
    chunk_ = *chunk;
    return true;
  }
  return false;
}

absl::StatusOr<TraceReader> TraceReader::Open(const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  TraceReader reader;
  reader.mapped_ = std::make_unique<MappedFile>(std::move(file));
  reader.name_ = path;
  TILEBOUND_RETURN_IF_ERROR(reader.ReadHeader());
  return reader;
}

absl::StatusOr<TraceReader> TraceReader::FromBytes(std::string bytes,
                                                   const std::string& name) {
  TraceReader reader;
  reader.owned_ = std::make_unique<std::string>(std::move(bytes));
  reader.name_ = name;
  TILEBOUND_RETURN_IF_ERROR(reader.ReadHeader());
  return reader;
}

absl::Status TraceReader::ReadHeader() {
  const auto error = [this](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": ", what));
  };
  if (!absl::StartsWith(bytes(), kTraceMagic)) {
    return error(
        "not a trace: it does not begin with \"tbtrace\"; accepted are "
        ".tbtrace "
        "files");
  }
  absl::string_view rest = bytes().substr(kTraceMagic.size());
  uint64_t size;
  if (!ConsumeVarint(rest, size) || size > rest.size()) {
    return error("unreadable trace header: cut short");
  }
  const Content content = ContentOf(rest.substr(0, size));
  // The error below says it in one line.
  const google::protobuf::LogSilencer silencer;
  if (content.field != kHeaderField || size > (1u << 20) ||
      !header_.ParseFromArray(content.bytes.data(),
                              static_cast<int>(content.bytes.size()))) {
    return error("unreadable trace header: malformed");
  }
  if (absl::Status valid = ValidateTraceHeader(header_); !valid.ok()) {
    return error(valid.message());
  }
  first_frame_ = bytes().size() - rest.size() + size;
  return absl::OkStatus();
}

TraceEnd TraceReader::ForEachRecord(
    const std::function<void(uint32_t, uint64_t, const Record&)>& visit) const {
  DecodedChunk decoded;
  ChunkCursor cursor = Chunks();
  while (cursor.Next()) {
    const uint32_t stream = cursor.chunk().block;
    absl::Status status = decoded.Decode(cursor.chunk(), TimeUnit(header_));
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
