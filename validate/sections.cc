#include "validate/sections.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"
#include "validate/cell_table.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

// Lists longer than this end with how many more there are.
constexpr size_t kOneSidedShown = 200;

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

}  // namespace

std::vector<Section> ReportSections(const Findings& findings) {
  std::vector<Section> sections;
  sections.push_back(CoverageSection(findings));
  if (!findings.notes.empty()) {
    sections.push_back(
        {"notes", "Before you believe it", findings.notes, Table({})});
  }
  sections.push_back(AccuracySection(findings));
  sections.push_back({"worst", "Largest errors", {}, WorstTable(findings)});
  sections.push_back({"cells", "Cells", {}, ReadableCellTable(findings)});
  sections.push_back(OneSidedSection(findings));
  sections.push_back(ConditionsSection(findings));
  return sections;
}

}  // namespace tilebound::validate
