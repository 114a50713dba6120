// Faults of the flag and of looking at it.
#include <algorithm>

#include "data/io/status_macros.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

bool Observe(const Spots& spots, size_t i) {
  return spots[i].record.kind == RecordKind::kObserve;
}

absl::StatusOr<Ref> PickSet(const LoadedTrace& trace, SplitMix64& random,
                            uint64_t least_event) {
  return PickRecord(trace, random, "a set",
                    [&](uint32_t, const Spots& spots, size_t i) {
                      return spots[i].record.kind == RecordKind::kFlagSet &&
                             spots[i].record.value >= least_event;
                    });
}

// The observation before this one in the stream's present life, or nullptr.
const Record* Before(const Spots& spots, size_t i) {
  while (i-- > 0) {
    if (spots[i].record.kind == RecordKind::kBlockStart) return nullptr;
    if (Observe(spots, i)) return &spots[i].record;
  }
  return nullptr;
}

bool ClaimsIn(const Spots& spots, uint64_t event) {
  return std::any_of(spots.begin(), spots.end(), [&](const Spot& spot) {
    return spot.record.kind == RecordKind::kClaim && spot.record.value == event;
  });
}

absl::StatusOr<Planted> TwoSetters(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref set, PickSet(trace, random, 2));
  const Record record = At(trace, set);
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block that lives at a set",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return IsWorker(trace, stream) &&
                                  stream != set.stream && i > 0 &&
                                  spots[i - 1].record.time_ps <=
                                      record.time_ps &&
                                  spots[i].record.time_ps >= record.time_ps;
                         }));
  Erase(trace, set);
  Insert(trace, at, {record});
  return PlantedAt(trace, at, "a second setter sets an event");
}

absl::StatusOr<Planted> SetTwice(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickSet(trace, random, 1));
  const Record record = At(trace, at);
  ++at.index;
  Insert(trace, at, {record});
  return PlantedAt(trace, at, "an event is set twice");
}

absl::StatusOr<Planted> SetMissing(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickSet(trace, random, 1));
  // The finding shows the next set, or, if there is none, the event.
  const Record record = At(trace, at);
  Erase(trace, at);
  if (record.value == trace.header.events()) {
    return Planted{.what = "an event is not set", .event = record.value};
  }
  at.index =
      NextOf(trace.streams[at.stream], at.index - 1, RecordKind::kFlagSet);
  return PlantedAt(trace, at, "an event is not set");
}

absl::StatusOr<Planted> OneEventTooMany(LoadedTrace& trace,
                                        SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at,
                             PickSet(trace, random, trace.header.events()));
  const Record record = At(trace, at);
  ++at.index;
  Insert(trace, at, {Record::FlagSet(record.time_ps, record.value + 1)});
  return PlantedAt(trace, at, "an event is set that was not promised");
}

// The set moves behind the first thing that was done for it.
absl::StatusOr<Planted> EffectBeforeSet(LoadedTrace& trace,
                                        SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref set, PickSet(trace, random, 1));
  const uint64_t event = At(trace, set).value;
  Place first;
  bool found = false;
  for (const auto& [stream, spots] : trace.streams) {
    for (const Spot& spot : spots) {
      if (MeaningOf(spot.record.kind) != ValueMeaning::kGeneration ||
          spot.record.kind == RecordKind::kFlagSet ||
          spot.record.value != event) {
        continue;
      }
      const Place place{.stream = stream, .spot = spot};
      if (!found || OrderAt(place) < OrderAt(first)) first = place;
      found = true;
    }
  }
  if (!found) {
    return absl::FailedPreconditionError("needed is an event with any effect");
  }
  Record late = At(trace, set);
  late.time_ps = first.spot.record.time_ps + Tick(trace);
  Erase(trace, set);
  const Spots& spots = trace.streams[set.stream];
  while (set.index < spots.size() &&
         spots[set.index].record.time_ps <= late.time_ps) {
    ++set.index;
  }
  Insert(trace, set, {late});
  return Planted{.what = "an event has an effect before it is set",
                 .stream = first.stream,
                 .record = first.spot.record};
}

