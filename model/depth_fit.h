// How a tile's time grows with its depth: a + b k, by weighted least squares.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       DepthFit fit, FitDepth({{.k = 32, .tile_us = 6.7, .standard_error =
//       .02},
//                               {.k = 64, .tile_us = 10.3, .standard_error =
//                               .02}}));
//   fit.fixed_us.value, fit.per_k_us.value
//
// A tile whose chunks all take the same time is a straight line in k; what the
// residuals show beyond chance is a tile that is not (a pipeline that fills, a
// matrix that falls out of a cache).
#ifndef TILEBOUND_MODEL_DEPTH_FIT_H_
#define TILEBOUND_MODEL_DEPTH_FIT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "model/batch_estimate.h"

namespace tilebound::model {

struct DepthPoint {
  uint32_t k;
  double tile_us;
  double standard_error;
};

struct DepthFit {
  // Time at k = 0, and what each unit of k adds.
  Estimate fixed_us;
  Estimate per_k_us;
  // What the line says at each point, in the order given.
  std::vector<double> predicted_us;
  // Sum of squared residuals in standard errors, and points less two. With two
  // points the line goes through both and nothing is tested.
  double chi_square = 0;
  int degrees_of_freedom = 0;
};

// Intervals come from the points' standard errors, widened by the square root
// of chi_square over the degrees of freedom where that is over 1, so that
// points off the line are not taken for a line well known. Error if fewer than
// two different depths are given.
absl::StatusOr<DepthFit> FitDepth(const std::vector<DepthPoint>& points);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_DEPTH_FIT_H_
