// What the model says of a value that a fit may read: the other side of each
// equation of a fit, and of its residuals.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       double us, PredictObservation({part, kernel, calibration},
//                                     observation, /*events=*/10'000));
#ifndef TILEBOUND_MODEL_OBSERVATION_MODEL_H_
#define TILEBOUND_MODEL_OBSERVATION_MODEL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "model/predict_options.h"

namespace tilebound::model {

// A quantile of the handoff latency, sampled without the timer's tick, so that
// it moves smoothly with the calibration.
absl::StatusOr<double> ObservedLatencyUs(const CellInputs& inputs,
                                         const pb::FitObservation& observation,
                                         uint64_t events);

// A quantile of the reserved arm's e2e, with a newcomer's delay given.
absl::StatusOr<double> ObservedE2eUs(const CellInputs& inputs,
                                     const pb::FitObservation& observation,
                                     double newcomer_us, uint64_t events);

// By the observation's quantity: latency and e2e as above, an overhead in
// percent, or a mean tile time in us.
absl::StatusOr<double> PredictObservation(const CellInputs& inputs,
                                          const pb::FitObservation& observation,
                                          uint64_t events);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_OBSERVATION_MODEL_H_
