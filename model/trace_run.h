// Runs one cell exactly and writes what happened as a trace.
#ifndef TILEBOUND_MODEL_TRACE_RUN_H_
#define TILEBOUND_MODEL_TRACE_RUN_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "data/schema/cell_key.pb.h"
#include "model/predict_surface.h"

namespace tilebound::model {

// Tiles of all blocks that a traced run may hold in memory.
inline constexpr uint64_t kMostTracedEvents = 10'000;

// Whether a trace of these cells can be written to `path`: exactly one cell
// that the model has a law for, exact fidelity, at most kMostTracedEvents
// events, the ending .tbtrace, a folder to write to.
absl::Status CheckTraceRun(const std::string& path,
                           const std::vector<pb::CellKey>& keys,
                           const PredictOptions& options);

// `provenance` says how the trace came to be, in words.
absl::Status WriteTraceOf(const Resources& resources, const pb::CellKey& key,
                          const PredictOptions& options,
                          const std::string& path,
                          const std::string& provenance);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_RUN_H_
