#include "validate/render_text.h"

#include "absl/strings/str_cat.h"
#include "validate/axes.h"
#include "validate/cell_table.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

// A terminal holds this many rows before the summary scrolls away.
constexpr size_t kRowsShown = 200;
constexpr size_t kReasonsShown = 5;

std::string CommonAxes(const std::vector<const CellComparison*>& cells) {
  std::vector<const pb::CellKey*> keys;
  for (const CellComparison* cell : cells) keys.push_back(&cell->key);
  std::vector<Axis> common;
  for (const Axis& axis : Axes()) {
    bool varies = false;
    for (const Axis& other : VaryingAxes(keys)) {
      varies = varies || other.name == axis.name;
    }
    if (!varies) common.push_back(axis);
  }
  return ShortKey(common, *keys[0]);
}

}  // namespace

std::string RenderText(const Findings& findings) {
  std::string text;
  const auto cells = ModelCells(findings);
  if (!cells.empty()) {
    absl::StrAppend(&text, CommonAxes(cells), "\n\n");
    if (cells.size() <= kRowsShown) {
      absl::StrAppend(&text, ReadableCellTable(findings).ToText(), "\n");
    } else {
      absl::StrAppend(&text, cells.size(),
                      " cells, too many to show here; the worst are:\n",
                      WorstTable(findings).ToText(), "\n");
    }
  }
  const Table summary = SummaryTable(AllAccuracies(findings));
  if (!summary.rows().empty()) absl::StrAppend(&text, summary.ToText(), "\n");
  absl::StrAppend(&text, "coverage: ", CoverageLine(findings.coverage), "\n");
  const auto& reasons = findings.coverage.reasons;
  for (size_t i = 0; i < reasons.size() && i < kReasonsShown; ++i) {
    absl::StrAppend(&text, "  ", reasons[i].count, " x ", reasons[i].what, ": ",
                    reasons[i].reason, "\n");
  }
  if (reasons.size() > kReasonsShown) {
    absl::StrAppend(&text, "  and ", reasons.size() - kReasonsShown,
                    " more reasons, see the report\n");
  }
  for (const std::string& note : findings.notes) {
    absl::StrAppend(&text, "note: ", note, "\n");
  }
  return text;
}

}  // namespace tilebound::validate
