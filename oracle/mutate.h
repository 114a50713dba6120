// Plants one fault in a valid trace, to see that the oracle catches it.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       MutatedTrace mutated, MutateTrace(reader, "task_twice", /*seed=*/7));
//   // mutated.bytes is a trace that breaks the rule exactly_once.
//
// Every kind declares in which arms it can be planted, what the verdict must be
// and which rule must be named first; docs/oracle.md has the table.
#ifndef TILEBOUND_ORACLE_MUTATE_H_
#define TILEBOUND_ORACLE_MUTATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "data/io/split_mix.h"
#include "data/io/table.h"
#include "data/trace/reader.h"
#include "oracle/check.h"
#include "oracle/loaded_trace.h"

namespace tilebound::oracle {

// What was planted, so that a witness can be held against it: a record that is
// wrong, or, where one was taken away, its ids.
struct Planted {
  std::string what;
  absl::optional<uint32_t> stream = absl::nullopt;
  absl::optional<Record> record = absl::nullopt;
  absl::optional<uint64_t> task = absl::nullopt;
  absl::optional<uint64_t> event = absl::nullopt;
};

enum ArmMask : uint32_t {
  kInNone = 1u << pb::NONE,
  kInCooperative = 1u << pb::COOPERATIVE,
  kInReserved = 1u << pb::RESERVED,
  kInAny = kInNone | kInCooperative | kInReserved,
};

struct MutationKind {
  std::string name;
  // What is done, in a few words.
  std::string fault;
  uint32_t arms;
  Verdict verdict;
  // "" with the verdict UNKNOWN.
  std::string rule;
  // kFailedPrecondition if the trace has nothing to do it to.
  absl::StatusOr<Planted> (*plant)(LoadedTrace& trace, SplitMix64& random);
  // Done to the file's bytes instead.
  absl::StatusOr<Planted> (*spoil)(std::string& bytes, SplitMix64& random);
};

const std::vector<MutationKind>& MutationKinds();

// The table of docs/oracle.md.
Table MutationsTable();

struct MutatedTrace {
  std::string bytes;
  Planted planted;
};

// Errors: an unknown kind (the nearest is named), an arm or a trace that the
// kind cannot be planted in, a trace that is not whole.
absl::StatusOr<MutatedTrace> MutateTrace(const TraceReader& reader,
                                         absl::string_view kind, uint64_t seed);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_MUTATE_H_
