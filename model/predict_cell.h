// One cell predicted, whatever its arm: the one place that knows which file
// has the law for what.
//
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Cell cell,
//                              PredictCell({part, kernel, calibration}, key,
//                                          options, /*threads=*/1));
#ifndef TILEBOUND_MODEL_PREDICT_CELL_H_
#define TILEBOUND_MODEL_PREDICT_CELL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/surface.pb.h"
#include "model/predict_options.h"

namespace tilebound::model {

// Metrics of the cell, the ones without a law marked NOT_MODELLED. The same for
// any `threads`. Errors: as MakeCellModel.
absl::StatusOr<pb::Cell> PredictCell(const CellInputs& inputs,
                                     const pb::CellKey& key,
                                     const PredictOptions& options,
                                     uint32_t threads);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PREDICT_CELL_H_
