// Runs one cell exactly and writes what happened as a trace.
#ifndef TILEBOUND_MODEL_TRACE_RUN_H_
#define TILEBOUND_MODEL_TRACE_RUN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/schema/cell_key.pb.h"
#include "model/predict_surface.h"

namespace tilebound::model {

// Block-events (blocks times events) that a traced run may hold in memory:
// about 1 KB each with the default arrivals.
inline constexpr uint64_t kMostTracedBlockEvents = 1'000'000;

// Whether a trace of these cells can be written to `path`: exactly one cell
// that the model has a law for, exact fidelity, at most kMostTracedBlockEvents,
// the ending .tbtrace, a folder to write to.
absl::Status CheckTraceRun(const std::string& path,
                           const std::vector<pb::CellKey>& keys,
                           const PredictOptions& options);

// Runs the cell again, with the same seed and so the same events, and keeps
// everything, the warm-up too: a trace has options.warmup_events more events
// than the predicted cell counts. `provenance` says how the trace came to be.
absl::Status WriteTraceOf(const Resources& resources, const pb::CellKey& key,
                          const PredictOptions& options,
                          const std::string& path,
                          const std::string& provenance);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_RUN_H_