absl::StatusOr<Planted> ObservedTwice(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an observation",
                         [](uint32_t, const Spots& spots, size_t i) {
                           return Observe(spots, i);
                         }));
  const Record record = At(trace, at);
  ++at.index;
  Insert(trace, at, {record});
  return PlantedAt(trace, at, "a block observes an event twice");
}

absl::StatusOr<Planted> GenerationSkipped(LoadedTrace& trace,
                                          SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at,
      PickRecord(trace, random, "a block that observes three events",
                 [](uint32_t, const Spots& spots, size_t i) {
                   return Observe(spots, i) && Before(spots, i) != nullptr &&
                          NextOf(spots, i, RecordKind::kObserve) < spots.size();
                 }));
  Erase(trace, at);
  at.index =
      NextOf(trace.streams[at.stream], at.index - 1, RecordKind::kObserve);
  return PlantedAt(trace, at, "a block skips an event");
}

absl::StatusOr<Planted> GenerationBack(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a block that observes three events",
                         [](uint32_t, const Spots& spots, size_t i) {
                           const Record* before =
                               Observe(spots, i) ? Before(spots, i) : nullptr;
                           return before != nullptr && before->value >= 2;
                         }));
  const Record* before = Before(trace.streams[at.stream], at.index);
  At(trace, at).value = 1 + random.Below(before->value - 1);
  return PlantedAt(trace, at, "a block observes an earlier event");
}

// Moves an observation behind the first tile end at which its block has
// completed more than was promised.
absl::StatusOr<Planted> PeriodOverrun(LoadedTrace& trace, SplitMix64& random) {
  const pb::TraceHeader& header = trace.header;
  const uint64_t stages =
      header.cell().site() == pb::BOUNDARY ? 0 : header.stages_per_tile();
  const uint64_t limit =
      uint64_t{header.cell().period()} * (1 + header.stale_looks());
  const auto overrun = [&](const Spots& spots, size_t i) {
    const uint64_t event = spots[i].record.value;
    const int64_t set = SetTime(trace, event);
    const int64_t visible =
        set + Tick(trace) +
        static_cast<int64_t>(header.visibility_allowance_ps());
    uint64_t passed = 0;
    int64_t begin = kNoTime;
    for (size_t j = 0; j < spots.size(); ++j) {
      const Record& record = spots[j].record;
      if (j > i && record.kind == RecordKind::kObserve) break;
      if (record.kind == RecordKind::kPop ||
          record.kind == RecordKind::kRestart) {
        begin = record.time_ps;
      }
      if (record.kind != RecordKind::kTileEnd || record.time_ps < visible) {
        continue;
      }
      passed += stages != 0 && begin >= visible ? stages : 1;
      if (passed <= limit) continue;
      // Late enough to break this promise, too early to break the bound.
      return j > i && record.time_ps - set <
                          static_cast<int64_t>(header.handoff_bound_ps())
                 ? j
                 : size_t{0};
    }
    return size_t{0};
  };
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random,
                         "an observation without a claim, with tiles behind it",
                         [&](uint32_t, const Spots& spots, size_t i) {
                           return Observe(spots, i) &&
                                  Before(spots, i) != nullptr &&
                                  !ClaimsIn(spots, spots[i].record.value) &&
                                  overrun(spots, i) > 0;
                         }));
  const size_t to = overrun(trace.streams[at.stream], at.index);
  Record late = At(trace, at);
  late.time_ps = At(trace, {at.stream, to}).time_ps;
  // The end at `to` moves up by one when the observation is taken out.
  Erase(trace, at);
  Insert(trace, {at.stream, to}, {late});
  return PlantedAt(trace, {at.stream, to - 1}, "a block overruns its period");
}

