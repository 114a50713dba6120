// A straight line through pairs, for statements of the form "each queued task
// adds so many nanoseconds".
//
//   TILEBOUND_ASSIGN_OR_RETURN(const Line line, FitLine(queued, wait_ns));
//   line.slope         ns per queued task
//   line.correlation   Pearson's r
#ifndef TILEBOUND_GPU_HARNESS_REGRESSION_H_
#define TILEBOUND_GPU_HARNESS_REGRESSION_H_

#include <vector>

#include "absl/status/statusor.h"

namespace tilebound::gpu {

struct Line {
  double slope = 0;
  double intercept = 0;
  double correlation = 0;
};

// Least squares of y on x. Errors: unequal lengths, fewer than 3 pairs, x or y
// all alike (then there is no correlation to speak of).
absl::StatusOr<Line> FitLine(const std::vector<double>& x,
                             const std::vector<double>& y);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_REGRESSION_H_
