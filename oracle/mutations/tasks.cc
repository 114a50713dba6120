// Faults of tiles: lost, doubled, overlapping, abandoned and forgotten.
#include "data/io/status_macros.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

bool Is(const Spots& spots, size_t i, RecordKind kind) {
  return i < spots.size() && spots[i].record.kind == kind;
}

// A pop whose end comes next.
bool WholeTile(uint32_t, const Spots& spots, size_t i) {
  return Is(spots, i, RecordKind::kPop) &&
         Is(spots, i + 1, RecordKind::kTileEnd);
}

bool End(uint32_t, const Spots& spots, size_t i) {
  return Is(spots, i, RecordKind::kTileEnd);
}

bool Abandon(uint32_t, const Spots& spots, size_t i) {
  return Is(spots, i, RecordKind::kAbandon);
}

absl::StatusOr<Planted> TaskTwice(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickRecord(trace, random, "a tile", End));
  TILEBOUND_ASSIGN_OR_RETURN(Ref other,
                             PickRecord(trace, random, "a tile", End));
  const uint64_t task = At(trace, other).value;
  const int64_t time = At(trace, at).time_ps;
  ++at.index;
  Insert(trace, at, {Record::Pop(time, task), Record::TileEnd(time, task)});
  ++at.index;
  return PlantedAt(trace, at, "a task is executed once more");
}

absl::StatusOr<Planted> TaskLost(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at,
                             PickRecord(trace, random, "a tile", WholeTile));
  const uint64_t task = At(trace, at).value;
  Erase(trace, at, 2);
  return Planted{.what = "a task is not executed", .task = task};
}

absl::StatusOr<Planted> TaskOutOfRange(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at,
                             PickRecord(trace, random, "a tile", WholeTile));
  const uint64_t task = trace.header.tasks() + random.Below(1000);
  At(trace, at).value = task;
  ++at.index;
  At(trace, at).value = task;
  return PlantedAt(trace, at, "a task that was not promised is executed");
}

absl::StatusOr<Planted> TileOverlap(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "two tiles in a row",
                         [](uint32_t, const Spots& spots, size_t i) {
                           return Is(spots, i, RecordKind::kTileEnd) &&
                                  Is(spots, i + 1, RecordKind::kPop);
                         }));
  const Ref next = {at.stream, at.index + 1};
  std::swap(At(trace, at), At(trace, next));
  At(trace, at).time_ps = At(trace, next).time_ps;
  return PlantedAt(trace, at, "a tile begins before the one before it ends");
}

absl::StatusOr<Planted> EndBeforeBegin(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at,
                             PickRecord(trace, random, "a tile", WholeTile));
  const int64_t begin = At(trace, at).time_ps;
  ++at.index;
  At(trace, at).time_ps =
      begin - Tick(trace) * (1 + static_cast<int64_t>(random.Below(50)));
  return PlantedAt(trace, at, "a tile ends before it begins");
}

absl::StatusOr<Planted> EndMissing(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at,
                             PickRecord(trace, random, "a tile", WholeTile));
  Erase(trace, {at.stream, at.index + 1});
  return PlantedAt(trace, at, "a tile does not end");
}

absl::StatusOr<Planted> EndOfAnother(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickRecord(trace, random, "a tile", End));
  At(trace, at).value += 1 + random.Below(1000);
  return PlantedAt(trace, at, "the end is of another task than the pop");
}

absl::StatusOr<Planted> NeverRestarted(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an abandoned tile", Abandon));
  const Planted planted =
      PlantedAt(trace, at, "an abandoned tile is never restarted");
  Spots& spots = trace.streams[at.stream];
  for (const RecordKind kind : {RecordKind::kTileEnd, RecordKind::kRestart}) {
    Erase(trace, {at.stream, NextOf(spots, at.index, kind)});
  }
  return planted;
}

absl::StatusOr<Planted> RestartedTwice(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an abandoned tile", Abandon));
  const uint64_t task = At(trace, at).value;
  at.index = NextOf(trace.streams[at.stream], at.index, RecordKind::kTileEnd);
  const int64_t time = At(trace, at).time_ps;
  ++at.index;
  Insert(trace, at, {Record::Restart(time, task), Record::TileEnd(time, task)});
  return PlantedAt(trace, at, "a tile is restarted and finished twice");
}

absl::StatusOr<Planted> RestartOfAnother(LoadedTrace& trace,
                                         SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an abandoned tile", Abandon));
  at.index = NextOf(trace.streams[at.stream], at.index, RecordKind::kRestart);
  At(trace, at).value += 1 + random.Below(1000);
  return PlantedAt(trace, at, "the restart is of another task");
}

absl::StatusOr<Planted> AbandonAtBoundary(LoadedTrace& trace,
                                          SplitMix64& random) {
  const bool boundary = trace.header.cell().site() == pb::BOUNDARY;
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a tile and the site boundary",
                         [&](uint32_t s, const Spots& spots, size_t i) {
                           return boundary && WholeTile(s, spots, i);
                         }));
  const Record pop = At(trace, at);
  ++at.index;
  Insert(trace, at,
         {Record::Abandon(pop.time_ps, pop.value),
          Record::Restart(pop.time_ps, pop.value)});
  return PlantedAt(trace, at, "a tile is abandoned where the site is boundary");
}

}  // namespace

std::vector<MutationKind> TaskMutations() {
  constexpr Verdict kBad = Verdict::kViolation;
  return {
      {"task_twice", "a task is executed once more", kInAny, kBad,
       "exactly_once", TaskTwice, nullptr},
      {"task_lost", "a task's pop and end are taken away", kInAny, kBad,
       "exactly_once", TaskLost, nullptr},
      {"task_out_of_range", "a task gets an id past the promised ones", kInAny,
       kBad, "exactly_once", TaskOutOfRange, nullptr},
      {"tile_overlap", "a tile begins before the one before it ends", kInAny,
       kBad, "overlap", TileOverlap, nullptr},
      {"end_before_begin", "a tile's end gets a time before its pop", kInAny,
       kBad, "clock", EndBeforeBegin, nullptr},
      {"end_missing", "a tile's end is taken away", kInAny, kBad, "overlap",
       EndMissing, nullptr},
      {"end_of_another", "a tile's end names another task", kInAny, kBad,
       "overlap", EndOfAnother, nullptr},
      {"never_restarted", "an abandoned tile's restart and end are taken away",
       kInCooperative, kBad, "restart", NeverRestarted, nullptr},
      {"restarted_twice", "a restarted tile is restarted and ended again",
       kInCooperative, kBad, "restart", RestartedTwice, nullptr},
      {"restart_of_another", "a restart names another task", kInCooperative,
       kBad, "restart", RestartOfAnother, nullptr},
      {"abandon_at_boundary", "a tile is abandoned though the site is boundary",
       kInCooperative, kBad, "site", AbandonAtBoundary, nullptr},
  };
}

}  // namespace tilebound::oracle
