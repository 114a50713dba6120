// The arm none: urgent work is a kernel that the host launches beside workers
// that never let go. It runs in open slots if there are any, else when the
// background has ended.
#ifndef TILEBOUND_MODEL_BASELINE_H_
#define TILEBOUND_MODEL_BASELINE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"
#include "model/predict_options.h"

namespace tilebound::model {

// Metrics wait, makespan, backlog_slope, tile_time_mean. A wait without open
// slots, and a makespan, need to know how many tiles a launch has. The same for
// any `threads`. Errors: as MakeBackground.
absl::StatusOr<pb::Cell> PredictBaseline(const CellInputs& inputs,
                                         const pb::CellKey& key,
                                         const PredictOptions& options,
                                         uint32_t threads);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_BASELINE_H_
