#include "oracle/expect.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "data/schema/cell_key.h"

namespace tilebound::oracle {
namespace {

using Getter = std::string (*)(const pb::TraceHeader&);

const std::vector<std::pair<std::string, Getter>>& Promises() {
  using Header = pb::TraceHeader;
  static const auto* promises = new std::vector<std::pair<std::string, Getter>>{
      {"arm", [](const Header& h) { return ArmName(h.cell().arm()); }},
      {"site", [](const Header& h) { return SiteName(h.cell().site()); }},
      {"period",
       [](const Header& h) { return absl::StrCat(h.cell().period()); }},
      {"urgent_tiles",
       [](const Header& h) { return absl::StrCat(h.cell().urgent_tiles()); }},
      {"setter", [](const Header& h) { return SetterName(h.cell().setter()); }},
      {"blocks", [](const Header& h) { return absl::StrCat(h.blocks()); }},
      {"blocks_per_sm",
       [](const Header& h) { return absl::StrCat(h.blocks_per_sm()); }},
      {"tasks", [](const Header& h) { return absl::StrCat(h.tasks()); }},
      {"events", [](const Header& h) { return absl::StrCat(h.events()); }},
      {"stages_per_tile",
       [](const Header& h) { return absl::StrCat(h.stages_per_tile()); }},
      {"stale_looks",
       [](const Header& h) { return absl::StrCat(h.stale_looks()); }},
      {"quantum_ps",
       [](const Header& h) { return absl::StrCat(h.quantum_ps()); }},
      {"visibility_allowance_ps",
       [](const Header& h) {
         return absl::StrCat(h.visibility_allowance_ps());
       }},
      {"handoff_bound_ps",
       [](const Header& h) { return absl::StrCat(h.handoff_bound_ps()); }},
      {"stage_bound_ps",
       [](const Header& h) { return absl::StrCat(h.stage_bound_ps()); }},
  };
  return *promises;
}

}  // namespace

const std::vector<std::string>& PromiseNames() {
  static const auto* names = [] {
    auto* list = new std::vector<std::string>;
    for (const auto& [name, getter] : Promises()) list->push_back(name);
    return list;
  }();
  return *names;
}

std::string PromisedValue(const pb::TraceHeader& header,
                          absl::string_view name) {
  for (const auto& [known, getter] : Promises()) {
    if (known == name) return getter(header);
  }
  return "";
}

absl::StatusOr<std::vector<Expectation>> ParseExpectations(
    absl::string_view text) {
  std::vector<Expectation> expectations;
  for (absl::string_view item : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> pair =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    const auto& names = PromiseNames();
    if (std::find(names.begin(), names.end(), pair.first) == names.end() ||
        pair.second.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--expect: \"", item,
                       "\" is not accepted; accepted are NAME=VALUE "
                       "with a name of ",
                       absl::StrJoin(names, ", ")));
    }
    // Of a promise that is a number only a number can be expected.
    uint64_t number = 0;
    if (absl::SimpleAtoi(PromisedValue(pb::TraceHeader(), pair.first),
                         &number) &&
        !absl::SimpleAtoi(pair.second, &number)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--expect: \"", item, "\" is not accepted; ", pair.first,
                       " is a whole number"));
    }
    expectations.push_back({pair.first, pair.second});
  }
  return expectations;
}

}  // namespace tilebound::oracle
