// Kernel none: blocks that only poll, no tiles. How long a flag takes to be
// seen by the last of them is the floor under every handoff.
#ifndef TILEBOUND_MODEL_NOTIFICATION_H_
#define TILEBOUND_MODEL_NOTIFICATION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"
#include "model/predict_options.h"

namespace tilebound::model {

// The catalog's name for no kernel at all.
inline constexpr char kNoKernel[] = "none";

// Metrics notification_floor and notification_loaded; the latter has no law
// (what starves a poll under streaming is not known). The floor: a store takes
// half a flag round trip to the memory that all read, a poll samples it once a
// round trip, in a phase of its own, and has the answer half a round trip
// later. Errors: a calibration without flag_round_trip, a part whose timer tick
// is not known.
absl::StatusOr<pb::Cell> PredictNotification(const CellInputs& inputs,
                                             const pb::CellKey& key,
                                             const PredictOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_NOTIFICATION_H_
