// Checks on a Part: every figure that residency needs is there, is possible,
// and has a source.
#ifndef TILEBOUND_DATA_SCHEMA_PART_H_
#define TILEBOUND_DATA_SCHEMA_PART_H_

#include "absl/status/status.h"
#include "data/schema/part.pb.h"

namespace tilebound {

// Errors name the field by its path inside Part, its value, and what is
// accepted. Every non-zero figure must be named by exactly one source.
absl::Status ValidatePart(const pb::Part& part);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_PART_H_
