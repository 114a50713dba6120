// What the mutations have in common: finding a place for the fault, and putting
// records in or taking them away so that only the fault is wrong.
#ifndef TILEBOUND_ORACLE_MUTATIONS_PLANT_H_
#define TILEBOUND_ORACLE_MUTATIONS_PLANT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "oracle/mutate.h"

namespace tilebound::oracle {

// A record of a loaded trace.
struct Ref {
  uint32_t stream;
  size_t index;
};

using Spots = std::vector<Spot>;

// Tells whether spots[index] of a stream will do.
using Fits =
    std::function<bool(uint32_t stream, const Spots& spots, size_t index)>;

// A random record that will do; kFailedPrecondition, saying what is needed, if
// there is none.
absl::StatusOr<Ref> PickRecord(const LoadedTrace& trace, SplitMix64& random,
                               const std::string& needed, const Fits& fits);

// Puts records in before `index`, or takes some away, and numbers the stream
// anew.
void Insert(LoadedTrace& trace, Ref at, const std::vector<Record>& records);
void Erase(LoadedTrace& trace, Ref at, size_t count = 1);

inline Record& At(LoadedTrace& trace, Ref at) {
  return trace.streams[at.stream][at.index].record;
}

inline Planted PlantedAt(LoadedTrace& trace, Ref at, std::string what) {
  return {
      .what = std::move(what), .stream = at.stream, .record = At(trace, at)};
}

// The least time that surely separates two stamps of the trace.
int64_t Tick(const LoadedTrace& trace);

// Set time of an event; kNoTime if it is not set.
inline constexpr int64_t kNoTime = INT64_MIN;
int64_t SetTime(const LoadedTrace& trace, uint64_t event);

// Whether the stream holds a worker block.
inline bool IsWorker(const LoadedTrace& trace, uint32_t stream) {
  return stream < trace.header.blocks();
}

// Index of the first record of a kind behind `index`, or the stream's size.
size_t NextOf(const Spots& spots, size_t index, RecordKind kind);

// Lists of kinds, by what they are about; mutate.cc joins them.
std::vector<MutationKind> TaskMutations();
std::vector<MutationKind> BlockMutations();
std::vector<MutationKind> EventMutations();
std::vector<MutationKind> UrgentMutations();
std::vector<MutationKind> RecorderMutations();

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_MUTATIONS_PLANT_H_
