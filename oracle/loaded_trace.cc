#include "oracle/loaded_trace.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/writer.h"

namespace tilebound::oracle {

absl::StatusOr<LoadedTrace> LoadTrace(const TraceReader& reader) {
  LoadedTrace trace;
  trace.header = reader.header();
  const TraceEnd end = reader.ForEachRecord(
      [&](uint32_t stream, uint64_t sequence, const Record& record) {
        trace.streams[stream].push_back({sequence, record});
      });
  if (!end.whole) {
    return absl::InvalidArgumentError(absl::StrCat(
        reader.name(), ": ", end.why, "; accepted are whole traces"));
  }
  return trace;
}

absl::StatusOr<std::string> TraceBytes(const LoadedTrace& trace) {
  TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
                             TraceWriter::CreateInMemory(trace.header));
  for (const auto& [stream, spots] : trace.streams) {
    for (const Spot& spot : spots) {
      writer.AppendAt(stream, spot.sequence, spot.record);
    }
  }
  return writer.TakeBytes();
}

}  // namespace tilebound::oracle
