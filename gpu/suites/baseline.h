// Suite baseline. What urgent work costs without preemption: a kernel that the
// host launches beside a persistent one that knows nothing of it.
#ifndef TILEBOUND_GPU_SUITES_BASELINE_H_
#define TILEBOUND_GPU_SUITES_BASELINE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> BaselineCells(
    const SuiteContext& context);
absl::Status RunBaseline(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_BASELINE_H_
