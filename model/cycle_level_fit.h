// The part of a fit that goes through the cycle level: what a recipe neither
// declares nor transfers of its parameters, and the slot tile times that
// follow.
//
//   TILEBOUND_ASSIGN_OR_RETURN(calibration,
//                              FitCycleLevel(inputs, std::move(calibration)));
//
//   global_latency, atomic_round_trip   from tiles alone on their SM; one depth
//                                       determines their common factor only
//   pipe_cost          from the mean tile time of a full SM
//   admission_queue    from one quantile of the handoff latency
#ifndef TILEBOUND_MODEL_CYCLE_LEVEL_FIT_H_
#define TILEBOUND_MODEL_CYCLE_LEVEL_FIT_H_

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "model/fit_inputs.h"

namespace tilebound::model {

// `calibration` with fitted parameters and computed slot tile times added.
// Errors: no instruction stream for the part, an observation that is missing,
// a value that no parameter can reach.
absl::StatusOr<pb::Calibration> FitCycleLevel(const FitInputs& inputs,
                                              pb::Calibration calibration);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_LEVEL_FIT_H_
