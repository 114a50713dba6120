// Checks on a file of hypotheses.
#ifndef TILEBOUND_DATA_SCHEMA_HYPOTHESIS_H_
#define TILEBOUND_DATA_SCHEMA_HYPOTHESIS_H_

#include "absl/status/status.h"
#include "data/schema/hypothesis.pb.h"

namespace tilebound {

// Errors name the hypothesis, the clause, the field, its value and what is
// accepted: no or repeated id; no statement, date, source or clause; unknown
// metric or axis; q outside [0, 1]; no relation; a threshold that is not a
// number; a RATIO without relative_to, or relative_to without RATIO; an axis
// without values.
absl::Status ValidateHypotheses(const pb::Hypotheses& hypotheses);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_HYPOTHESIS_H_
