// What a trace header must say before anybody can hold records against it.
//
//   pb::TraceHeader header = ...;
//   TILEBOUND_RETURN_IF_ERROR(ValidateTraceHeader(header));
#ifndef TILEBOUND_DATA_TRACE_HEADER_H_
#define TILEBOUND_DATA_TRACE_HEADER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/trace/trace.pb.h"

namespace tilebound {

inline constexpr uint32_t kTraceMajor = 1;
inline constexpr uint32_t kTraceMinor = 0;

// The first eight bytes of every trace.
inline constexpr absl::string_view kTraceMagic = "tbtrace\n";

// Limits that keep a lying header from asking for more room than any real
// trace needs.
inline constexpr uint32_t kMostStreams = 1u << 20;
inline constexpr uint32_t kMostUrgentTiles = 4096;
inline constexpr uint64_t kMostTasks = uint64_t{1} << 40;

// The error names the field, its value and what is accepted.
absl::Status ValidateTraceHeader(const pb::TraceHeader& header);

// Picoseconds in one unit of the times on disk.
inline int64_t TimeUnit(const pb::TraceHeader& header) {
  return header.time_unit_ps() == 0
             ? 1
             : static_cast<int64_t>(header.time_unit_ps());
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_HEADER_H_
