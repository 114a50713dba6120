#include "oracle/witness.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "absl/strings/str_cat.h"

namespace tilebound::oracle {
namespace {

bool SameSpot(const Place& a, const Place& b) {
  return a.stream == b.stream && a.spot.sequence == b.spot.sequence &&
         a.spot.record == b.spot.record;
}

bool Asks(const Finding& finding, const Record& record) {
  if (((finding.kinds >> static_cast<int>(record.kind)) & 1) == 0) return false;
  switch (MeaningOf(record.kind)) {
    case ValueMeaning::kTask:
      return finding.task.has_value() && *finding.task == record.value;
    case ValueMeaning::kGeneration:
      return finding.event.has_value() && *finding.event == record.value &&
             (!finding.urgent_tile.has_value() || !HasDetail(record.kind) ||
              *finding.urgent_tile == record.detail) &&
             record.kind != RecordKind::kObserve;
    default:
      return false;
  }
}

void Add(const Place& place, std::vector<Place>& found) {
  const auto at = std::upper_bound(
      found.begin(), found.end(), place,
      [](const Place& a, const Place& b) { return OrderAt(a) < OrderAt(b); });
  found.insert(at, place);
  if (found.size() > kMostRecords) found.pop_back();
}

}  // namespace

void CompleteWitnesses(const TraceReader& reader,
                       const std::vector<Finding*>& findings) {
  std::unordered_multimap<uint64_t, size_t> by_task, by_event;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (findings[i]->task.has_value()) by_task.emplace(*findings[i]->task, i);
    if (findings[i]->event.has_value())
      by_event.emplace(*findings[i]->event, i);
  }
  if (by_task.empty() && by_event.empty()) return;
  std::vector<std::vector<Place>> found(findings.size());
  std::unordered_map<uint32_t, std::pair<int64_t, int64_t>> where;
  reader.ForEachRecord(
      [&](uint32_t stream, uint64_t sequence, const Record& record) {
        if (record.kind == RecordKind::kBlockStart) {
          where[stream] = {static_cast<int64_t>(record.value), record.detail};
          return;
        }
        const ValueMeaning meaning = MeaningOf(record.kind);
        if (meaning != ValueMeaning::kTask &&
            meaning != ValueMeaning::kGeneration) {
          return;
        }
        const auto& index = meaning == ValueMeaning::kTask ? by_task : by_event;
        if (index.empty()) return;
        const auto [first, last] = index.equal_range(record.value);
        for (auto it = first; it != last; ++it) {
          if (!Asks(*findings[it->second], record)) continue;
          Place place{.stream = stream, .spot = {sequence, record}};
          if (const auto at = where.find(stream); at != where.end()) {
            place.sm = at->second.first;
            place.slot = at->second.second;
          }
          Add(place, found[it->second]);
        }
      });
  for (size_t i = 0; i < findings.size(); ++i) {
    std::vector<Place>& records = findings[i]->records;
    for (const Place& place : found[i]) {
      const bool held = std::any_of(
          records.begin(), records.end(),
          [&](const Place& other) { return SameSpot(place, other); });
      if (!held) records.push_back(place);
    }
  }
}

std::string DescribePlace(const Place& place) {
  std::string where = StreamName(place.stream);
  if (place.sm >= 0) {
    absl::StrAppend(&where, " (SM ", place.sm, ", slot ", place.slot, ")");
  }
  return absl::StrCat(where, ", record ", place.spot.sequence, ": ",
                      DescribeRecord(place.spot.record));
}

}  // namespace tilebound::oracle
