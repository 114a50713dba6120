// Suite handoff: how long after the flag is set until every block has seen it,
// and what looking costs.
#ifndef TILEBOUND_GPU_SUITES_HANDOFF_H_
#define TILEBOUND_GPU_SUITES_HANDOFF_H_

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

// For each kernel: the boundary surface (1, 2, ... blocks an SM x period 1, 2,
// 4, 8), and at saturation the other sites, ways to read the flag, disciplines,
// and the host's setter.
absl::StatusOr<std::vector<pb::CellKey>> HandoffCells(
    const SuiteContext& context);

absl::Status RunHandoff(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_HANDOFF_H_
