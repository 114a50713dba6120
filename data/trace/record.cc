#include "data/trace/record.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/schema/cell_key.h"

namespace tilebound {
namespace {

constexpr std::array<const char*, kLastRecordKind + 1> kKindNames = {
    "tile",       "block_start", "block_exit", "pop",   "tile_end",
    "abandon",    "restart",     "observe",    "claim", "urgent_begin",
    "urgent_end", "flag_set",    "drop"};

std::string WhatHappened(const Record& record) {
  const std::string event = absl::StrCat("event ", record.value);
  const std::string urgent =
      absl::StrCat(event, ", urgent tile ", record.detail, ",");
  switch (record.kind) {
    case RecordKind::kBlockStart:
      return absl::StrCat("start on SM ", record.value, " in slot ",
                          record.detail);
    case RecordKind::kBlockExit:
      return "exit";
    case RecordKind::kPop:
      return absl::StrCat("pop of task ", record.value);
    case RecordKind::kTileEnd:
      return absl::StrCat("end of task ", record.value);
    case RecordKind::kAbandon:
      return absl::StrCat("abandon of task ", record.value);
    case RecordKind::kRestart:
      return absl::StrCat("restart of task ", record.value);
    case RecordKind::kObserve:
      return absl::StrCat("observation of ", event);
    case RecordKind::kClaim:
      return absl::StrCat("claim of ", urgent, " at a ",
                          SiteName(static_cast<pb::Site>(record.site)),
                          " site,");
    case RecordKind::kUrgentBegin:
      return absl::StrCat("urgent begin of ", urgent);
    case RecordKind::kUrgentEnd:
      return absl::StrCat("urgent end of ", urgent);
    case RecordKind::kFlagSet:
      return absl::StrCat("set of ", event);
    case RecordKind::kDrop:
      return absl::StrCat("loss of ", record.value, " records");
  }
  return "unknown record";
}

}  // namespace

absl::string_view KindName(RecordKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

absl::optional<RecordKind> KindFromName(absl::string_view name) {
  for (int kind = kFirstRecordKind; kind <= kLastRecordKind; ++kind) {
    if (name == kKindNames[kind]) return static_cast<RecordKind>(kind);
  }
  return absl::nullopt;
}

std::string DescribeRecord(const Record& record) {
  return absl::StrCat(WhatHappened(record), " at ",
                      Microseconds(record.time_ps));
}

std::string Microseconds(int64_t ps) {
  // Unsigned, so that the most negative value has a magnitude too.
  const uint64_t size =
      ps < 0 ? ~static_cast<uint64_t>(ps) + 1 : static_cast<uint64_t>(ps);
  std::string fraction = absl::StrFormat("%06u", size % 1000000);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return absl::StrCat(ps < 0 ? "-" : "", size / 1000000,
                      fraction.empty() ? "" : ".", fraction, " us");
}

std::string StreamName(uint32_t stream) {
  return stream == kHostStream ? "the host" : absl::StrCat("block ", stream);
}

}  // namespace tilebound
