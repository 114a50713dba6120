// Traces as lines of JSON, for simulators and recorders in other languages.
//
//   {"tbtrace":1,"arm":"cooperative","site":"boundary","period":1,
//    "urgent_tiles":1,"blocks":2,"tasks":1,"events":1,"blocks_per_sm":2}
//   {"block":0,"kind":"block_start","sm":0,"slot":0,"time_ns":0}
//   {"block":0,"kind":"pop","task":0,"time_ns":1000}
//
//   TILEBOUND_ASSIGN_OR_RETURN(std::string trace, TraceFromJsonLines(text,
//   "a")); std::string text = JsonLinesOf(reader);
//
// The first line is the header (the line break above is only for this comment),
// the others a record each; docs/trace-format.md has the fields.
#ifndef TILEBOUND_DATA_TRACE_JSONL_H_
#define TILEBOUND_DATA_TRACE_JSONL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/trace/reader.h"

namespace tilebound {

// The bytes of a .tbtrace file. Errors name `name`, the line and the field.
absl::StatusOr<std::string> TraceFromJsonLines(absl::string_view text,
                                               const std::string& name);

// Every record of the trace, with its sequence number; times in picoseconds.
// Errors if the trace is not whole, since the text could not say so.
absl::StatusOr<std::string> JsonLinesOf(const TraceReader& reader);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_JSONL_H_
