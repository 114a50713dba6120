#include "validate/summary_table.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "validate/axes.h"
#include "validate/cell_table.h"

namespace tilebound::validate {
namespace {

std::string Points(const std::optional<double>& value) {
  return value ? absl::StrFormat("%.2f points", *value) : "-";
}

std::string SignedPoints(const std::optional<double>& value) {
  return value ? absl::StrFormat("%+.2f points", *value) : "-";
}

}  // namespace

std::string Percent(const std::optional<double>& share) {
  return share ? absl::StrFormat("%.1f %%", 100 * *share) : "-";
}

std::string SignedPercent(const std::optional<double>& share) {
  return share ? absl::StrFormat("%+.1f %%", 100 * *share) : "-";
}

std::vector<NamedAccuracy> AllAccuracies(const Findings& findings) {
  std::vector<NamedAccuracy> all = {{"model", &findings.sound}};
  if (!findings.soft.entries().empty()) {
    all.push_back({"model, soft figures", &findings.soft});
  }
  for (const BaselineAccuracy& baseline : findings.baselines) {
    all.push_back(
        {absl::StrCat("baseline ", baseline.sharing), &baseline.accuracy});
  }
  return all;
}

Table SummaryTable(const std::vector<NamedAccuracy>& accuracies) {
  Table table({"who", "metric", "compared", "agree", "optimistic",
               "pessimistic", "within band", "mean error", "bias", "worst", "r",
               "not compared"});
  for (const NamedAccuracy& named : accuracies) {
    for (const MetricAccuracy& entry : named.accuracy->entries()) {
      const Accuracy& a = entry.accuracy;
      // Why nothing was compared stands under coverage.
      if (a.compared() == 0) continue;
      const bool points = entry.metric->unit == "percent";
      std::string name = entry.metric->name;
      if (entry.q > 0) absl::StrAppend(&name, " ", QuantileName(entry.q));
      TableValue correlation;
      if (const auto r = a.correlation()) {
        correlation = std::round(*r * 1e4) / 1e4;
      }
      table.AddRow(
          {named.who, name, uint64_t{a.compared()}, uint64_t{a.agrees()},
           uint64_t{a.optimistic()}, uint64_t{a.pessimistic()},
           uint64_t{a.within()},
           points ? Points(a.mean_absolute_difference()) : Percent(a.mape()),
           points ? SignedPoints(a.mean_difference()) : SignedPercent(a.bias()),
           points ? "-" : Percent(a.worst()), correlation,
           uint64_t{a.not_compared()}});
    }
  }
  return table;
}

Table WorstTable(const Findings& findings) {
  Table table(
      {"cell", "metric", "predicted", "measured", "unit", "error", "verdict"});
  for (const ComparisonRef& ref : findings.worst) {
    const CellComparison& cell = findings.comparisons.cells[ref.cell];
    const Comparison& comparison = cell.comparisons[ref.comparison];
    table.AddRow({ShortKey(findings.varying, cell.key), comparison.Name(),
                  *comparison.predicted, *comparison.measured,
                  comparison.metric->unit,
                  SignedPercent(comparison.RelativeError()),
                  VerdictName(comparison.verdict)});
  }
  return table;
}

std::string CoverageLine(const Coverage& coverage) {
  return absl::StrCat(coverage.compared_cells, " of ", coverage.measured_cells,
                      " measured cells compared; ", coverage.measured_only,
                      " without a prediction; ", coverage.predicted_only,
                      " of ", coverage.predicted_cells,
                      " predicted cells without a measurement");
}

}  // namespace tilebound::validate
