// A whole trace in memory, for tools that change or translate one. The check
// itself never loads a trace.
//
//   TILEBOUND_ASSIGN_OR_RETURN(LoadedTrace trace, LoadTrace(reader));
//   trace.streams[3][0].record.time_ps += 5;
//   TILEBOUND_ASSIGN_OR_RETURN(std::string bytes, TraceBytes(trace));
#ifndef TILEBOUND_ORACLE_LOADED_TRACE_H_
#define TILEBOUND_ORACLE_LOADED_TRACE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/trace/reader.h"
#include "data/trace/trace.pb.h"
#include "oracle/stream.h"

namespace tilebound::oracle {

struct LoadedTrace {
  pb::TraceHeader header;
  std::map<uint32_t, std::vector<Spot>> streams;
};

// Errors if the trace is not whole.
absl::StatusOr<LoadedTrace> LoadTrace(const TraceReader& reader);

// The trace as a file's bytes, stream after stream.
absl::StatusOr<std::string> TraceBytes(const LoadedTrace& trace);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_LOADED_TRACE_H_
