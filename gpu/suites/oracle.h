// Suite oracle: is every task executed exactly once, and every event answered
// exactly once, however often blocks yield?
//
// Counted: exact counters on the device, for as many executions as the target
// asks; the verdict is the suite's. Recorded: with --trace_out, a run of ten
// million executions is recorded as well, for //oracle:check to judge by all
// its rules.
#ifndef TILEBOUND_GPU_SUITES_ORACLE_H_
#define TILEBOUND_GPU_SUITES_ORACLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"
#include "data/trace/trace.pb.h"
#include "gpu/harness/plan.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> OracleCells(
    const SuiteContext& context);
absl::Status RunOracle(SuiteContext& context);

// Where the trace of a cell goes: "a/run.tbtrace" gives
// "a/run_sgemm64_stage.tbtrace".
std::string TracePath(absl::string_view trace_out, const pb::CellKey& key);

// What a recorded run of the cell promises; tasks and events are filled in
// after the run.
pb::TraceHeader TracePromise(const pb::CellKey& key, const Plan& plan,
                             uint64_t quantum_ps);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_ORACLE_H_
