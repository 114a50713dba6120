// Suite oracle: is every task executed exactly once, and every event answered
// exactly once, however often blocks yield?
//
// Counted: exact counters on the device, for as many executions as the target
// asks; the verdict is the suite's. Recorded: with --trace_out, a run of ten
// million executions is recorded as well, for //oracle:check to judge by all
// its rules.
#ifndef TILEBOUND_GPU_SUITES_ORACLE_H_
#define TILEBOUND_GPU_SUITES_ORACLE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> OracleCells(
    const SuiteContext& context);
absl::Status RunOracle(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_ORACLE_H_
