// The header line of the JSON-lines form; see data/trace/jsonl.h.
#ifndef TILEBOUND_DATA_TRACE_JSONL_HEADER_H_
#define TILEBOUND_DATA_TRACE_JSONL_HEADER_H_

#include "absl/status/statusor.h"
#include "data/trace/trace.pb.h"
#include "nlohmann/json.hpp"

namespace tilebound {

// Errors name the member, its value and what is accepted.
absl::StatusOr<pb::TraceHeader> HeaderFromJson(const nlohmann::json& json);
nlohmann::ordered_json HeaderToJson(const pb::TraceHeader& header);

// An integer member as the type of 64 bits that the record wants.
absl::StatusOr<uint64_t> UnsignedMember(const nlohmann::json& json,
                                        const char* name, uint64_t most);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_JSONL_HEADER_H_
