// All rules, in the order in which a report names them: what makes a trace
// unreadable comes before what a reader then misreads, so that the first rule
// named is the one to look at.
//
//   for (const RuleInfo& info : AllRules()) {
//     std::unique_ptr<Rule> rule = info.make(facts, tasks);
//   }
#ifndef TILEBOUND_ORACLE_RULES_H_
#define TILEBOUND_ORACLE_RULES_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "oracle/rule.h"

namespace tilebound::oracle {

struct RuleInfo {
  absl::string_view name;
  // One sentence.
  absl::string_view promise;
  std::unique_ptr<Rule> (*make)(const TraceFacts& facts, TaskSet& tasks);
};

const std::vector<RuleInfo>& AllRules();

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_RULES_H_
