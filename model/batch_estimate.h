// A figure and its 95 % interval from observations that follow one another in
// time and may be correlated.
//
//   // mean_without(j) leaves batch j out; mean_without(kAllBatches) none.
//   Estimate mean = EstimateByBatches(20, mean_without);
//   std::cout << mean.value << " +- " << mean.standard_error;
//
// The observations are cut into batches, one after another in time. Batches
// much longer than the memory of the process are nearly independent of one
// another, whatever single observations are, so the spread among them says how
// well the figure is known: batch means (Law and Kelton, Simulation Modeling
// and Analysis, section 9.5.3). Leaving out one batch at a time (the jackknife)
// extends that from means to any smooth figure. Treating single observations
// as independent would give intervals that are too narrow.
#ifndef TILEBOUND_MODEL_BATCH_ESTIMATE_H_
#define TILEBOUND_MODEL_BATCH_ESTIMATE_H_

#include <functional>

namespace tilebound::model {

struct Estimate {
  double value = 0;
  double standard_error = 0;
  // 95 % interval, from Student's distribution.
  double low = 0;
  double high = 0;
};

inline constexpr int kAllBatches = -1;

// `figure(j)` is computed from all observations but batch j, 0 <= j < batches;
// `figure(kAllBatches)` from all. `batches` is at least 3.
Estimate EstimateByBatches(int batches,
                           const std::function<double(int left_out)>& figure);

// How far out 2.5 % of Student's distribution lie on either side, to 1e-3 for 5
// and more degrees of freedom (Abramowitz and Stegun 26.7.5). At least 2.
double StudentQuantile975(int degrees_of_freedom);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_BATCH_ESTIMATE_H_
