// Suite safety. Whether outputs are right when blocks yield in the middle of a
// tile, under each discipline and at each site.
#ifndef TILEBOUND_GPU_SUITES_SAFETY_H_
#define TILEBOUND_GPU_SUITES_SAFETY_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> SafetyCells(
    const SuiteContext& context);
absl::Status RunSafety(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_SAFETY_H_