// Everything that a block does from an observation on is put off.
absl::StatusOr<Planted> LatencyOverBound(LoadedTrace& trace,
                                         SplitMix64& random) {
  if (trace.header.handoff_bound_ps() == 0) {
    return absl::FailedPreconditionError("needed is a handoff bound");
  }
  const auto followed = [&](const Spots& spots, int64_t time) {
    for (const auto& [stream, others] : trace.streams) {
      for (const Spot& spot : others) {
        if (spot.record.kind == RecordKind::kBlockStart &&
            spot.record.value == spots[0].record.value &&
            spot.record.time_ps + 2 * Tick(trace) > time) {
          return true;
        }
      }
    }
    return false;
  };
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at,
      PickRecord(trace, random,
                 "an observation by a block that neither sets nor is followed",
                 [&](uint32_t, const Spots& spots, size_t i) {
                   return Observe(spots, i) &&
                          NextOf(spots, 0, RecordKind::kFlagSet) ==
                              spots.size() &&
                          !followed(spots, spots[i].record.time_ps);
                 }));
  Spots& spots = trace.streams[at.stream];
  const int64_t late = SetTime(trace, At(trace, at).value) + Tick(trace) +
                       static_cast<int64_t>(trace.header.handoff_bound_ps());
  // In whole ticks, as the file has them.
  const int64_t tick = Tick(trace);
  const int64_t delay = (late - At(trace, at).time_ps) / tick * tick + tick;
  for (size_t i = at.index; i < spots.size(); ++i) {
    spots[i].record.time_ps += delay;
  }
  return PlantedAt(trace, at, "a block observes later than the bound");
}

absl::StatusOr<Planted> ObserveInWrongArm(LoadedTrace& trace,
                                          SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref set, PickSet(trace, random, 1));
  const Record record = At(trace, set);
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a worker block that outlives a set",
                         [&](uint32_t stream, const Spots& spots, size_t i) {
                           return IsWorker(trace, stream) && i > 0 &&
                                  spots[i].record.time_ps >= record.time_ps;
                         }));
  Insert(trace, at, {Record::Observe(At(trace, at).time_ps, record.value)});
  At(trace, at).time_ps =
      std::max(record.time_ps, At(trace, {at.stream, at.index - 1}).time_ps);
  return PlantedAt(trace, at,
                   "a worker block observes in an arm without looks");
}

}  // namespace

std::vector<MutationKind> EventMutations() {
  constexpr Verdict kBad = Verdict::kViolation;
  return {
      {"two_setters", "an event's set moves to another block", kInAny, kBad,
       "setter", TwoSetters, nullptr},
      {"set_twice", "an event is set twice", kInAny, kBad, "setter", SetTwice,
       nullptr},
      {"set_missing", "an event's set is taken away", kInAny, kBad, "setter",
       SetMissing, nullptr},
      {"event_too_many", "an event is set that was not promised", kInAny, kBad,
       "setter", OneEventTooMany, nullptr},
      {"effect_before_set", "a set moves behind its first effect", kInAny, kBad,
       "set_first", EffectBeforeSet, nullptr},
      {"observed_twice", "a block observes an event twice", kInCooperative,
       kBad, "generation", ObservedTwice, nullptr},
      {"generation_skipped", "an observation is taken away", kInCooperative,
       kBad, "generation", GenerationSkipped, nullptr},
      {"generation_back", "a block observes an earlier event", kInCooperative,
       kBad, "generation", GenerationBack, nullptr},
      {"period_overrun",
       "an observation moves behind more boundaries or stages than promised",
       kInCooperative, kBad, "checkpoint", PeriodOverrun, nullptr},
      {"latency_over_bound", "a block is put off until the bound is past",
       kInCooperative, kBad, "bound", LatencyOverBound, nullptr},
      {"observe_in_wrong_arm", "a worker block observes", kInNone | kInReserved,
       kBad, "site", ObserveInWrongArm, nullptr},
  };
}

}  // namespace tilebound::oracle
