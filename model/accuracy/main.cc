// Holds the model against every published figure that it answers for.
#include <algorithm>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "data/io/command.h"
#include "data/io/progress.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "model/accuracy/bar.h"
#include "model/accuracy/evaluate.h"

ABSL_FLAG(bool, cells, false, "Every figure with its prediction.");
ABSL_FLAG(std::string, format, "table", "table, csv, json or markdown.");

namespace tilebound::model {
namespace {

// Of a bar about a single figure, that figure; of others their number.
std::string Figures(const BarResult& result, bool predicted) {
  if (result.comparisons.size() != 1) {
    return absl::StrCat(result.comparisons.size(), " figures");
  }
  const Comparison& only = result.comparisons[0];
  return absl::StrFormat("%.4g", predicted ? only.predicted : only.measured);
}

// What a baseline makes of the bar; it may have no law for it.
std::string Baseline(const AccuracyBar& bar, const BarResult& result) {
  return result.comparisons.empty() ? "-" : ScoreText(bar, result);
}

double WorstPercent(const BarResult& result) {
  double worst = 0;
  for (const Comparison& c : result.comparisons) {
    if (c.measured == 0) continue;
    const double off = 100 * (c.predicted / c.measured - 1);
    if (std::abs(off) > std::abs(worst)) worst = off;
  }
  return worst;
}

Table BarTable(const std::vector<std::vector<BarResult>>& by_sharing) {
  Table table({"bar", "measured", "predicted", "rule", "result", "worst_pct",
               "met", "fair", "iid"});
  const std::vector<AccuracyBar>& bars = AccuracyBars();
  for (size_t i = 0; i < bars.size(); ++i) {
    const BarResult& slot = by_sharing[0][i];
    table.AddRow({bars[i].name, Figures(slot, false), Figures(slot, true),
                  RuleText(bars[i]), ScoreText(bars[i], slot),
                  WorstPercent(slot), std::string(slot.met ? "yes" : "no"),
                  Baseline(bars[i], by_sharing[1][i]),
                  Baseline(bars[i], by_sharing[2][i])});
  }
  return table;
}

Table CellTable(const std::vector<BarResult>& results) {
  Table table({"bar", "cell", "measured", "predicted", "error_pct", "within"});
  const std::vector<AccuracyBar>& bars = AccuracyBars();
  for (size_t i = 0; i < bars.size(); ++i) {
    for (const Comparison& c : results[i].comparisons) {
      table.AddRow({bars[i].name, CanonicalText(*c.key), c.measured,
                    c.predicted, 100 * (c.predicted / c.measured - 1),
                    std::string(c.within ? "yes" : "no")});
    }
  }
  return table;
}

std::string Markdown(const Table& table) {
  const auto line = [](const std::vector<std::string>& fields) {
    return absl::StrCat("| ", absl::StrJoin(fields, " | "), " |\n");
  };
  std::string text = line(table.columns());
  absl::StrAppend(
      &text, line(std::vector<std::string>(table.columns().size(), "---")));
  for (const auto& row : table.rows()) {
    std::vector<std::string> fields;
    for (const TableValue& value : row) {
      if (const auto* words = std::get_if<std::string>(&value)) {
        fields.push_back(*words);
      } else {
        const auto* number = std::get_if<double>(&value);
        fields.push_back(number ? absl::StrFormat("%+.1f", *number) : "-");
      }
    }
    text += line(fields);
  }
  return text;
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const std::string format = absl::GetFlag(FLAGS_format);
  if (format != "markdown") TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(format));
  TILEBOUND_ASSIGN_OR_RETURN(Catalog catalog, Catalog::Open());
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::Surface> published,
                             catalog.Surfaces(""));
  PredictOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::vector<BarResult>> results;
  {
    Progress progress("laws", 3);
    for (Sharing sharing : {Sharing::kSlot, Sharing::kFair, Sharing::kIid}) {
      options.sharing = sharing;
      TILEBOUND_ASSIGN_OR_RETURN(std::vector<BarResult> of,
                                 EvaluateBars(published, options));
      results.push_back(std::move(of));
      progress.Add(1);
    }
  }
  const Table table =
      absl::GetFlag(FLAGS_cells) ? CellTable(results[0]) : BarTable(results);
  if (format == "markdown") {
    std::cout << Markdown(table);
    return ExitCode::kOk;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text, table.Render(format));
  std::cout << text;
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::model

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "accuracy",
       .summary = "Holds predictions against every published figure that the "
                  "model answers for.",
       .usage = "accuracy [--cells] [flags]",
       .flags = {"cells", "format"},
       .examples = {"accuracy --format=markdown",
                    "accuracy --cells --format=csv"}},
      argc, argv, tilebound::model::Run);
}
