// Faults of urgent work and of the claims on it.
#include <algorithm>

#include "data/io/status_macros.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

bool Is(const Spots& spots, size_t i, RecordKind kind) {
  return i < spots.size() && spots[i].record.kind == kind;
}

// An urgent begin whose end comes next.
bool Pair(uint32_t, const Spots& spots, size_t i) {
  return Is(spots, i, RecordKind::kUrgentBegin) &&
         Is(spots, i + 1, RecordKind::kUrgentEnd);
}

absl::StatusOr<Ref> PickPair(const LoadedTrace& trace, SplitMix64& random) {
  return PickRecord(trace, random, "an urgent tile", Pair);
}

absl::StatusOr<Planted> UrgentMissing(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickPair(trace, random));
  const uint64_t event = At(trace, at).value;
  Erase(trace, at, 2);
  return Planted{.what = "an urgent tile is not run", .event = event};
}

absl::StatusOr<Planted> UrgentTwice(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickPair(trace, random));
  at.index += 2;
  const Record end = At(trace, {at.stream, at.index - 1});
  Insert(trace, at,
         {Record::UrgentBegin(end.time_ps, end.value, end.detail), end});
  return PlantedAt(trace, at, "an urgent tile is run twice");
}

absl::StatusOr<Planted> UrgentTooMany(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickPair(trace, random));
  at.index += 2;
  const Record end = At(trace, {at.stream, at.index - 1});
  const uint32_t tile = trace.header.cell().urgent_tiles() +
                        static_cast<uint32_t>(random.Below(9));
  Insert(trace, at,
         {Record::UrgentBegin(end.time_ps, end.value, tile),
          Record::UrgentEnd(end.time_ps, end.value, tile)});
  return PlantedAt(trace, at, "one urgent tile too many is run");
}

absl::StatusOr<Planted> UrgentEndMissing(LoadedTrace& trace,
                                         SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(Ref at, PickPair(trace, random));
  Erase(trace, {at.stream, at.index + 1});
  return PlantedAt(trace, at, "an urgent tile does not end");
}

// The urgent work is left standing inside the tile that made room for it.
absl::StatusOr<Planted> UrgentInsideTile(LoadedTrace& trace,
                                         SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an abandoned tile",
                         [](uint32_t, const Spots& spots, size_t i) {
                           return Is(spots, i, RecordKind::kAbandon) &&
                                  Is(spots, i + 1, RecordKind::kUrgentBegin);
                         }));
  Erase(trace, {at.stream, NextOf(trace.streams[at.stream], at.index,
                                  RecordKind::kRestart)});
  Erase(trace, at);
  return PlantedAt(trace, at, "urgent work runs inside a tile");
}

bool Claim(const Spots& spots, size_t i) {
  return Is(spots, i, RecordKind::kClaim);
}

absl::StatusOr<Planted> TwoClaimants(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "an observation and an urgent tile",
                         [&](uint32_t, const Spots& spots, size_t i) {
                           return trace.header.cell().urgent_tiles() > 0 &&
                                  Is(spots, i, RecordKind::kObserve);
                         }));
  const Record observe = At(trace, at);
  ++at.index;
  Insert(trace, at,
         {Record::Claim(observe.time_ps, observe.value, 0, pb::BOUNDARY)});
  return PlantedAt(trace, at, "an event has two first claimants");
}

absl::StatusOr<Planted> NoClaimant(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a first claim",
                         [](uint32_t, const Spots& spots, size_t i) {
                           return Claim(spots, i) &&
                                  spots[i].record.detail == 0;
                         }));
  const uint64_t event = At(trace, at).value;
  Erase(trace, at);
  return Planted{.what = "an event has no first claimant", .event = event};
}

absl::StatusOr<Planted> UrgentUnclaimed(LoadedTrace& trace,
                                        SplitMix64& random) {
  const auto only_claim = [](const Spots& spots, size_t i) {
    return std::count_if(spots.begin(), spots.end(), [&](const Spot& spot) {
             return spot.record.kind == RecordKind::kClaim &&
                    spot.record.value == spots[i].record.value;
           }) == 1;
  };
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random,
                         "a block's only claim of an event, not the first",
                         [&](uint32_t, const Spots& spots, size_t i) {
                           return Claim(spots, i) &&
                                  spots[i].record.detail > 0 &&
                                  only_claim(spots, i);
                         }));
  Erase(trace, at);
  at.index =
      NextOf(trace.streams[at.stream], at.index - 1, RecordKind::kUrgentBegin);
  return PlantedAt(trace, at, "urgent work is run without a claim");
}

absl::StatusOr<Planted> ClaimTooSoon(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at,
      PickRecord(trace, random, "a claim straight after its observation",
                 [](uint32_t, const Spots& spots, size_t i) {
                   return i > 0 && Claim(spots, i) &&
                          Is(spots, i - 1, RecordKind::kObserve);
                 }));
  const Ref before = {at.stream, at.index - 1};
  std::swap(At(trace, before), At(trace, at));
  return PlantedAt(trace, before, "a block claims what it has not observed");
}

absl::StatusOr<Planted> WrongSite(LoadedTrace& trace, SplitMix64& random) {
  TILEBOUND_ASSIGN_OR_RETURN(
      Ref at, PickRecord(trace, random, "a claim",
                         [](uint32_t, const Spots& spots, size_t i) {
                           return Claim(spots, i);
                         }));
  Record& claim = At(trace, at);
  do {
    claim.site = pb::STAGE + random.Below(3);
  } while (claim.site == trace.header.cell().site());
  return PlantedAt(trace, at,
                   "a claim is made at a site that was not promised");
}

}  // namespace

std::vector<MutationKind> UrgentMutations() {
  constexpr Verdict kBad = Verdict::kViolation;
  return {
      {"urgent_missing", "an urgent tile's begin and end are taken away",
       kInAny, kBad, "urgent", UrgentMissing, nullptr},
      {"urgent_twice", "an urgent tile is run twice", kInAny, kBad, "urgent",
       UrgentTwice, nullptr},
      {"urgent_too_many", "an urgent tile past the promised ones is run",
       kInAny, kBad, "urgent", UrgentTooMany, nullptr},
      {"urgent_end_missing", "an urgent tile's end is taken away", kInAny, kBad,
       "overlap", UrgentEndMissing, nullptr},
      {"urgent_inside_tile", "an abandon and its restart are taken away",
       kInCooperative, kBad, "overlap", UrgentInsideTile, nullptr},
      {"two_claimants", "a second block claims an event's first tile",
       kInCooperative, kBad, "claim", TwoClaimants, nullptr},
      {"no_claimant", "an event's first claim is taken away", kInCooperative,
       kBad, "claim", NoClaimant, nullptr},
      {"urgent_unclaimed", "a block's only claim of an event is taken away",
       kInCooperative, kBad, "claim", UrgentUnclaimed, nullptr},
      {"claim_too_soon", "a claim moves before its observation", kInCooperative,
       kBad, "claim", ClaimTooSoon, nullptr},
      {"wrong_site", "a claim names a site that was not promised",
       kInCooperative, kBad, "site", WrongSite, nullptr},
  };
}

}  // namespace tilebound::oracle
