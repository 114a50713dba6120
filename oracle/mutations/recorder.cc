// Faults of the recorder and of the file.
#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/column_codec.h"
#include "data/trace/reader.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

bool Middle(const Spots& spots, size_t i) {
  return i > 0 && i + 1 < spots.size();
}

absl::StatusOr<Ref> PickMiddle(const LoadedTrace& trace, SplitMix64& random) {
  return PickRecord(
      trace, random, "a stream of three records",
      [](uint32_t, const Spots& spots, size_t i) { return Middle(spots, i); });
}

void Renumber(LoadedTrace& trace, Ref from, int64_t by) {
  Spots& spots = trace.streams[from.stream];
  for (size_t i = from.index; i < spots.size(); ++i) spots[i].sequence += by;
}

absl::StatusOr<Planted> SequenceGap(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickMiddle(trace, random));
  Renumber(trace, at, 1 + random.Below(100));
  return PlantedAt(trace, at, "record numbers are left out");
}

absl::StatusOr<Planted> SequenceBack(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickMiddle(trace, random));
  Renumber(trace, at, -1);
  return PlantedAt(trace, at, "a record number is used twice");
}

absl::StatusOr<Planted> RecordsLost(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickMiddle(trace, random));
  Spots& spots = trace.streams[at.stream];
  const uint64_t lost =
      1 + random.Below(std::min<uint64_t>(20, spots.size() - at.index - 1));
  const int64_t time = spots[at.index + lost - 1].record.time_ps;
  const uint64_t sequence = spots[at.index + lost - 1].sequence;
  spots.erase(spots.begin() + at.index, spots.begin() + at.index + lost);
  spots.insert(spots.begin() + at.index,
               {sequence + 1, Record::Drop(time, lost)});
  Renumber(trace, {at.stream, at.index + 1}, 1);
  return PlantedAt(trace, at, "records are lost and declared so");
}

absl::StatusOr<Planted> DropHidden(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Planted lost, RecordsLost(trace, random));
  Spots& spots = trace.streams[*lost.stream];
  for (size_t i = 0; i < spots.size(); ++i) {
    if (spots[i].record.kind != RecordKind::kDrop) continue;
    spots.erase(spots.begin() + i);
    return PlantedAt(trace, {*lost.stream, i}, "a loss of records is hidden");
  }
  return lost;
}

absl::StatusOr<Planted> DropUnderstated(LoadedTrace& trace,
                                        SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Planted lost, RecordsLost(trace, random));
  for (Spot& spot : trace.streams[*lost.stream]) {
    if (spot.record.kind != RecordKind::kDrop) continue;
    spot.record.value -= 1;
    lost.record = spot.record;
    lost.what = "a loss of records is declared too small";
  }
  return lost;
}

absl::StatusOr<Planted> ClockBack(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickMiddle(trace, random));
  At(trace, at).time_ps =
      At(trace, {at.stream, at.index - 1}).time_ps -
      Tick(trace) * (1 + static_cast<int64_t>(random.Below(50)));
  return PlantedAt(trace, at, "a record is earlier than the one before it");
}

// Where the chunks' frames begin, and where the index does.
std::vector<uint64_t> Frames(const std::string& bytes) {
  std::vector<uint64_t> offsets;
  auto reader = TraceReader::FromBytes(bytes, "trace");
  if (!reader.ok()) return offsets;
  ChunkCursor cursor = reader->Chunks();
  while (cursor.Next()) offsets.push_back(cursor.offset());
  offsets.push_back(cursor.offset());
  return offsets;
}

absl::StatusOr<Planted> CutChunk(std::string& bytes, SplitMix64& random) {
  const std::vector<uint64_t> frames = Frames(bytes);
  if (frames.size() < 2) {
    return absl::FailedPreconditionError("needed is a trace with a chunk");
  }
  const uint64_t chunk = random.Below(frames.size() - 1);
  const uint64_t size = frames[chunk + 1] - frames[chunk];
  bytes.resize(frames[chunk] + 1 + random.Below(size - 1));
  return Planted{.what = absl::StrCat("the file ends at byte ", bytes.size())};
}

absl::StatusOr<Planted> CutIndex(std::string& bytes, SplitMix64&) {
  bytes.resize(Frames(bytes).back());
  return Planted{.what = "the file has no index"};
}

absl::StatusOr<Planted> SpoilChunk(std::string& bytes, SplitMix64& random) {
  const std::vector<uint64_t> frames = Frames(bytes);
  if (frames.size() < 2) {
    return absl::FailedPreconditionError("needed is a trace with a chunk");
  }
  const uint64_t chunk = random.Below(frames.size() - 1);
  absl::string_view rest = absl::string_view(bytes).substr(frames[chunk]);
  uint64_t size;
  ConsumeVarint(rest, size);
  // A tag of a wire type that there is not.
  const size_t tag = bytes.size() - rest.size();
  bytes[tag] = 0x7F;
  return Planted{
      .what = absl::StrCat("the chunk at byte ", frames[chunk], " is spoilt")};
}

}  // namespace

std::vector<MutationKind> RecorderMutations() {
  constexpr Verdict kBad = Verdict::kViolation;
  constexpr Verdict kUnknown = Verdict::kUnknown;
  return {
      {"sequence_gap", "record numbers are left out", kInAny, kBad, "sequence",
       SequenceGap, nullptr},
      {"sequence_back", "a record number is used twice", kInAny, kBad,
       "sequence", SequenceBack, nullptr},
      {"records_lost", "records are taken away and declared lost", kInAny,
       kUnknown, "", RecordsLost, nullptr},
      {"drop_hidden", "records are lost and nothing says so", kInAny, kBad,
       "sequence", DropHidden, nullptr},
      {"drop_understated", "one record more is lost than declared", kInAny,
       kBad, "sequence", DropUnderstated, nullptr},
      {"clock_back", "a record is earlier than the one before it", kInAny, kBad,
       "clock", ClockBack, nullptr},
      {"chunk_cut", "the file ends inside a chunk", kInAny, kUnknown, "",
       nullptr, CutChunk},
      {"index_cut", "the file ends before the index", kInAny, kUnknown, "",
       nullptr, CutIndex},
      {"chunk_spoilt", "a chunk's first byte is overwritten", kInAny, kUnknown,
       "", nullptr, SpoilChunk},
  };
}

}  // namespace tilebound::oracle
