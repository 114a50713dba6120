#include "validate/sections.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/schema/cell_key.h"
#include "validate/axes.h"
#include "validate/cell_table.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

double Rounded(double value) { return std::round(value * 1e4) / 1e4; }

// Lists longer than this end with how many more there are.
constexpr size_t kOneSidedShown = 200;
constexpr size_t kChangesShown = 20;

std::string EvidenceText(const ClauseResult& clause,
                         const std::vector<Input>& measured) {
  std::string text =
      absl::StrCat(clause.text, ": ", OutcomeName(clause.outcome));
  if (!clause.evidence) return text;
  const Evidence& evidence = *clause.evidence;
  absl::StrAppend(
      &text, " (", clause.satisfied, " of ", clause.tested,
      " cells; decided by ", ShortestDouble(Rounded(evidence.value)), " in ",
      measured[evidence.input].surface.name(),
      ", blocks=", evidence.key.blocks(), " period=", evidence.key.period());
  if (evidence.n > 0) absl::StrAppend(&text, ", n = ", evidence.n);
  if (evidence.soft) absl::StrAppend(&text, ", a soft figure");
  return absl::StrCat(text, ")");
}

Section CoverageSection(const Findings& findings) {
  Table table({"count", "what", "why it was not compared"});
  for (const ReasonCount& reason : findings.coverage.reasons) {
    table.AddRow({uint64_t{reason.count}, reason.what, reason.reason});
  }
  return {"coverage",
          "Coverage",
          {absl::StrCat(CoverageLine(findings.coverage), ".")},
          std::move(table)};
}

Section AccuracySection(const Findings& findings) {
  return {"accuracy",
          "Accuracy",
          {"Mean error is the mean of |predicted - measured| / measured; for "
           "figures that are percentages themselves it is the mean difference "
           "in points. A figure is within its band when the prediction is "
           "within one timer quantum or the declared tolerance of the measured "
           "value; it agrees when the band, widened by the order-statistic "
           "interval of the measured quantile, holds it. r is Pearson's "
           "correlation."},
          SummaryTable(AllAccuracies(findings))};
}

Section CellsSection(const Findings& findings) {
  Section section = {"cells", "Cells", {}, ReadableCellTable(findings)};
  const size_t all = ModelCells(findings).size();
  if (all > section.table.rows().size()) {
    section.paragraphs.push_back(
        absl::StrCat("The first ", section.table.rows().size(), " of ", all,
                     " cells; report.json has all of them."));
  }
  return section;
}

Section OneSidedSection(const Findings& findings) {
  Table table({"side", "surface", "cell", "why"});
  const auto& cells = findings.comparisons.one_sided;
  for (size_t i = 0; i < cells.size() && i < kOneSidedShown; ++i) {
    const bool measured = cells[i].side == Side::kMeasured;
    const auto& inputs =
        measured ? findings.inputs.measured : findings.inputs.predicted;
    table.AddRow({std::string(measured ? "measured" : "predicted"),
                  inputs[cells[i].input].surface.name(),
                  CanonicalText(cells[i].key), cells[i].reason});
  }
  Section section = {
      "one-sided", "Cells that only one side has", {}, std::move(table)};
  if (cells.size() > kOneSidedShown) {
    section.paragraphs.push_back(
        absl::StrCat("The first ", kOneSidedShown, " of ", cells.size(), "."));
  } else if (cells.empty()) {
    section.paragraphs.push_back("None.");
  }
  return section;
}

Section ConditionsSection(const Findings& findings) {
  Table table({"side", "surface", "file", "kind", "cells", "clock MHz", "hold",
               "build", "card", "events", "quantum ps", "sharing", "fidelity",
               "sha256", "source"});
  const auto add = [&](const char* side, const std::vector<Input>& inputs) {
    for (const Input& input : inputs) {
      const pb::Surface& s = input.surface;
      const pb::Conditions& c = s.conditions();
      TableValue clock;
      if (c.sm_clock_mhz() > 0) clock = c.sm_clock_mhz();
      table.AddRow(
          {std::string(side), s.name(), input.path,
           pb::Provenance::Kind_Name(s.provenance().kind()),
           int64_t{s.cells_size()}, clock, c.clock_hold(), c.build(), c.card(),
           uint64_t{c.events()}, uint64_t{c.timer_quantum_ps()}, c.sharing(),
           c.fidelity(), input.sha256.substr(0, 12),
           s.provenance().citation().empty() ? s.provenance().tool()
                                             : s.provenance().citation()});
    }
  };
  add("predicted", findings.inputs.predicted);
  add("measured", findings.inputs.measured);
  return {"inputs",
          "Inputs and conditions",
          {absl::StrCat("Tolerances: ", findings.inputs.tolerances_path, ".")},
          std::move(table)};
}

