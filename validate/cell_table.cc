#include "validate/cell_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"
#include "validate/axes.h"

namespace tilebound::validate {
namespace {

bool IsQuantile(const Comparison& comparison, double q) {
  return std::abs(comparison.q - q) < 1e-9;
}

std::string CombinedVerdict(const Headline& headline) {
  const Comparison* p50 = headline.p50;
  const Comparison* p99 = headline.p99;
  if (p50 == nullptr && p99 == nullptr)
    return VerdictName(Verdict::kNotCompared);
  if (p50 == nullptr || p99 == nullptr) {
    return VerdictName((p50 == nullptr ? p99 : p50)->verdict);
  }
  if (p50->verdict == p99->verdict) return VerdictName(p50->verdict);
  std::string text;
  for (const Comparison* comparison : {p50, p99}) {
    if (comparison->verdict == Verdict::kAgrees) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    QuantileName(comparison->q), " ",
                    VerdictName(comparison->verdict));
  }
  return text;
}

TableValue Value(const std::optional<double>& value) {
  TableValue field;
  if (value) field = *value;
  return field;
}

TableValue Rounded(const std::optional<double>& value, double scale) {
  TableValue field;
  if (value) field = std::round(*value * scale) / scale;
  return field;
}

// Error in percent: of the measured value, or the difference of two figures
// that are in percent themselves.
std::optional<double> ErrorPercent(const Comparison& comparison) {
  if (const auto error = comparison.RelativeError()) return 100 * *error;
  if (comparison.metric->unit == "percent" && comparison.predicted &&
      comparison.measured) {
    return *comparison.predicted - *comparison.measured;
  }
  return std::nullopt;
}

void AppendFigure(const Comparison* comparison, bool round,
                  std::vector<TableValue>& row) {
  if (comparison == nullptr) {
    row.insert(row.end(), 3, TableValue());
    return;
  }
  const auto error = ErrorPercent(*comparison);
  row.push_back(round ? Rounded(comparison->predicted, 100)
                      : Value(comparison->predicted));
  row.push_back(round ? Rounded(comparison->measured, 100)
                      : Value(comparison->measured));
  row.push_back(round ? Rounded(error, 10) : Value(error));
}

bool IsSoft(const Headline& headline) {
  return (headline.p50 != nullptr && !headline.p50->soft_reason.empty()) ||
         (headline.p99 != nullptr && !headline.p99->soft_reason.empty());
}

}  // namespace

Headline HeadlineOf(const CellComparison& cell) {
  const Comparison* best = nullptr;
  const auto rank = [](const Comparison& comparison) {
    return std::make_pair(!(comparison.q > 0 && comparison.compared()),
                          comparison.metric);
  };
  for (const Comparison& comparison : cell.comparisons) {
    if (best == nullptr || rank(comparison) < rank(*best)) best = &comparison;
  }
  Headline headline;
  for (const Comparison& comparison : cell.comparisons) {
    if (comparison.metric != best->metric || comparison.slot != best->slot) {
      continue;
    }
    if (comparison.q == 0 || IsQuantile(comparison, 0.5)) {
      headline.p50 = &comparison;
    } else if (IsQuantile(comparison, 0.99)) {
      headline.p99 = &comparison;
    }
  }
  if (headline.p50 == nullptr && headline.p99 == nullptr) headline.p50 = best;
  headline.verdict = CombinedVerdict(headline);
  return headline;
}

std::vector<const CellComparison*> ModelCells(const Findings& findings) {
  std::vector<const CellComparison*> cells;
  for (const CellComparison& cell : findings.comparisons.cells) {
    if (!IsBaseline(findings.PredictedOf(cell))) cells.push_back(&cell);
  }
  return cells;
}

Table ReadableCellTable(const Findings& findings) {
  auto cells = ModelCells(findings);
  const size_t rows = std::min(cells.size(), kReadableRows);
  // A single cell has no axis that varies, and needs no column for one.
  const std::vector<Axis> axes =
      cells.size() < 2 ? std::vector<Axis>() : findings.varying;
  cells.resize(rows);
  bool several = false;
  bool same_metric = true;
  bool any_soft = false;
  const MetricInfo* metric = nullptr;
  for (const CellComparison* cell : cells) {
    several = several || cell->predicted != cells[0]->predicted ||
              cell->measured != cells[0]->measured;
    const Headline headline = HeadlineOf(*cell);
    any_soft = any_soft || IsSoft(headline);
    if (headline.p50 == nullptr) continue;
    if (metric == nullptr) metric = headline.p50->metric;
    same_metric = same_metric && metric == headline.p50->metric;
  }
  std::vector<std::string> columns;
  for (const Axis& axis : axes) columns.push_back(axis.name);
  if (several) {
    columns.push_back("prediction");
    columns.push_back("measurement");
  }
  if (!same_metric) columns.push_back("metric");
  for (const char* name : {"p50 predicted", "measured", "error %",
                           "p99 predicted", "measured", "error %", "verdict"}) {
    columns.push_back(name);
  }
  if (any_soft) columns.push_back("soft");
  Table table(columns);
  for (const CellComparison* cell : cells) {
    std::vector<TableValue> row;
    for (const Axis& axis : axes) row.push_back(axis.value(cell->key));
    if (several) {
      row.push_back(findings.PredictedOf(*cell).name());
      row.push_back(findings.MeasuredOf(*cell).name());
    }
    const Headline headline = HeadlineOf(*cell);
    if (!same_metric) {
      row.push_back(headline.p50 == nullptr ? "" : headline.p50->metric->name);
    }
    AppendFigure(headline.p50, true, row);
    AppendFigure(headline.p99, true, row);
    row.push_back(headline.verdict);
    if (any_soft) row.push_back(std::string(IsSoft(headline) ? "soft" : ""));
    table.AddRow(std::move(row));
  }
  return table;
}

Table FullCellTable(const Findings& findings) {
  std::vector<std::string> columns;
  for (const Axis& axis : Axes()) columns.push_back(axis.name);
  for (const char* name :
       {"fingerprint", "prediction", "sharing", "measurement", "metric", "unit",
        "n", "predicted_p50", "measured_p50", "error_p50_pct", "verdict_p50",
        "predicted_p99", "measured_p99", "error_p99_pct", "verdict_p99",
        "verdict", "soft_reason", "reason"}) {
    columns.push_back(name);
  }
  Table table(columns);
  for (const CellComparison& cell : findings.comparisons.cells) {
    const Headline headline = HeadlineOf(cell);
    std::vector<TableValue> row;
    for (const Axis& axis : Axes()) row.push_back(axis.value(cell.key));
    row.push_back(Fingerprint(cell.key));
    row.push_back(findings.PredictedOf(cell).name());
    row.push_back(findings.PredictedOf(cell).conditions().sharing());
    row.push_back(findings.MeasuredOf(cell).name());
    const Comparison* any =
        headline.p50 != nullptr ? headline.p50 : headline.p99;
    if (any == nullptr) {
      row.insert(row.end(), 11, TableValue());
    } else {
      row.push_back(any->metric->name);
      row.push_back(any->metric->unit);
      row.push_back(any->n);
      for (const Comparison* figure : {headline.p50, headline.p99}) {
        AppendFigure(figure, false, row);
        row.emplace_back();
        if (figure != nullptr) row.back() = VerdictName(figure->verdict);
      }
    }
    row.push_back(headline.verdict);
    row.push_back(any == nullptr ? "" : any->soft_reason);
    row.push_back(any == nullptr ? "" : any->reason);
    table.AddRow(std::move(row));
  }
  return table;
}

}  // namespace tilebound::validate
