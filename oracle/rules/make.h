// One maker for each rule; oracle/rules.cc puts them in order.
#ifndef TILEBOUND_ORACLE_RULES_MAKE_H_
#define TILEBOUND_ORACLE_RULES_MAKE_H_

#include <memory>

#include "oracle/rule.h"

namespace tilebound::oracle {

std::unique_ptr<Rule> MakePromise(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeSequence(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeClock(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeLife(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeRestart(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeOverlap(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeResidency(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeExactlyOnce(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeSetter(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeSite(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeSetFirst(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeGeneration(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeUrgent(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeClaim(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeBound(const TraceFacts& facts, TaskSet& tasks);
std::unique_ptr<Rule> MakeCheckpoint(const TraceFacts& facts, TaskSet& tasks);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_RULES_MAKE_H_
