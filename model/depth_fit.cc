#include "model/depth_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace tilebound::model {
namespace {

// A deterministic tile has no standard error; a millionth of it keeps the
// weights finite.
constexpr double kLeastRelativeError = 1e-6;

Estimate WithInterval(double value, double variance) {
  constexpr double kNormal975 = 1.959963984540054;
  const double error = std::sqrt(variance);
  return {value, error, value - kNormal975 * error, value + kNormal975 * error};
}

}  // namespace

absl::StatusOr<DepthFit> FitDepth(const std::vector<DepthPoint>& points) {
  const auto differs = [&](const DepthPoint& p) { return p.k != points[0].k; };
  if (std::none_of(points.begin(), points.end(), differs)) {
    return absl::InvalidArgumentError(
        "how a tile grows with k takes tiles of two different k");
  }
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixX2d depths(count, 2);
  Eigen::VectorXd times(count);
  // Each row is divided by its standard error, so that plain least squares
  // weighs it.
  for (Eigen::Index i = 0; i < count; ++i) {
    const DepthPoint& point = points[i];
    const double error =
        std::max(point.standard_error, kLeastRelativeError * point.tile_us);
    depths(i, 0) = 1 / error;
    depths(i, 1) = point.k / error;
    times(i) = point.tile_us / error;
  }
  const Eigen::Vector2d line = depths.colPivHouseholderQr().solve(times);
  const Eigen::Matrix2d covariance = (depths.transpose() * depths).inverse();
  DepthFit fit;
  fit.chi_square = (times - depths * line).squaredNorm();
  fit.degrees_of_freedom = static_cast<int>(count) - 2;
  const double widen =
      fit.degrees_of_freedom == 0
          ? 1
          : std::max(1.0, fit.chi_square / fit.degrees_of_freedom);
  fit.fixed_us = WithInterval(line(0), covariance(0, 0) * widen);
  fit.per_k_us = WithInterval(line(1), covariance(1, 1) * widen);
  for (const DepthPoint& point : points) {
    fit.predicted_us.push_back(line(0) + line(1) * point.k);
  }
  return fit;
}

}  // namespace tilebound::model
