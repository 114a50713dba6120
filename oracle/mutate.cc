#include "oracle/mutate.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/cell_key.h"
#include "oracle/mutations/plant.h"

namespace tilebound::oracle {
namespace {

std::string ArmNames(uint32_t arms) {
  std::vector<std::string> names;
  for (const pb::Arm arm : {pb::NONE, pb::COOPERATIVE, pb::RESERVED}) {
    if ((arms >> arm) & 1) names.push_back(ArmName(arm));
  }
  return absl::StrJoin(names, " ");
}

absl::StatusOr<const MutationKind*> FindKind(absl::string_view name) {
  std::vector<std::string> names;
  for (const MutationKind& kind : MutationKinds()) {
    if (kind.name == name) return &kind;
    names.push_back(kind.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--mutate=", name, " is not known", DidYouMean(name, names),
                   "; --list_mutations lists what is accepted"));
}

}  // namespace

const std::vector<MutationKind>& MutationKinds() {
  static const auto* kinds = [] {
    auto* all = new std::vector<MutationKind>;
    for (auto list : {TaskMutations(), BlockMutations(), EventMutations(),
                      UrgentMutations(), RecorderMutations()}) {
      all->insert(all->end(), list.begin(), list.end());
    }
    return all;
  }();
  return *kinds;
}

Table MutationsTable() {
  Table table({"mutation", "fault", "arms", "verdict", "first_rule"});
  for (const MutationKind& kind : MutationKinds()) {
    table.AddRow({kind.name, kind.fault, ArmNames(kind.arms),
                  std::string(VerdictName(kind.verdict)),
                  kind.rule.empty() ? "-" : kind.rule});
  }
  return table;
}

absl::StatusOr<MutatedTrace> MutateTrace(const TraceReader& reader,
                                         absl::string_view kind_name,
                                         uint64_t seed) {
  TILEBOUND_ASSIGN_OR_RETURN(const MutationKind* kind, FindKind(kind_name));
  const pb::Arm arm = reader.header().cell().arm();
  if (((kind->arms >> arm) & 1) == 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("--mutate=", kind_name, " cannot be planted in the arm ",
                     ArmName(arm), "; accepted: ", ArmNames(kind->arms)));
  }
  TILEBOUND_ASSIGN_OR_RETURN(LoadedTrace trace, LoadTrace(reader));
  SplitMix64 random(seed);
  MutatedTrace mutated;
  if (kind->plant != nullptr) {
    TILEBOUND_ASSIGN_OR_RETURN(mutated.planted, kind->plant(trace, random));
  }
  TILEBOUND_ASSIGN_OR_RETURN(mutated.bytes, TraceBytes(trace));
  if (kind->spoil != nullptr) {
    TILEBOUND_ASSIGN_OR_RETURN(mutated.planted,
                               kind->spoil(mutated.bytes, random));
  }
  return mutated;
}

}  // namespace tilebound::oracle
