#include "validate/findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilebound::validate {
namespace {

using ReasonCounts = std::map<std::pair<std::string, std::string>, size_t>;

std::vector<ReasonCount> Sorted(const ReasonCounts& counts) {
  std::vector<ReasonCount> sorted;
  for (const auto& [key, count] : counts) {
    sorted.push_back({key.first, key.second, count});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ReasonCount& a, const ReasonCount& b) {
                     return a.count > b.count;
                   });
  return sorted;
}

void AddConditionNotes(const Input& input, absl::string_view side,
                       std::vector<std::string>& notes) {
  const pb::Conditions& conditions = input.surface.conditions();
  if (input.surface.cells_size() > 0 && conditions.sm_clock_mhz() <= 0) {
    notes.push_back(absl::StrCat(
        side, " ", input.path,
        " does not state its SM clock, so that clocks could not be checked"));
  }
}

// What sets two surfaces apart that were compared all the same.
void AddPairNotes(const Input& predicted, const Input& measured,
                  std::vector<std::string>& notes) {
  const pb::Conditions& p = predicted.surface.conditions();
  const pb::Conditions& m = measured.surface.conditions();
  if (p.timer_quantum_ps() != 0 && m.timer_quantum_ps() != 0 &&
      p.timer_quantum_ps() != m.timer_quantum_ps()) {
    notes.push_back(
        absl::StrCat(predicted.path, " floors to ", p.timer_quantum_ps(),
                     " ps but ", measured.path, " to ", m.timer_quantum_ps(),
                     " ps: differences under the larger one mean nothing"));
  }
}

void Accumulate(Findings& findings) {
  ReasonCounts reasons;
  std::map<std::string, AccuracyTable> baselines;
  std::set<std::pair<size_t, size_t>> pairs;
  std::map<std::string, size_t> few;
  std::vector<std::pair<double, ComparisonRef>> errors;
  const auto& cells = findings.comparisons.cells;
  std::set<std::pair<size_t, int>> covered;
  for (size_t c = 0; c < cells.size(); ++c) {
    const CellComparison& cell = cells[c];
    const pb::Surface& predicted = findings.PredictedOf(cell);
    const bool baseline = IsBaseline(predicted);
    pairs.emplace(cell.predicted, cell.measured);
    bool judged = false;
    for (size_t i = 0; i < cell.comparisons.size(); ++i) {
      const Comparison& comparison = cell.comparisons[i];
      if (baseline) {
        if (comparison.soft_reason.empty()) {
          baselines[predicted.conditions().sharing()].Add(comparison);
        }
        continue;
      }
      (comparison.soft_reason.empty() ? findings.sound : findings.soft)
          .Add(comparison);
      if (!comparison.compared()) {
        ++reasons[{comparison.Name(), comparison.reason}];
        continue;
      }
      judged = true;
      if (comparison.few_events) ++few[comparison.Name()];
      const auto error = comparison.RelativeError();
      if (error && comparison.soft_reason.empty()) {
        errors.push_back({std::abs(*error), {c, i}});
      }
    }
    if (judged) covered.emplace(cell.measured, cell.measured_cell);
  }
  findings.coverage.compared_cells = covered.size();
  for (const OneSidedCell& cell : findings.comparisons.one_sided) {
    const bool measured = cell.side == Side::kMeasured;
    ++(measured ? findings.coverage.measured_only
                : findings.coverage.predicted_only);
    ++reasons[{measured ? "measured cell" : "predicted cell", cell.reason}];
  }
  findings.coverage.reasons = Sorted(reasons);
  for (auto& [sharing, accuracy] : baselines) {
    findings.baselines.push_back({sharing, std::move(accuracy)});
  }
  const size_t kept = std::min(kWorstKept, errors.size());
  std::partial_sort(
      errors.begin(), errors.begin() + kept, errors.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; i < kept; ++i) findings.worst.push_back(errors[i].second);
  for (const auto& [p, m] : pairs) {
    const Input& predicted = findings.inputs.predicted[p];
    const Input& measured = findings.inputs.measured[m];
    AddPairNotes(predicted, measured, findings.notes);
    findings.standings.push_back(
        {p, m,
         StandingOf(findings.inputs.registry, predicted, measured.surface)});
  }
  for (const auto& [name, count] : few) {
    findings.notes.push_back(
        absl::StrCat(name, " rests on fewer than 10,000 events in ", count,
                     count == 1 ? " cell" : " cells"));
  }
}

void SummarizeModel(Findings& findings) {
  std::vector<const CellComparison*> model;
  std::vector<const pb::CellKey*> keys;
  std::vector<std::pair<double, DistanceRef>> distances;
  const auto& cells = findings.comparisons.cells;
  for (size_t c = 0; c < cells.size(); ++c) {
    if (IsBaseline(findings.PredictedOf(cells[c]))) continue;
    model.push_back(&cells[c]);
    keys.push_back(&cells[c].key);
    for (size_t d = 0; d < cells[c].distances.size(); ++d) {
      distances.push_back({cells[c].distances[d].distance.relative, {c, d}});
    }
  }
  findings.by_axis = SummarizeByAxis(model);
  findings.varying = VaryingAxes(keys);
  if (findings.varying.empty()) findings.varying = Axes();
  const size_t kept = std::min(kWorstKept, distances.size());
  std::partial_sort(
      distances.begin(), distances.begin() + kept, distances.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  for (size_t i = 0; i < kept; ++i) {
    findings.furthest.push_back(distances[i].second);
  }
}

bool AnyOf(const AccuracyTable& table, bool (*holds)(const Accuracy&)) {
  return std::any_of(
      table.entries().begin(), table.entries().end(),
      [&](const MetricAccuracy& entry) { return holds(entry.accuracy); });
}

}  // namespace

bool Findings::AnyDisagreement() const {
  return AnyOf(sound, [](const Accuracy& accuracy) {
    return accuracy.optimistic() + accuracy.pessimistic() > 0;
  });
}

bool Findings::AnyCompared() const {
  return AnyOf(
      sound, [](const Accuracy& accuracy) { return accuracy.compared() > 0; });
}

bool Findings::AnyHypothesisUnwelcome() const {
  return std::any_of(
      hypotheses.begin(), hypotheses.end(), [](const HypothesisResult& result) {
        return result.outcome != Outcome::kUntested && !result.Welcome();
      });
}

Findings Find(ReportInputs inputs) {
  Findings findings;
  findings.inputs = std::move(inputs);
  findings.comparisons =
      CompareSurfaces(findings.inputs.predicted, findings.inputs.measured,
                      findings.inputs.tolerances);
  for (const Input& input : findings.inputs.predicted) {
    if (!IsBaseline(input.surface)) {
      findings.coverage.predicted_cells += input.surface.cells_size();
    }
    AddConditionNotes(input, "prediction", findings.notes);
  }
  for (const Input& input : findings.inputs.measured) {
    findings.coverage.measured_cells += input.surface.cells_size();
    AddConditionNotes(input, "measurement", findings.notes);
  }
  Accumulate(findings);
  SummarizeModel(findings);
  findings.hypotheses =
      Decide(findings.inputs.hypotheses, findings.inputs.measured);
  return findings;
}

}  // namespace tilebound::validate
