#include "oracle/mutations/plant.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tilebound::oracle {
namespace {

void Renumber(Spots& spots) {
  for (size_t i = 0; i < spots.size(); ++i) spots[i].sequence = i;
}

}  // namespace

absl::StatusOr<Ref> PickRecord(const LoadedTrace& trace, SplitMix64& random,
                               const std::string& needed, const Fits& fits) {
  std::vector<Ref> fitting;
  for (const auto& [stream, spots] : trace.streams) {
    for (size_t i = 0; i < spots.size(); ++i) {
      if (fits(stream, spots, i)) fitting.push_back({stream, i});
    }
  }
  if (fitting.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the trace has no place for this fault; needed is ", needed));
  }
  return fitting[random.Below(fitting.size())];
}

void Insert(LoadedTrace& trace, Ref at, const std::vector<Record>& records) {
  Spots& spots = trace.streams[at.stream];
  Spots added;
  for (const Record& record : records) added.push_back({0, record});
  spots.insert(spots.begin() + at.index, added.begin(), added.end());
  Renumber(spots);
}

void Erase(LoadedTrace& trace, Ref at, size_t count) {
  Spots& spots = trace.streams[at.stream];
  spots.erase(spots.begin() + at.index, spots.begin() + at.index + count);
  Renumber(spots);
}

int64_t Tick(const LoadedTrace& trace) {
  return static_cast<int64_t>(std::max(
      {trace.header.quantum_ps(), trace.header.time_unit_ps(), uint64_t{1}}));
}

int64_t SetTime(const LoadedTrace& trace, uint64_t event) {
  for (const auto& [stream, spots] : trace.streams) {
    for (const Spot& spot : spots) {
      if (spot.record.kind == RecordKind::kFlagSet &&
          spot.record.value == event) {
        return spot.record.time_ps;
      }
    }
  }
  return kNoTime;
}

size_t NextOf(const Spots& spots, size_t index, RecordKind kind) {
  for (++index; index < spots.size(); ++index) {
    if (spots[index].record.kind == kind) return index;
  }
  return spots.size();
}

}  // namespace tilebound::oracle
