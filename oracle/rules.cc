#include "oracle/rules.h"

#include "oracle/rules/make.h"

namespace tilebound::oracle {

const std::vector<RuleInfo>& AllRules() {
  static const auto* rules = new std::vector<RuleInfo>{
      {"promise", "The header promises what --expect asks for.", MakePromise},
      {"sequence",
       "The records of a block are numbered without a gap, but for drops that "
       "are declared with their number.",
       MakeSequence},
      {"clock",
       "No record of a block is earlier than the one before it; no tile ends "
       "before it begins.",
       MakeClock},
      {"life",
       "A block starts once, on one SM, and acts between its start and its "
       "exit "
       "only.",
       MakeLife},
      {"residency",
       "No SM holds more blocks at a time than was promised, and each starts "
       "in "
       "the slot of its rank by age.",
       MakeResidency},
      {"restart",
       "An abandoned tile is restarted next by the block that abandoned it, "
       "and "
       "nothing else is restarted.",
       MakeRestart},
      {"overlap",
       "A block has one tile or one urgent tile in hand at a time, and ends "
       "what it began.",
       MakeOverlap},
      {"exactly_once", "Each task is executed once, and no other.",
       MakeExactlyOnce},
      {"setter",
       "One setter sets the generations 1, 2, 3, ... in order, each once, and "
       "as many as was promised.",
       MakeSetter},
      {"site",
       "Urgent work is run by the blocks and at the sites that the arm and the "
       "site allow.",
       MakeSite},
      {"set_first",
       "Nothing is observed, claimed or run for an event before it is set.",
       MakeSetFirst},
      {"generation",
       "A block observes each generation that is set in its life once, in "
       "order, skipping none.",
       MakeGeneration},
      {"urgent", "Each urgent tile of each event is run once, and no other.",
       MakeUrgent},
      {"claim",
       "Each event has one first claimant; a block claims what it has "
       "observed, "
       "no tile is claimed twice, and urgent work is run by claimants.",
       MakeClaim},
      {"bound",
       "The last block observes an event within the handoff bound, where one "
       "is "
       "given (setter excluded).",
       MakeBound},
      {"checkpoint",
       "After a set is surely visible a block completes no more boundaries "
       "than "
       "its period (stages, at sites inside a tile) before it observes.",
       MakeCheckpoint},
  };
  return *rules;
}

}  // namespace tilebound::oracle
