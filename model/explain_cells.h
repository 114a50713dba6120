// What predict --explain prints: every cell's latency taken apart.
//
//   TILEBOUND_ASSIGN_OR_RETURN(std::string text,
//                              ExplainCells(resources, keys, options,
//                              "table"));
#ifndef TILEBOUND_MODEL_EXPLAIN_CELLS_H_
#define TILEBOUND_MODEL_EXPLAIN_CELLS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"
#include "model/predict_surface.h"

namespace tilebound::model {

// Events that shares are counted over: a percent is known to some tenths.
inline constexpr uint64_t kExplainedEvents = 2000;

// As "table" a paragraph for each cell with its numbers below; as "csv" or
// "json" the table of model/explain.h. A cell without a handoff (arms none and
// reserved, or without a law) says so, in the column `what` of the table.
// Errors: as PredictSurface, and those of ExplainLatency.
absl::StatusOr<std::string> ExplainCells(const Resources& resources,
                                         const std::vector<pb::CellKey>& keys,
                                         const PredictOptions& options,
                                         absl::string_view format);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_EXPLAIN_CELLS_H_
