#include "model/batch_estimate.h"

#include <cmath>
#include <vector>

namespace tilebound::model {

double StudentQuantile975(int degrees_of_freedom) {
  constexpr double kNormal = 1.959963984540054;
  const double z2 = kNormal * kNormal;
  const double n = degrees_of_freedom;
  const double g1 = (z2 + 1) / 4;
  const double g2 = ((5 * z2 + 16) * z2 + 3) / 96;
  const double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const double g4 =
      ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return kNormal *
         (1 + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n));
}

Estimate EstimateByBatches(int batches,
                           const std::function<double(int)>& figure) {
  std::vector<double> without(batches);
  double mean = 0;
  for (int j = 0; j < batches; ++j) {
    without[j] = figure(j);
    mean += without[j] / batches;
  }
  double squares = 0;
  for (double value : without) squares += (value - mean) * (value - mean);
  Estimate estimate;
  estimate.value = figure(kAllBatches);
  estimate.standard_error = std::sqrt(squares * (batches - 1) / batches);
  const double half = StudentQuantile975(batches - 1) * estimate.standard_error;
  estimate.low = estimate.value - half;
  estimate.high = estimate.value + half;
  return estimate;
}

}  // namespace tilebound::model
