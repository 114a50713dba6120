// Suite visibility. How long a set flag takes to reach every block, with no
// tiles in the way.
#ifndef TILEBOUND_GPU_SUITES_VISIBILITY_H_
#define TILEBOUND_GPU_SUITES_VISIBILITY_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> VisibilityCells(
    const SuiteContext& context);
absl::Status RunVisibility(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_VISIBILITY_H_
