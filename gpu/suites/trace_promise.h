// What a recorded run of a cell promises to the oracle, and where its trace
// goes.
//
//   pb::TraceHeader header = TracePromise(key, /*blocks_per_sm=*/4,
//                                         /*chunk_k=*/16, quantum_ps);
//   header.set_tasks(log.tasks);
//   header.set_events(log.events);
#ifndef TILEBOUND_GPU_SUITES_TRACE_PROMISE_H_
#define TILEBOUND_GPU_SUITES_TRACE_PROMISE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"
#include "data/trace/trace.pb.h"

namespace tilebound::gpu {

// All but tasks and events, which a run that its events end knows afterwards.
// `chunk_k`: depth of a chunk of the tile, key.k() being a multiple of it.
pb::TraceHeader TracePromise(const pb::CellKey& key, uint32_t blocks_per_sm,
                             uint32_t chunk_k, uint64_t quantum_ps);

// One file for each cell: "a/run.tbtrace" gives
// "a/run_sgemm64_cpasync_stage.tbtrace".
std::string TracePath(absl::string_view trace_out, const pb::CellKey& key);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_TRACE_PROMISE_H_