Section HypothesesSection(const Findings& findings) {
  Table table({"id", "outcome", "statement", "fixed", "evidence", "source"});
  size_t counts[3] = {0, 0, 0};
  for (const HypothesisResult& result : findings.hypotheses) {
    ++counts[static_cast<int>(result.outcome)];
    std::vector<std::string> evidence;
    for (const ClauseResult& clause : result.clauses) {
      evidence.push_back(EvidenceText(clause, findings.inputs.measured));
    }
    std::string statement = result.hypothesis.statement();
    if (result.hypothesis.falsifier()) {
      absl::StrAppend(&statement, " (Would refute the work: FAILS is good.)");
    }
    if (!result.hypothesis.note().empty()) {
      absl::StrAppend(&statement, " Note: ", result.hypothesis.note());
    }
    table.AddRow({result.hypothesis.id(), OutcomeName(result.outcome),
                  statement, result.hypothesis.date(),
                  absl::StrJoin(evidence, "; "), result.hypothesis.source()});
  }
  return {"hypotheses",
          "Hypotheses",
          {absl::StrCat(counts[0], " hold, ", counts[1], " fail, ", counts[2],
                        " are untested; from ", findings.inputs.hypotheses_path,
                        ".")},
          std::move(table)};
}

Section AxisSection(const Findings& findings) {
  Table table(
      {"axis", "value", "metric", "compared", "agree", "mean error", "bias"});
  for (const AxisAccuracy& entry : findings.by_axis) {
    for (const MetricAccuracy& metric : entry.accuracy.entries()) {
      const Accuracy& a = metric.accuracy;
      if (a.compared() == 0 || !a.mape()) continue;
      std::string name = metric.metric->name;
      if (metric.q > 0) absl::StrAppend(&name, " ", QuantileName(metric.q));
      table.AddRow({entry.axis, entry.value, name, uint64_t{a.compared()},
                    uint64_t{a.agrees()}, Percent(a.mape()),
                    SignedPercent(a.bias())});
    }
  }
  return {"axes", "Accuracy along the axes", {}, std::move(table)};
}

Section DistanceSection(const Findings& findings) {
  Table table({"cell", "metric", "mean shift us", "of the mean", "largest gap",
               "from p <= 0.05", "from the body", "from p > 0.95"});
  for (const DistanceRef& ref : findings.furthest) {
    const CellComparison& cell = findings.comparisons.cells[ref.cell];
    const MetricDistance& entry = cell.distances[ref.distance];
    const DistributionDistance& d = entry.distance;
    table.AddRow({ShortKey(findings.varying, cell.key), entry.metric->name,
                  d.mean_shift_us, Percent(d.relative), d.largest_gap,
                  Percent(d.low_share), Percent(d.body_share),
                  Percent(d.tail_share)});
  }
  return {
      "distances",
      "Distributions furthest apart",
      {"Mean shift is the mean over p of the difference of the two quantile "
       "functions (Wasserstein-1); largest gap is Kolmogorov-Smirnov's. The "
       "shares say where the shift comes from."},
      std::move(table)};
}

Section StandingSection(const Findings& findings) {
  Table table({"prediction", "measurement", "standing", "why"});
  for (const PairStanding& pair : findings.standings) {
    table.AddRow(
        {findings.inputs.predicted[pair.predicted].surface.name(),
         findings.inputs.measured[pair.measured].surface.name(),
         std::string(pair.standing.registered ? "REGISTERED" : "POST HOC"),
         pair.standing.reason});
  }
  return {"standing", "Registered or post hoc", {}, std::move(table)};
}

Section DiffSection(const Findings& findings, const BaselineDiff& diff) {
  Table table({"change", "cell", "metric", "error before", "error now",
               "verdict before", "verdict now"});
  const auto add = [&](const char* word,
                       const std::vector<FigureChange>& changes) {
    for (size_t i = 0; i < changes.size() && i < kChangesShown; ++i) {
      const CellComparison& cell =
          findings.comparisons.cells[changes[i].now.cell];
      const Comparison& now = cell.comparisons[changes[i].now.comparison];
      const EarlierFigure& before = changes[i].before;
      table.AddRow({std::string(word), ShortKey(findings.varying, cell.key),
                    now.Name(), before.predicted - before.measured,
                    *now.predicted - *now.measured, before.verdict,
                    VerdictName(now.verdict)});
    }
  };
  add("worse", diff.worse);
  add("better", diff.better);
  return {"changes",
          "Since the earlier report",
          {absl::StrCat(diff.worse.size(), " figures are worse and ",
                        diff.better.size(), " better beyond noise, ",
                        diff.unchanged, " are as before; ", diff.added,
                        " are new and ", diff.gone, " are gone. Compared with ",
                        diff.path, ".")},
          std::move(table)};
}

}  // namespace

std::vector<Section> ReportSections(const Findings& findings,
                                    const BaselineDiff* diff) {
  std::vector<Section> sections;
  sections.push_back(CoverageSection(findings));
  if (!findings.notes.empty()) {
    sections.push_back(
        {"notes", "Before you believe it", findings.notes, Table({})});
  }
  sections.push_back(AccuracySection(findings));
  if (diff != nullptr) sections.push_back(DiffSection(findings, *diff));
  if (!findings.hypotheses.empty()) {
    sections.push_back(HypothesesSection(findings));
  }
  sections.push_back(CellsSection(findings));
  sections.push_back({"worst", "Largest errors", {}, WorstTable(findings)});
  if (!findings.by_axis.empty()) sections.push_back(AxisSection(findings));
  if (!findings.furthest.empty()) {
    sections.push_back(DistanceSection(findings));
  }
  if (!findings.standings.empty()) {
    sections.push_back(StandingSection(findings));
  }
  sections.push_back(OneSidedSection(findings));
  sections.push_back(ConditionsSection(findings));
  return sections;
}

}  // namespace tilebound::validate
