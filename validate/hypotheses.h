// Decides hypotheses on measured cells: HOLDS, FAILS, UNTESTED, with the
// evidence.
//
//   for (const HypothesisResult& result : Decide(hypotheses, measured)) ...
#ifndef TILEBOUND_VALIDATE_HYPOTHESES_H_
#define TILEBOUND_VALIDATE_HYPOTHESES_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/schema/hypothesis.pb.h"
#include "validate/comparison.h"

namespace tilebound::validate {

enum class Outcome { kHolds, kFails, kUntested };

// "HOLDS", "FAILS", "UNTESTED".
std::string OutcomeName(Outcome outcome);

// A measured value that a clause was tested on, in the clause's scale.
struct Evidence {
  double value;
  // Index into the measured inputs.
  size_t input;
  pb::CellKey key;
  uint64_t n;
  bool soft;
};

struct ClauseResult {
  // "overhead <= 10 percent in every cell with site=boundary".
  std::string text;
  Outcome outcome = Outcome::kUntested;
  // Cells that were tested, and those that satisfied the clause.
  size_t tested = 0;
  size_t satisfied = 0;
  // What decided it: for EVERY the value nearest to the threshold or furthest
  // beyond it, for SOME the one that is best for the clause.
  std::optional<Evidence> evidence;
};

struct HypothesisResult {
  pb::Hypothesis hypothesis;
  Outcome outcome = Outcome::kUntested;
  std::vector<ClauseResult> clauses;
  // Whether the outcome is the one hoped for; false for UNTESTED.
  bool Welcome() const;
};

// `hypotheses` must be valid. Soft figures count as
// evidence, because a source that warns about a figure still published it; the
// evidence says so. Baselines and predictions are never evidence.
std::vector<HypothesisResult> Decide(const pb::Hypotheses& hypotheses,
                                     const std::vector<Input>& measured);

// "overhead <= 10 percent in every cell with site=boundary".
std::string ClauseText(const pb::Clause& clause);

// Whether the key has one of the filter's values on its axis.
bool Matches(const pb::AxisFilter& filter, const pb::CellKey& key);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_HYPOTHESES_H_
