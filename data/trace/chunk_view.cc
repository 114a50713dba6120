#include "data/trace/chunk_view.h"

#include <zstd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/chunk_encoder.h"
#include "data/trace/column_codec.h"
#include "data/trace/wire.h"

namespace tilebound {
namespace {

absl::Status Malformed(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("malformed chunk: ", what));
}

// Sums wrap, as the writer's differences do.
int64_t Plus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
int64_t Times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

bool Fits(int64_t time) { return time >= -kMostTime && time < kMostTime; }

absl::Status Decompress(absl::string_view packed, std::string& plain) {
  const uint64_t size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > kMostColumnsBytes || size > packed.size() * kMostCompression) {
    return Malformed("compressed columns have no size, or too large a one");
  }
  plain.resize(size);
  if (ZSTD_decompress(plain.data(), size, packed.data(), packed.size()) !=
      size) {
    return Malformed("compressed columns do not decompress");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ChunkView> ParseChunk(absl::string_view first_bytes,
                                     uint64_t size) {
  ChunkView view;
  uint32_t seen = 0;
  WireReader wire(first_bytes, size);
  while (wire.Next()) {
    const uint32_t field = wire.field();
    if (field > 9) continue;
    if (field >= 8 ? !wire.is_bytes() : !wire.is_number()) {
      return Malformed(absl::StrCat("field ", field, " has another type"));
    }
    if ((seen >> field) & 1) {
      return Malformed(absl::StrCat("field ", field, " stands twice"));
    }
    seen |= 1u << field;
    switch (field) {
      case 1:
        view.block = static_cast<uint32_t>(wire.number());
        break;
      case 2:
        view.first_sequence = wire.number();
        break;
      case 3:
        view.records = static_cast<uint32_t>(wire.number());
        break;
      case 4:
        view.kinds = static_cast<uint32_t>(wire.number());
        break;
      case 5:
        view.base_time = UnZigZag(wire.number());
        break;
      case 6:
        view.base_task = wire.number();
        break;
      case 7:
        view.base_generation = wire.number();
        break;
      default:
        view.columns = wire.bytes();
        view.columns_size = wire.size();
        view.compressed = field == 9;
    }
  }
  if (!wire.ok()) return Malformed("cut short");
  if (((seen >> 8) & 3) != 1 && ((seen >> 8) & 3) != 2) {
    return Malformed("columns must stand once, compressed or not");
  }
  if (view.records == 0 || view.records > kMostChunkRecords) {
    return Malformed(absl::StrCat(view.records, " records; accepted: 1 to ",
                                  kMostChunkRecords));
  }
  // Before anybody makes room for them.
  if (view.columns_size > kMostColumnsBytes) {
    return Malformed(absl::StrCat(view.columns_size,
                                  " bytes of columns; accepted: up to ",
                                  kMostColumnsBytes));
  }
  return view;
}

struct DecodedChunk::Fields {
  absl::string_view column[9];
};

absl::Status DecodedChunk::ReadRuns(const Fields& fields,
                                    const ChunkView& view) {
  absl::string_view runs = fields.column[1];
  // Each single record has a byte of time at least.
  const size_t most_singles = fields.column[5].size();
  segments_.clear();
  tiles_ = 0;
  singles_.clear();
  uint64_t records = 0;
  uint32_t kinds = 0;
  uint32_t singles = 0;
  while (!runs.empty()) {
    uint64_t run;
    if (!ConsumeVarint(runs, run)) return Malformed("runs cut short");
    const auto kind = static_cast<int>(run & 15);
    const uint64_t count = run >> 4;
    if (kind > kLastRecordKind || count == 0 || count > view.records) {
      return Malformed(
          absl::StrCat("run of ", count, " records of kind ", kind));
    }
    const bool tiles = kind == 0;
    const auto n = static_cast<uint32_t>(count);
    uint32_t& stored = tiles ? tiles_ : singles;
    if (!segments_.empty() && segments_.back().tiles == tiles) {
      segments_.back().count += n;
    } else {
      segments_.push_back({tiles, stored, n, view.first_sequence + records});
    }
    stored += n;
    records += tiles ? 2 * count : count;
    if (records > view.records || singles > most_singles) break;
    kinds |= tiles ? (1u << static_cast<int>(RecordKind::kPop)) |
                         (1u << static_cast<int>(RecordKind::kTileEnd))
                   : 1u << kind;
    for (uint32_t i = 0; !tiles && i < n; ++i) {
      singles_.push_back({.kind = static_cast<RecordKind>(kind)});
    }
  }
  if (singles > most_singles) return Malformed("times cut short");
  if (records != view.records) {
    return Malformed(absl::StrCat("runs of ", records, " records where ",
                                  view.records, " were announced"));
  }
  if (kinds != view.kinds) return Malformed("kinds do not match the runs");
  return absl::OkStatus();
}

absl::Status DecodedChunk::ReadSingles(const Fields& fields,
                                       const ChunkView& view) {
  absl::string_view times = fields.column[5], values = fields.column[6],
                    details = fields.column[7], sites = fields.column[8];
  uint64_t task = view.base_task;
  uint64_t generation = view.base_generation;
  for (Record& record : singles_) {
    uint64_t coded;
    if (!ConsumeVarint(times, coded)) return Malformed("times cut short");
    record.time_ps = UnZigZag(coded);
    const ValueMeaning meaning = MeaningOf(record.kind);
    if (meaning != ValueMeaning::kNone) {
      if (!ConsumeVarint(values, coded)) return Malformed("values cut short");
      const auto delta = static_cast<uint64_t>(UnZigZag(coded));
      switch (meaning) {
        case ValueMeaning::kTask:
          record.value = task += delta;
          break;
        case ValueMeaning::kGeneration:
          record.value = generation += delta;
          break;
        default:
          record.value = delta;
      }
    }
    if (HasDetail(record.kind)) {
      if (!ConsumeVarint(details, coded)) return Malformed("details cut short");
      record.detail = static_cast<uint32_t>(coded);
    }
    if (record.kind == RecordKind::kClaim) {
      if (!ConsumeVarint(sites, coded)) return Malformed("sites cut short");
      record.site = static_cast<uint8_t>(coded);
    }
  }
  if (!times.empty() || !values.empty() || !details.empty() || !sites.empty()) {
    return Malformed("columns have more values than records");
  }
  return absl::OkStatus();
}

absl::Status DecodedChunk::ReadTiles(const Fields& fields) {
  for (auto [number, column] :
       {std::pair{2, &tile_task_}, std::pair{3, &tile_pop_},
        std::pair{4, &tile_end_}}) {
    const absl::string_view bytes = fields.column[number];
    if (tiles_ > MostColumnValues(bytes.size())) {
      return Malformed("a tile column is too short");
    }
    column->resize(tiles_);
    if (!ReadColumn(bytes, column->data(), tiles_)) {
      return Malformed("a tile column does not hold one value for each tile");
    }
  }
  return absl::OkStatus();
}

absl::Status DecodedChunk::Accumulate(const ChunkView& view, int64_t unit) {
  auto task = static_cast<int64_t>(view.base_task);
  for (int64_t& t : tile_task_) t = task = Plus(task, t);
  const int64_t begin = Times(view.base_time, unit);
  int64_t time = begin;
  // The bits that any step from one time to the next has.
  int64_t steps = 0;
  for (const Segment& s : segments_) {
    const uint32_t end = s.first + s.count;
    if (s.tiles) {
      int64_t* pops = tile_pop_.data();
      int64_t* ends = tile_end_.data();
      for (uint32_t i = s.first; i < end; ++i) {
        const int64_t wait = Times(pops[i], unit);
        const int64_t length = Times(ends[i], unit);
        steps |= wait | length;
        pops[i] = Plus(time, wait);
        ends[i] = time = Plus(pops[i], length);
      }
    } else {
      for (uint32_t i = s.first; i < end; ++i) {
        int64_t& at = singles_[i].time_ps;
        const int64_t step = Times(at, unit);
        steps |= step;
        at = time = Plus(time, step);
      }
    }
  }
  // A chunk's records, 4 seconds apart each, cannot overflow; if none goes
  // back, its first and last times say it all.
  rising_ = steps >= 0 && steps < (int64_t{1} << 42);
  const bool fits = rising_ ? Fits(begin) && Fits(time) : AllFit();
  if (!fits) return Malformed("a time is more than 26 days from 0");
  return absl::OkStatus();
}

bool DecodedChunk::AllFit() const {
  const auto fits = [](int64_t time) { return Fits(time); };
  return std::all_of(tile_pop_.begin(), tile_pop_.end(), fits) &&
         std::all_of(tile_end_.begin(), tile_end_.end(), fits) &&
         std::all_of(singles_.begin(), singles_.end(),
                     [](const Record& record) { return Fits(record.time_ps); });
}

absl::Status DecodedChunk::Decode(const ChunkView& view, int64_t time_unit_ps) {
  absl::string_view plain = view.columns;
  if (view.compressed) {
    TILEBOUND_RETURN_IF_ERROR(Decompress(view.columns, plain_));
    plain = plain_;
  }
  if (plain.size() > kMostColumnsBytes) return Malformed("columns too long");
  Fields fields;
  uint32_t seen = 0;
  WireReader wire(plain);
  while (wire.Next()) {
    const uint32_t field = wire.field();
    if (field > 8) continue;
    if (!wire.is_bytes() || ((seen >> field) & 1)) {
      return Malformed(
          absl::StrCat("column ", field, " must be packed and stand once"));
    }
    seen |= 1u << field;
    fields.column[field] = wire.bytes();
  }
  if (!wire.ok()) return Malformed("columns cut short");
  TILEBOUND_RETURN_IF_ERROR(ReadRuns(fields, view));
  TILEBOUND_RETURN_IF_ERROR(ReadSingles(fields, view));
  TILEBOUND_RETURN_IF_ERROR(ReadTiles(fields));
  return Accumulate(view, time_unit_ps);
}

}  // namespace tilebound
