// What is checked of every kernel before a suite runs: the timer ticks, blocks
// are where the plan puts them, every output agrees with float64 and none is
// NaN any more, and the same check finds every corruption that is planted.
#ifndef TILEBOUND_GPU_SUITES_FIRST_GATES_H_
#define TILEBOUND_GPU_SUITES_FIRST_GATES_H_

#include <string>

#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

// What passed, in one line. Error: the first gate that failed.
absl::StatusOr<std::string> PassFirstGates(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_FIRST_GATES_H_
