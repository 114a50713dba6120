#include "gpu/harness/regression.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace tilebound::gpu {

absl::StatusOr<Line> FitLine(const std::vector<double>& x,
                             const std::vector<double>& y) {
  if (x.size() != y.size() || x.size() < 3) {
    return absl::InvalidArgumentError(
        absl::StrCat("a line through ", x.size(), " x and ", y.size(),
                     " y; at least 3 pairs are needed"));
  }
  const double n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  // Centered first: the sums of squares of nanoseconds since boot would lose
  // what is to be measured.
  double xx = 0, xy = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
  }
  if (xx <= 0 || yy <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a line through ", x.size(), " pairs whose ",
                     xx <= 0 ? "x" : "y", " are all alike; they must vary"));
  }
  const double slope = xy / xx;
  return Line{.slope = slope,
              .intercept = mean_y - slope * mean_x,
              .correlation = xy / std::sqrt(xx * yy)};
}

}  // namespace tilebound::gpu
