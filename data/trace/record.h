// One thing that one block did, as a trace holds it.
//
// Use the named makers; which operands a kind has is told there once:
//   Record r = Record::Claim(time_ps, generation, /*tile=*/0, pb::BOUNDARY);
//   std::cout << DescribeRecord(r);   // "claim of event 7, urgent tile 0, ..."
//
// Times are picoseconds on one clock for the whole trace.
#ifndef TILEBOUND_DATA_TRACE_RECORD_H_
#define TILEBOUND_DATA_TRACE_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// The stream of what the host does: it may set flags and do nothing else.
inline constexpr uint32_t kHostStream = 0xFFFFFFFFu;

// The numbers are those on disk; 0 is kept there for a pop and end in one.
enum class RecordKind : uint8_t {
  kBlockStart = 1,
  kBlockExit = 2,
  kPop = 3,
  kTileEnd = 4,
  kAbandon = 5,
  kRestart = 6,
  kObserve = 7,
  kClaim = 8,
  kUrgentBegin = 9,
  kUrgentEnd = 10,
  kFlagSet = 11,
  kDrop = 12,
};
inline constexpr int kFirstRecordKind = 1;
inline constexpr int kLastRecordKind = 12;

struct Record {
  RecordKind kind = RecordKind::kBlockStart;
  // pb::Site of a claim, 0 elsewhere.
  uint8_t site = 0;
  // Slot of a start; urgent tile of a claim, urgent begin and urgent end.
  uint32_t detail = 0;
  // Task, generation, SM or number of dropped records.
  uint64_t value = 0;
  int64_t time_ps = 0;

  // The block becomes resident on `sm`; `slot` is its rank by age there, the
  // oldest being 0, so the number of blocks that were resident before it.
  static Record BlockStart(int64_t time_ps, uint32_t sm, uint32_t slot) {
    return {RecordKind::kBlockStart, 0, slot, sm, time_ps};
  }
  static Record BlockExit(int64_t time_ps) {
    return {RecordKind::kBlockExit, 0, 0, 0, time_ps};
  }
  // The block begins the tile of `task`.
  static Record Pop(int64_t time_ps, uint64_t task) {
    return {RecordKind::kPop, 0, 0, task, time_ps};
  }
  static Record TileEnd(int64_t time_ps, uint64_t task) {
    return {RecordKind::kTileEnd, 0, 0, task, time_ps};
  }
  // The block gives up the tile in hand, to begin it anew with Restart.
  static Record Abandon(int64_t time_ps, uint64_t task) {
    return {RecordKind::kAbandon, 0, 0, task, time_ps};
  }
  static Record Restart(int64_t time_ps, uint64_t task) {
    return {RecordKind::kRestart, 0, 0, task, time_ps};
  }
  // A look found the flag moved on to `generation`.
  static Record Observe(int64_t time_ps, uint64_t generation) {
    return {RecordKind::kObserve, 0, 0, generation, time_ps};
  }
  // The block takes urgent tile `tile` of the event; tile 0 goes to the first
  // claimant. A block that comes too late to get one writes no claim.
  static Record Claim(int64_t time_ps, uint64_t generation, uint32_t tile,
                      pb::Site site) {
    return {RecordKind::kClaim, static_cast<uint8_t>(site), tile, generation,
            time_ps};
  }
  static Record UrgentBegin(int64_t time_ps, uint64_t generation,
                            uint32_t tile) {
    return {RecordKind::kUrgentBegin, 0, tile, generation, time_ps};
  }
  static Record UrgentEnd(int64_t time_ps, uint64_t generation, uint32_t tile) {
    return {RecordKind::kUrgentEnd, 0, tile, generation, time_ps};
  }
  static Record FlagSet(int64_t time_ps, uint64_t generation) {
    return {RecordKind::kFlagSet, 0, 0, generation, time_ps};
  }
  // `count` records of this block before this one were not kept.
  static Record Drop(int64_t time_ps, uint64_t count) {
    return {RecordKind::kDrop, 0, 0, count, time_ps};
  }

  friend bool operator==(const Record&, const Record&) = default;
};

// What Record::value is for a kind.
enum class ValueMeaning { kNone, kSm, kTask, kGeneration, kCount };
constexpr ValueMeaning MeaningOf(RecordKind kind) {
  switch (kind) {
    case RecordKind::kBlockStart:
      return ValueMeaning::kSm;
    case RecordKind::kBlockExit:
      return ValueMeaning::kNone;
    case RecordKind::kPop:
    case RecordKind::kTileEnd:
    case RecordKind::kAbandon:
    case RecordKind::kRestart:
      return ValueMeaning::kTask;
    case RecordKind::kObserve:
    case RecordKind::kClaim:
    case RecordKind::kUrgentBegin:
    case RecordKind::kUrgentEnd:
    case RecordKind::kFlagSet:
      return ValueMeaning::kGeneration;
    case RecordKind::kDrop:
      return ValueMeaning::kCount;
  }
  return ValueMeaning::kNone;
}

// Whether Record::detail is in use for a kind.
constexpr bool HasDetail(RecordKind kind) {
  return kind == RecordKind::kBlockStart || kind == RecordKind::kClaim ||
         kind == RecordKind::kUrgentBegin || kind == RecordKind::kUrgentEnd;
}

// "block_start", "pop", ...: the names of docs/trace-format.md.
absl::string_view KindName(RecordKind kind);
absl::optional<RecordKind> KindFromName(absl::string_view name);

// "pop of task 17 at 21.504 us".
std::string DescribeRecord(const Record& record);

// Picoseconds as microseconds with as many decimals as it takes: "21.504 us".
std::string Microseconds(int64_t ps);

// "block 3", or "the host".
std::string StreamName(uint32_t stream);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_RECORD_H_
