// Faults of blocks: where they are resident, and for how long.
#include <algorithm>

#include "data/io/status_macros.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

// A worker's record that is neither its first nor its last.
bool Middle(const LoadedTrace& trace, uint32_t stream, const Spots& spots,
            size_t i) {
  return IsWorker(trace, stream) && i > 0 && i + 1 < spots.size();
}

absl::StatusOr<Planted> TwoSms(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return Middle(trace, stream, spots, i);
                         }));
  const uint64_t sm = trace.streams[at.stream][0].record.value;
  Insert(trace, at,
         {Record::BlockStart(At(trace, at).time_ps, sm + 1 + random.Below(7),
                             random.Below(4))});
  return PlantedAt(trace, at, "a block starts again on another SM");
}

absl::StatusOr<Planted> ActsAfterExit(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block that did something",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return IsWorker(trace, stream) && i > 1 &&
                                  i + 1 == spots.size();
                         }));
  --at.index;
  const Record last = At(trace, at);
  Erase(trace, at);
  const int64_t exit = At(trace, at).time_ps;
  ++at.index;
  Insert(trace, at, {last});
  At(trace, at).time_ps = exit;
  return PlantedAt(trace, at, "a block acts after its exit");
}

absl::StatusOr<Planted> ActsBeforeStart(LoadedTrace& trace,
                                        SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block that did something",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return IsWorker(trace, stream) && i == 0 &&
                                  spots.size() > 2;
                         }));
  const Ref next = {at.stream, 1};
  std::swap(At(trace, at), At(trace, next));
  std::swap(At(trace, at).time_ps, At(trace, next).time_ps);
  return PlantedAt(trace, at, "a block acts before its start");
}

absl::StatusOr<Planted> ExitMissing(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a worker block",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return IsWorker(trace, stream) &&
                                  i + 1 == spots.size();
                         }));
  Erase(trace, at);
  return Planted{.what = "a block's exit is not recorded", .stream = at.stream};
}

absl::StatusOr<Planted> BlockMissing(LoadedTrace& trace, SplitMix64& random) {
  const uint32_t block = random.Below(trace.header.blocks());
  trace.streams.erase(block);
  return Planted{.what = "nothing of a block is recorded", .stream = block};
}

// When the block of a stream's first start exits.
int64_t ExitTime(const Spots& spots) {
  const size_t exit = NextOf(spots, 0, RecordKind::kBlockExit);
  return exit < spots.size() ? spots[exit].record.time_ps : INT64_MAX;
}

// Whether the worker starts with the first wave and stays a while.
bool FirstWave(const LoadedTrace& trace, uint32_t stream, const Spots& spots) {
  return IsWorker(trace, stream) && spots[0].record.time_ps < 1'000'000 &&
         ExitTime(spots) > 1'000'000 + 3 * Tick(trace);
}

// Workers of the first wave on an SM; 0 if one of them leaves early.
uint32_t CompanyOn(const LoadedTrace& trace, uint64_t sm) {
  uint32_t count = 0;
  for (const auto& [stream, spots] : trace.streams) {
    if (!IsWorker(trace, stream) || spots[0].record.value != sm ||
        spots[0].record.time_ps >= 1'000'000) {
      continue;
    }
    if (!FirstWave(trace, stream, spots)) return 0;
    ++count;
  }
  return count;
}

absl::StatusOr<Planted> SlotShared(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "two blocks together on an SM",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return i == 0 && FirstWave(trace, stream, spots) &&
                                  spots[0].record.detail > 0 &&
                                  CompanyOn(trace, spots[0].record.value) > 1;
                         }));
  Record& start = At(trace, at);
  start.detail = random.Below(start.detail);
  return PlantedAt(trace, at, "a block starts in a slot that is taken");
}

absl::StatusOr<Planted> ResidencyExceeded(LoadedTrace& trace,
                                          SplitMix64& random) {
  const uint32_t most = trace.header.blocks_per_sm();
  const uint32_t sms = trace.header.sm_count();
  const uint64_t full = sms == 0 ? 0 : random.Below(sms);
  if (CompanyOn(trace, full) != most) {
    return absl::FailedPreconditionError("needed is a full SM");
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block on another SM",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return i == 0 && FirstWave(trace, stream, spots) &&
                                  spots[0].record.value != full &&
                                  spots[0].record.detail + 1 ==
                                      CompanyOn(trace, spots[0].record.value);
                         }));
  Record& start = At(trace, at);
  start.value = full;
  start.detail = most;
  // Behind those that were there, but before its own next record.
  for (const auto& [stream, spots] : trace.streams) {
    if (IsWorker(trace, stream) && spots[0].record.value == full &&
        spots[0].record.time_ps < 1'000'000) {
      start.time_ps = std::max(start.time_ps, spots[0].record.time_ps);
    }
  }
  return PlantedAt(trace, at, "a block starts on an SM that is full");
}

absl::StatusOr<Planted> SmOutOfRange(LoadedTrace& trace, SplitMix64& random) {
  if (trace.header.sm_count() == 0) {
    return absl::FailedPreconditionError("needed is a promised number of SMs");
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block",
                         [&](uint32_t stream, const Spots&, size_t i) {
                           return IsWorker(trace, stream) && i == 0;
                         }));
  At(trace, at).value = trace.header.sm_count() + random.Below(100);
  At(trace, at).detail = 0;
  return PlantedAt(trace, at, "a block starts on an SM that the part lacks");
}

}  // namespace

std::vector<MutationKind> BlockMutations() {
  constexpr Verdict kBad = Verdict::kViolation;
  return {
      {"block_on_two_sms", "a block starts again on another SM", kInAny, kBad,
       "life", TwoSms, nullptr},
      {"acts_after_exit", "a block's last act moves behind its exit", kInAny,
       kBad, "life", ActsAfterExit, nullptr},
      {"acts_before_start", "a block's first act moves before its start",
       kInAny, kBad, "life", ActsBeforeStart, nullptr},
      {"exit_missing", "a block's exit is taken away", kInAny,
       Verdict::kUnknown, "", ExitMissing, nullptr},
      {"block_missing", "all records of a block are taken away", kInAny,
       Verdict::kUnknown, "", BlockMissing, nullptr},
      {"slot_shared", "a block starts in an elder block's slot", kInAny, kBad,
       "residency", SlotShared, nullptr},
      {"residency_exceeded", "a block moves to an SM that is full",
       kInNone | kInCooperative, kBad, "residency", ResidencyExceeded, nullptr},
      {"sm_out_of_range", "a block starts on an SM that the part lacks", kInAny,
       kBad, "residency", SmOutOfRange, nullptr},
  };
}

}  // namespace tilebound::oracle
