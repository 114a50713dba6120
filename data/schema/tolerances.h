// Declared tolerances, and finding the one that applies.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       auto tolerances,
//       ReadContent<pb::Tolerances>("data/tolerances.textproto"));
//   const pb::Tolerance* t = FindTolerance(tolerances, "latency", 0.99);
#ifndef TILEBOUND_DATA_SCHEMA_TOLERANCES_H_
#define TILEBOUND_DATA_SCHEMA_TOLERANCES_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/schema/tolerances.pb.h"

namespace tilebound {

// The most specific one: metric and q, then metric, then q, then the catch-all.
// `q` is 0 for a scalar. nullptr if none applies.
const pb::Tolerance* FindTolerance(const pb::Tolerances& tolerances,
                                   absl::string_view metric, double q);

// Errors name the entry, the field, its value and what is accepted: unknown
// metric, q or relative outside [0, 1], a negative absolute, the same metric
// and q twice, clock_relative outside [0, 1], confidence outside (0, 1).
absl::Status ValidateTolerances(const pb::Tolerances& tolerances);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_TOLERANCES_H_
