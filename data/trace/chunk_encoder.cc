#include "data/trace/chunk_encoder.h"

#include <zstd.h>

#include <utility>

namespace tilebound {
namespace {

// Differences wrap: a foreign recorder may hand in any 64 bits.
int64_t Minus(uint64_t a, uint64_t b) { return static_cast<int64_t>(a - b); }

// "" if compressing does not pay or pays too well.
std::string Compressed(const std::string& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(),
                                    plain.size(), 1);
  if (ZSTD_isError(size) || size >= plain.size() ||
      plain.size() / size >= kMostCompression) {
    return "";
  }
  packed.resize(size);
  return packed;
}

}  // namespace

void ChunkEncoder::AddRun(uint64_t kind) {
  kinds_ |= kind == 0 ? (1u << static_cast<int>(RecordKind::kPop)) |
                            (1u << static_cast<int>(RecordKind::kTileEnd))
                      : 1u << kind;
  if (run_length_ > 0 && run_kind_ == kind) {
    ++run_length_;
    return;
  }
  if (run_length_ > 0) columns_.add_runs(run_length_ * 16 + run_kind_);
  run_kind_ = kind;
  run_length_ = 1;
}

void ChunkEncoder::AddSingle(const Record& record, int64_t time) {
  AddRun(static_cast<uint64_t>(record.kind));
  columns_.add_time(Advance(time));
  switch (MeaningOf(record.kind)) {
    case ValueMeaning::kNone:
      break;
    case ValueMeaning::kSm:
    case ValueMeaning::kCount:
      columns_.add_value(static_cast<int64_t>(record.value));
      break;
    case ValueMeaning::kTask:
      columns_.add_value(Minus(record.value, single_task_));
      single_task_ = record.value;
      break;
    case ValueMeaning::kGeneration:
      columns_.add_value(Minus(record.value, generation_));
      generation_ = record.value;
      break;
  }
  if (HasDetail(record.kind)) columns_.add_detail(record.detail);
  if (record.kind == RecordKind::kClaim) columns_.add_site(record.site);
}

void ChunkEncoder::FlushPop() {
  if (!pop_pending_) return;
  pop_pending_ = false;
  AddSingle(pop_, pop_time_);
}

void ChunkEncoder::PackTiles() {
  if (tile_count_ == 0) return;
  ColumnGroup task, wait, time;
  for (uint32_t i = 0; i < tile_count_; ++i) {
    task.Add(tiles_[i].task);
    wait.Add(tiles_[i].wait);
    time.Add(tiles_[i].time);
  }
  task.AppendTo(*columns_.mutable_tile_task());
  wait.AppendTo(*columns_.mutable_tile_wait());
  time.AppendTo(*columns_.mutable_tile_time());
  tile_count_ = 0;
}

void ChunkEncoder::Append(const Record& record) {
  const int64_t time = InUnits(record.time_ps);
  Begin(time);
  if (MeaningOf(record.kind) == ValueMeaning::kTask) KnowTask(record.value);
  ++records_;
  if (record.kind == RecordKind::kTileEnd && pop_pending_ &&
      pop_.value == record.value) {
    pop_pending_ = false;
    AddTile(record.value, pop_time_, time);
    return;
  }
  FlushPop();
  if (record.kind == RecordKind::kPop) {
    pop_pending_ = true;
    pop_ = record;
    pop_time_ = time;
    return;
  }
  AddSingle(record, time);
}

EncodedChunk ChunkEncoder::TakeFrame(bool compress, std::string buffer) {
  FlushPop();
  columns_.add_runs(run_length_ * 16 + run_kind_);
  run_length_ = 0;
  PackTiles();

  pb::TraceFrame frame;
  pb::TraceChunk& chunk = *frame.mutable_chunk();
  chunk.set_block(stream_);
  chunk.set_first_sequence(first_sequence_);
  chunk.set_records(records_);
  chunk.set_kinds(kinds_);
  chunk.set_base_time(base_time_);
  chunk.set_base_task(base_task_);
  chunk.set_base_generation(base_generation_);
  if (compress)
    chunk.set_zstd_columns(Compressed(columns_.SerializeAsString()));
  if (chunk.zstd_columns().empty()) {
    chunk.clear_zstd_columns();
    chunk.mutable_columns()->Swap(&columns_);
  }
  EncodedChunk encoded;
  encoded.bytes = std::move(buffer);
  encoded.bytes.clear();
  encoded.records = records_;
  encoded.first_time = first_time_;
  encoded.last_time = time_;
  AppendVarint(frame.ByteSizeLong(), encoded.bytes);
  frame.AppendToString(&encoded.bytes);
  // Swapped back, so that its buffers serve the next chunk.
  if (chunk.has_columns()) columns_.Swap(chunk.mutable_columns());

  columns_.Clear();
  first_sequence_ += records_;
  records_ = 0;
  kinds_ = 0;
  base_time_ = time_;
  base_task_ = single_task_ = task_;
  base_generation_ = generation_;
  return encoded;
}

void ChunkEncoder::Shrink() {
  tiles_.reset();
  pb::TraceColumns().Swap(&columns_);
}

}  // namespace tilebound
