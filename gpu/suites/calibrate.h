// Suite calibrate: what the model needs to know of a part and a kernel, as a
// surface (tile times by slot for every grid and k) and, beside it, as a
// calibration file for each kernel: OUT/calibration.KERNEL.textproto.
#ifndef TILEBOUND_GPU_SUITES_CALIBRATE_H_
#define TILEBOUND_GPU_SUITES_CALIBRATE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

// Each kernel at three k, alone on 1, half and all SMs, and with 2, 3, ...
// blocks on every SM.
absl::StatusOr<std::vector<pb::CellKey>> CalibrateCells(
    const SuiteContext& context);

absl::Status RunCalibrate(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_CALIBRATE_H_
