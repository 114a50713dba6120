#include "oracle/stream.h"

namespace tilebound::oracle {

void Stream::Advance(uint64_t sequence, const Record& record) {
  const Spot spot = {sequence, record};
  switch (record.kind) {
    case RecordKind::kBlockStart:
      life = Life::kAlive;
      doing = Doing::kIdle;
      seen = Seen::kNothing;
      abandon_open = abandon_unknown = false;
      any_claim = false;
      start = spot;
      sm = static_cast<int64_t>(record.value);
      slot = record.detail;
      break;
    case RecordKind::kBlockExit:
      life = Life::kGone;
      doing = Doing::kIdle;
      abandon_open = abandon_unknown = false;
      break;
    case RecordKind::kPop:
    case RecordKind::kRestart:
      doing = Doing::kTile;
      tile = spot;
      abandon_open = abandon_unknown = false;
      break;
    case RecordKind::kTileEnd:
      doing = Doing::kIdle;
      break;
    case RecordKind::kAbandon:
      doing = Doing::kIdle;
      abandoned = spot;
      abandon_open = true;
      break;
    case RecordKind::kObserve:
      seen = Seen::kSome;
      observed = spot;
      break;
    case RecordKind::kClaim:
      any_claim = true;
      claimed = spot;
      break;
    case RecordKind::kUrgentBegin:
      doing = Doing::kUrgent;
      urgent = spot;
      break;
    case RecordKind::kUrgentEnd:
      doing = Doing::kIdle;
      break;
    case RecordKind::kFlagSet:
    case RecordKind::kDrop:
      break;
  }
  last = spot;
  any_record = true;
  next_sequence = sequence + 1;
}

void Stream::Advance(const TileRun& run) {
  last = run.EndAt(run.count - 1);
  doing = Doing::kIdle;
  abandon_open = abandon_unknown = false;
  any_record = true;
  next_sequence = run.first_sequence + 2 * run.count;
}

void Stream::Forget() {
  // A block that had gone stays gone: nothing can follow an exit.
  if (life != Life::kGone || role == StreamRole::kUrgent) {
    life = Life::kUnknown;
  }
  doing = Doing::kUnknown;
  seen = Seen::kUnknown;
  abandon_open = false;
  abandon_unknown = true;
}

}  // namespace tilebound::oracle
