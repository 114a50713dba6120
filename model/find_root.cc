#include "model/find_root.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::model {

absl::StatusOr<double> FindRoot(
    double low, double high, double target,
    const std::function<absl::StatusOr<double>(double)>& function) {
  const double precision = 1e-4 * (high - low);
  TILEBOUND_ASSIGN_OR_RETURN(double at_low, function(low));
  TILEBOUND_ASSIGN_OR_RETURN(double at_high, function(high));
  if (target < std::min(at_low, at_high) ||
      target > std::max(at_low, at_high)) {
    return absl::OutOfRangeError(absl::StrCat(
        "values from ", std::min(at_low, at_high), " to ",
        std::max(at_low, at_high), " can be reached, ", target, " cannot"));
  }
  at_low -= target;
  at_high -= target;
  if (at_low == 0) return low;
  if (at_high == 0) return high;
  double x = low;
  for (int kept = 0, i = 0; i < 40 && high - low > precision; ++i) {
    x = high - at_high * (high - low) / (at_high - at_low);
    TILEBOUND_ASSIGN_OR_RETURN(double at_x, function(x));
    at_x -= target;
    if (at_x == 0) return x;
    if ((at_x < 0) == (at_high < 0)) {
      if (std::abs(high - x) < precision) return x;
      high = x;
      at_high = at_x;
      if (kept == 1) at_low /= 2;
      kept = 1;
    } else {
      if (std::abs(x - low) < precision) return x;
      low = x;
      at_low = at_x;
      if (kept == -1) at_high /= 2;
      kept = -1;
    }
  }
  return x;
}

}  // namespace tilebound::model
