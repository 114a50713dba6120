#include "model/explain_cells.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "model/cell_model.h"
#include "model/explain.h"
#include "model/notification.h"

namespace tilebound::model {
namespace {

std::string WhyNot(const pb::CellKey& key, Sharing sharing) {
  if (key.kernel() == kNoKernel) return "without a kernel there is no tile";
  if (key.arm() != pb::COOPERATIVE) {
    return absl::StrCat("arm ", ArmName(key.arm()), " has no handoff");
  }
  return NotModelledReason(key, sharing);
}

}  // namespace

absl::StatusOr<std::string> ExplainCells(const Resources& resources,
                                         const std::vector<pb::CellKey>& keys,
                                         const PredictOptions& options,
                                         absl::string_view format) {
  Table table = ExplanationTable();
  std::string text;
  for (const pb::CellKey& key : keys) {
    const std::string name = CanonicalText(key);
    absl::StrAppend(&text, text.empty() ? "" : "\n", name, "\n");
    if (const std::string why = WhyNot(key, options.sharing); !why.empty()) {
      absl::StrAppend(&text, "Not explained: ", why, ".\n");
      table.AddRow({name, absl::StrCat("not explained: ", why)});
      continue;
    }
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Calibration* calibration,
                               resources.Calibration(key));
    TILEBOUND_ASSIGN_OR_RETURN(
        const CellModel cell,
        MakeCellModel(resources.parts.at(key.part()),
                      resources.kernels.at(key.kernel()), *calibration, key,
                      options.sharing, options.seed));
    TILEBOUND_ASSIGN_OR_RETURN(const Explanation explanation,
                               ExplainLatency(cell, kExplainedEvents));
    absl::StrAppend(&text, ExplanationText(explanation));
    AddExplanation(name, explanation, table);
  }
  if (format == "table") return text;
  return table.Render(format);
}

}  // namespace tilebound::model
