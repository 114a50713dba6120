// Predicts every published cell that a bar is about, and judges the bars.
//
//   TILEBOUND_ASSIGN_OR_RETURN(std::vector<BarResult> results,
//                              EvaluateBars(surfaces, {}));
#ifndef TILEBOUND_MODEL_ACCURACY_EVALUATE_H_
#define TILEBOUND_MODEL_ACCURACY_EVALUATE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"
#include "model/accuracy/bar.h"
#include "model/predict_cell.h"

namespace tilebound::model {

// One result per bar of AccuracyBars(), in its order. `published` are the
// surfaces of data/published and must outlive the results. A surface whose
// cells cannot be predicted with options.sharing leaves its bars unmet, with
// the reason.
absl::StatusOr<std::vector<BarResult>> EvaluateBars(
    const std::vector<pb::Surface>& published, const PredictOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_ACCURACY_EVALUATE_H_
