#include "data/trace/writer.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "data/io/atomic_file.h"
#include "data/io/status_macros.h"
#include "data/trace/chunk_encoder.h"
#include "data/trace/column_codec.h"
#include "data/trace/header.h"

namespace tilebound {
namespace {

std::string FrameBytes(const pb::TraceFrame& frame) {
  std::string bytes;
  AppendVarint(frame.ByteSizeLong(), bytes);
  frame.AppendToString(&bytes);
  return bytes;
}

}  // namespace

struct TraceWriter::Impl {
  Impl(pb::TraceHeader promised, TraceWriterOptions chosen)
      : header(std::move(promised)),
        options(chosen),
        unit(TimeUnit(header)),
        streams(header.blocks() + header.urgent_streams()),
        encoders(streams + 1) {}

  void Write(const std::string& bytes) {
    if (!status.ok()) return;
    if (file.has_value()) {
      status = file->Write(bytes);
    } else {
      memory += bytes;
    }
    written += bytes.size();
  }

  // Null, with the error kept, if the header has no such stream.
  ChunkEncoder* Encoder(uint32_t stream) {
    if (stream < streams && encoders[stream] != nullptr) [[likely]] {
      return encoders[stream].get();
    }
    return MakeEncoder(stream);
  }

  ChunkEncoder* MakeEncoder(uint32_t stream) {
    const bool known = stream < streams || stream == kHostStream;
    if (!known) {
      if (status.ok()) {
        status = absl::InvalidArgumentError(
            absl::StrCat("trace record for block ", stream,
                         "; the header has blocks 0 to ", streams - 1));
      }
      return nullptr;
    }
    auto& encoder = encoders[stream < streams ? stream : streams];
    if (encoder == nullptr) {
      encoder = std::make_unique<ChunkEncoder>(stream, unit);
    }
    return encoder.get();
  }

  void Add(uint32_t stream, ChunkEncoder& encoder, const Record& record) {
    encoder.Append(record);
    const bool gone =
        record.kind == RecordKind::kBlockExit && stream < header.blocks();
    if (!gone && encoder.records() < options.chunk_records) return;
    Close(stream, encoder);
    if (gone) encoder.Shrink();
  }

  void Close(uint32_t stream, ChunkEncoder& encoder) {
    if (encoder.records() == 0) return;
    EncodedChunk chunk = encoder.TakeFrame(options.compress, std::move(frame));
    index.add_offset_delta(written - last_offset);
    last_offset = written;
    index.add_block(stream);
    index.add_records(chunk.records);
    index.add_first_time(chunk.first_time);
    index.add_last_time(chunk.last_time);
    Write(chunk.bytes);
    frame = std::move(chunk.bytes);
  }

  void CloseAll() {
    for (uint32_t i = 0; i < encoders.size(); ++i) {
      if (encoders[i] == nullptr) continue;
      Close(i < streams ? i : kHostStream, *encoders[i]);
    }
  }

  // The index, and what the index is the last of.
  void WriteEnd() {
    CloseAll();
    pb::TraceFrame frame;
    frame.mutable_index()->Swap(&index);
    Write(FrameBytes(frame));
  }

  absl::optional<AtomicFile> file;
  // Without a file.
  std::string memory;
  const pb::TraceHeader header;
  const TraceWriterOptions options;
  const int64_t unit;
  const uint32_t streams;
  // By stream; the host's comes last.
  std::vector<std::unique_ptr<ChunkEncoder>> encoders;
  // Buffer of the last chunk, for the next one.
  std::string frame;
  pb::TraceIndex index;
  uint64_t written = 0;
  uint64_t last_offset = 0;
  absl::Status status;
};

TraceWriter::TraceWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&&) noexcept = default;
TraceWriter::~TraceWriter() = default;

absl::StatusOr<TraceWriter> TraceWriter::CreateInMemory(
    pb::TraceHeader header, TraceWriterOptions options) {
  header.set_schema_major(kTraceMajor);
  header.set_schema_minor(kTraceMinor);
  TILEBOUND_RETURN_IF_ERROR(ValidateTraceHeader(header));
  if (options.chunk_records == 0 || options.chunk_records > kMostChunkRecords) {
    return absl::InvalidArgumentError(
        absl::StrCat("chunk_records is ", options.chunk_records,
                     "; accepted: 1 to ", kMostChunkRecords));
  }
  auto impl = std::make_unique<Impl>(std::move(header), options);
  pb::TraceFrame frame;
  *frame.mutable_header() = impl->header;
  impl->Write(std::string(kTraceMagic) + FrameBytes(frame));
  return TraceWriter(std::move(impl));
}

absl::StatusOr<TraceWriter> TraceWriter::Create(const std::string& path,
                                                pb::TraceHeader header,
                                                TraceWriterOptions options) {
  TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
                             CreateInMemory(std::move(header), options));
  TILEBOUND_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  TILEBOUND_RETURN_IF_ERROR(file.Write(writer.impl_->memory));
  std::string().swap(writer.impl_->memory);
  writer.impl_->file = std::move(file);
  writer.impl_->file->KeepPartial();
  return writer;
}

void TraceWriter::Prefetch(uint32_t stream) const {
  if (stream < impl_->streams)
    __builtin_prefetch(impl_->encoders[stream].get());
}

void TraceWriter::PrefetchTile(uint32_t stream) const {
  if (stream >= impl_->streams || impl_->encoders[stream] == nullptr) return;
  impl_->encoders[stream]->PrefetchTile();
}

void TraceWriter::Append(uint32_t stream, const Record& record) {
  ChunkEncoder* encoder = impl_->Encoder(stream);
  if (encoder == nullptr) return;
  if (record.kind == RecordKind::kDrop) {
    AppendAt(stream, encoder->next_sequence() + record.value, record);
    return;
  }
  impl_->Add(stream, *encoder, record);
}

void TraceWriter::AppendTile(uint32_t stream, uint64_t task, int64_t pop_ps,
                             int64_t end_ps) {
  ChunkEncoder* encoder = impl_->Encoder(stream);
  if (encoder == nullptr) return;
  encoder->AppendTile(task, pop_ps, end_ps);
  if (encoder->records() >= impl_->options.chunk_records) {
    impl_->Close(stream, *encoder);
  }
}

void TraceWriter::AppendAt(uint32_t stream, uint64_t sequence,
                           const Record& record) {
  ChunkEncoder* encoder = impl_->Encoder(stream);
  if (encoder == nullptr) return;
  if (sequence != encoder->next_sequence()) {
    impl_->Close(stream, *encoder);
    encoder->set_next_sequence(sequence);
  }
  impl_->Add(stream, *encoder, record);
}

void TraceWriter::Flush() { impl_->CloseAll(); }

absl::Status TraceWriter::Finish() {
  impl_->WriteEnd();
  TILEBOUND_RETURN_IF_ERROR(impl_->status);
  return impl_->file->Commit();
}

absl::StatusOr<std::string> TraceWriter::TakeBytes() {
  impl_->WriteEnd();
  TILEBOUND_RETURN_IF_ERROR(impl_->status);
  return std::move(impl_->memory);
}

}  // namespace tilebound
