// Everything that a report says, before it is rendered in any format.
//
//   Findings findings = Find(std::move(inputs));
//   RenderMarkdown(findings);
#ifndef TILEBOUND_VALIDATE_FINDINGS_H_
#define TILEBOUND_VALIDATE_FINDINGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "data/schema/hypothesis.pb.h"
#include "data/schema/registry.pb.h"
#include "data/schema/tolerances.pb.h"
#include "validate/axes.h"
#include "validate/axis_summary.h"
#include "validate/compare.h"
#include "validate/comparison.h"
#include "validate/hypotheses.h"
#include "validate/registry.h"
#include "validate/statistics.h"

namespace tilebound::validate {

struct ReportInputs {
  std::vector<Input> predicted;
  std::vector<Input> measured;
  pb::Tolerances tolerances;
  std::string tolerances_path;
  // Empty where none were given.
  pb::Hypotheses hypotheses;
  std::string hypotheses_path;
  pb::Registry registry;
};

// The same reason, counted.
struct ReasonCount {
  // Metric and quantile, or "measured cell" / "predicted cell".
  std::string what;
  std::string reason;
  size_t count;
};

struct Coverage {
  // Cells of the measured surfaces, and those of them for which the model gave
  // at least one number that was judged.
  size_t measured_cells = 0;
  size_t compared_cells = 0;
  size_t predicted_cells = 0;
  size_t measured_only = 0;
  size_t predicted_only = 0;
  // Most frequent first.
  std::vector<ReasonCount> reasons;
};

// A comparison by its place.
struct ComparisonRef {
  size_t cell;
  size_t comparison;
};

// A distance by its place.
struct DistanceRef {
  size_t cell;
  size_t distance;
};

// How the comparison of two inputs stands to the registry.
struct PairStanding {
  size_t predicted;
  size_t measured;
  Standing standing;
};

struct BaselineAccuracy {
  // Sharing law: "fair", "iid".
  std::string sharing;
  AccuracyTable accuracy;
};

struct Findings {
  ReportInputs inputs;
  Comparisons comparisons;
  Coverage coverage;
  // The model against sound figures, and against soft ones.
  AccuracyTable sound;
  AccuracyTable soft;
  std::vector<BaselineAccuracy> baselines;
  // The model's sound figures along each axis that varies.
  std::vector<AxisAccuracy> by_axis;
  // The axes on which the model's cells differ; all axes where none does.
  std::vector<Axis> varying;
  std::vector<HypothesisResult> hypotheses;
  // Pairs of inputs that share a cell.
  std::vector<PairStanding> standings;
  // The model's distributions with the largest relative distance first.
  std::vector<DistanceRef> furthest;
  // Sound comparisons of the model with the largest relative errors first.
  std::vector<ComparisonRef> worst;
  // Things to know before believing the numbers: clocks unknown, timers that
  // differ, tails from few events.
  std::vector<std::string> notes;

  const pb::Surface& PredictedOf(const CellComparison& cell) const {
    return inputs.predicted[cell.predicted].surface;
  }
  const pb::Surface& MeasuredOf(const CellComparison& cell) const {
    return inputs.measured[cell.measured].surface;
  }
  // Whether the model's sound figures disagree anywhere.
  bool AnyDisagreement() const;
  // Whether the model was compared in at least one sound figure.
  bool AnyCompared() const;
  // Whether a hypothesis came out other than hoped for.
  bool AnyHypothesisUnwelcome() const;
};

// How many of the worst are kept.
inline constexpr size_t kWorstKept = 10;

// The inputs must be valid, as ReadFile makes sure.
Findings Find(ReportInputs inputs);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_FINDINGS_H_
