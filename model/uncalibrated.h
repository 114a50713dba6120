// A calibration for a part on which nobody has measured the kernel: the work in
// cycles, the queue and the spreads of another part's calibration, the part's
// own clock and SMs, and slot tile times from the cycle level.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       pb::Calibration calibration,
//       UncalibratedFrom(part, kernel, donor, {}));
//
// Predictions from it carry the error that leaving a calibrated part out gives
// (model/error_band.h), and the word UNCALIBRATED.
#ifndef TILEBOUND_MODEL_UNCALIBRATED_H_
#define TILEBOUND_MODEL_UNCALIBRATED_H_

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "model/cycle_calibration.h"

namespace tilebound::model {

// `donor` is a calibration of the same kernel with cycle parameters; memory
// latencies are kept in time, everything else of the donor in cycles. The clock
// is the part's boost clock. Errors: the donor lacks a quantity, or the kernel
// an instruction stream for the part.
absl::StatusOr<pb::Calibration> UncalibratedFrom(const pb::Part& part,
                                                 const pb::Kernel& kernel,
                                                 const pb::Calibration& donor,
                                                 const CycleOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_UNCALIBRATED_H_
