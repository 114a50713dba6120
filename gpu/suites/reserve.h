// Suite reserve. Slots held free instead of taken back: R slots, U urgent tiles
// launched from the host into them.
#ifndef TILEBOUND_GPU_SUITES_RESERVE_H_
#define TILEBOUND_GPU_SUITES_RESERVE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {

absl::StatusOr<std::vector<pb::CellKey>> ReserveCells(
    const SuiteContext& context);
absl::Status RunReserve(SuiteContext& context);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_RESERVE_H_
