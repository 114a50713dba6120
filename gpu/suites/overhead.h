// What looking costs: the time to finish a fixed number of background tiles
// with looks, over the time without, minus one.
//
// "Without" is the control of the same loop whose decision word is never set by
// a flag (Control::kDummy), because builds without any checkpoint code differ
// by several percent from one another by where the compiler puts things; the
// overhead over such a build (Control::kPlain) is told beside it. Control and
// looks are interleaved A B B A, so that a drift of the clock falls on both.
#ifndef TILEBOUND_GPU_SUITES_OVERHEAD_H_
#define TILEBOUND_GPU_SUITES_OVERHEAD_H_

#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/surface.pb.h"
#include "gpu/harness/device.h"
#include "gpu/harness/workload.h"

namespace tilebound::gpu {

inline constexpr int kOverheadRepetitions = 10;

// Metrics overhead (median), overhead_min, overhead_max, overhead_over_plain
// and, last, makespan (median, with looks). Overhead is SKIPPED, with the
// reason, where the control cannot be used.
absl::StatusOr<std::vector<pb::Metric>> MeasureOverhead(
    const Device& device, const pb::Kernel& kernel, const pb::CellKey& key,
    const Workload& work);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_OVERHEAD_H_
