#include "validate/render_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "validate/axes.h"
#include "validate/cell_table.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

// A terminal holds this many rows before the summary scrolls away.
constexpr size_t kRowsShown = 200;
constexpr size_t kReasonsShown = 5;

// What all cells have in common, so that the table need not repeat it.
std::string CommonAxes(const Findings& findings, const pb::CellKey& key) {
  std::vector<Axis> common;
  for (const Axis& axis : Axes()) {
    const bool varies =
        std::any_of(findings.varying.begin(), findings.varying.end(),
                    [&](const Axis& other) { return other.name == axis.name; });
    if (!varies) common.push_back(axis);
  }
  return ShortKey(common, key);
}

std::string StandingLine(const Findings& findings) {
  size_t registered = 0;
  for (const PairStanding& pair : findings.standings) {
    registered += pair.standing.registered;
  }
  const size_t all = findings.standings.size();
  if (all == 0) return "";
  if (registered == all) return "standing: REGISTERED\n";
  if (registered == 0) return "standing: POST HOC\n";
  return absl::StrCat("standing: ", registered, " of ", all,
                      " pairs of surfaces REGISTERED, the others POST HOC\n");
}

}  // namespace

std::string RenderText(const Findings& findings, const BaselineDiff* diff) {
  std::string text;
  const auto cells = ModelCells(findings);
  if (!cells.empty()) {
    absl::StrAppend(&text, CommonAxes(findings, cells[0]->key), "\n\n");
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
  for (const HypothesisResult& result : findings.hypotheses) {
    absl::StrAppend(&text, "hypothesis ", result.hypothesis.id(), ": ",
                    OutcomeName(result.outcome), "\n");
  }
  if (diff != nullptr) {
    absl::StrAppend(&text, "since ", diff->path, ": ", diff->worse.size(),
                    " worse, ", diff->better.size(), " better, ",
                    diff->unchanged, " unchanged, ", diff->added, " new, ",
                    diff->gone, " gone\n");
  }
  absl::StrAppend(&text, StandingLine(findings));
  for (const std::string& note : findings.notes) {
    absl::StrAppend(&text, "note: ", note, "\n");
  }
  return text;
}

}  // namespace tilebound::validate
