#include "data/trace/chunk_encoder.h"

#include <zstd.h>

#include <utility>

#include "data/trace/column_codec.h"

namespace tilebound {
namespace {

// Differences wrap: a foreign recorder may hand in any 64 bits.
int64_t Minus(uint64_t a, uint64_t b) { return static_cast<int64_t>(a - b); }

int64_t FloorDivide(int64_t value, int64_t unit) {
  const int64_t quotient = value / unit;
  return quotient - (value % unit < 0 ? 1 : 0);
}

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
  if (run_length_ > 0) singles_.add_runs(run_length_ * 16 + run_kind_);
  run_kind_ = kind;
  run_length_ = 1;
}

int64_t ChunkEncoder::Advance(int64_t time) {
  const int64_t delta =
      Minus(static_cast<uint64_t>(time), static_cast<uint64_t>(time_));
  time_ = time;
  return delta;
}

void ChunkEncoder::AddSingle(const Record& record, int64_t time) {
  AddRun(static_cast<uint64_t>(record.kind));
  singles_.add_time(Advance(time));
  switch (MeaningOf(record.kind)) {
    case ValueMeaning::kNone:
      break;
    case ValueMeaning::kSm:
    case ValueMeaning::kCount:
      singles_.add_value(static_cast<int64_t>(record.value));
      break;
    case ValueMeaning::kTask:
      singles_.add_value(Minus(record.value, single_task_));
      single_task_ = record.value;
      break;
    case ValueMeaning::kGeneration:
      singles_.add_value(Minus(record.value, generation_));
      generation_ = record.value;
      break;
  }
  if (HasDetail(record.kind)) singles_.add_detail(record.detail);
  if (record.kind == RecordKind::kClaim) singles_.add_site(record.site);
}

void ChunkEncoder::FlushPop() {
  if (!pop_pending_) return;
  pop_pending_ = false;
  AddSingle(pop_, pop_time_);
}

int64_t ChunkEncoder::InUnits(int64_t time_ps) const {
  return unit_ == 1 ? time_ps : FloorDivide(time_ps, unit_);
}

void ChunkEncoder::Begin(int64_t time) {
  if (!begun_) {
    begun_ = true;
    time_ = base_time_ = time;
  }
  if (records_ == 0) first_time_ = time;
}

void ChunkEncoder::KnowTask(uint64_t task) {
  if (task_known_) return;
  task_known_ = true;
  task_ = single_task_ = base_task_ = task;
}

void ChunkEncoder::AddTile(uint64_t task, int64_t pop, int64_t end) {
  AddRun(0);
  const int64_t wait = Advance(pop);
  tiles_.push_back({Minus(task, task_), wait, Advance(end)});
  task_ = task;
}

void ChunkEncoder::AppendTile(uint64_t task, int64_t pop_ps, int64_t end_ps) {
  FlushPop();
  const int64_t pop = InUnits(pop_ps);
  Begin(pop);
  KnowTask(task);
  records_ += 2;
  AddTile(task, pop, InUnits(end_ps));
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

EncodedChunk ChunkEncoder::TakeFrame(bool compress) {
  FlushPop();
  singles_.add_runs(run_length_ * 16 + run_kind_);
  run_length_ = 0;
  std::vector<int64_t> column(tiles_.size());
  for (auto [member, bytes] :
       {std::pair{&Tile::task, singles_.mutable_tile_task()},
        std::pair{&Tile::wait, singles_.mutable_tile_wait()},
        std::pair{&Tile::time, singles_.mutable_tile_time()}}) {
    for (size_t i = 0; i < tiles_.size(); ++i) column[i] = tiles_[i].*member;
    AppendColumn(column, *bytes);
  }

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
    chunk.set_zstd_columns(Compressed(singles_.SerializeAsString()));
  if (chunk.zstd_columns().empty()) {
    chunk.clear_zstd_columns();
    chunk.mutable_columns()->Swap(&singles_);
  }
  EncodedChunk encoded;
  encoded.records = records_;
  encoded.first_time = first_time_;
  encoded.last_time = time_;
  AppendVarint(frame.ByteSizeLong(), encoded.bytes);
  frame.AppendToString(&encoded.bytes);
  // Swapped back, so that its buffers serve the next chunk.
  if (chunk.has_columns()) singles_.Swap(chunk.mutable_columns());

  singles_.Clear();
  tiles_.clear();
  first_sequence_ += records_;
  records_ = 0;
  kinds_ = 0;
  base_time_ = time_;
  base_task_ = single_task_ = task_;
  base_generation_ = generation_;
  return encoded;
}

void ChunkEncoder::Shrink() {
  std::vector<Tile>().swap(tiles_);
  pb::TraceColumns().Swap(&singles_);
}

}  // namespace tilebound
