// Writes what an exact run did as a .tbtrace, for the oracle to check.
#ifndef TILEBOUND_MODEL_TRACE_EXPORT_H_
#define TILEBOUND_MODEL_TRACE_EXPORT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "data/schema/cell_key.pb.h"
#include "model/cell_model.h"
#include "model/exact.h"

namespace tilebound::model {

// `history` is what SimulateHandoff recorded of `cell`. Tasks are numbered in
// the order in which blocks popped them. Times in the trace are the
// simulator's own, to the picosecond.
absl::Status WriteTrace(const std::string& path, const pb::CellKey& key,
                        const CellModel& cell, const RunHistory& history,
                        uint64_t seed, const std::string& provenance);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_EXPORT_H_
