// How far two distributions are apart, and whether body or tail is to blame.
//
//   DistributionDistance d = Distance(predicted, measured);
//   d.mean_shift_us      // how far the average event would have to move
#ifndef TILEBOUND_VALIDATE_DISTANCE_H_
#define TILEBOUND_VALIDATE_DISTANCE_H_

#include "data/schema/histogram.h"

namespace tilebound::validate {

struct DistributionDistance {
  // Wasserstein-1: the mean over p of |F^-1(p) - G^-1(p)|, microseconds.
  double mean_shift_us = 0;
  // The same as a share of the measured mean.
  double relative = 0;
  // Kolmogorov-Smirnov: the largest difference of the two distribution
  // functions, in [0, 1].
  double largest_gap = 0;
  // Shares of mean_shift_us that come from p in (0, 0.05], (0.05, 0.95] and
  // (0.95, 1]; all 0 for equal distributions.
  double low_share = 0;
  double body_share = 0;
  double tail_share = 0;
};

// Both must hold a value. Quanta may differ: values count as their lower edge
// in microseconds.
DistributionDistance Distance(const Histogram& predicted,
                              const Histogram& measured);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_DISTANCE_H_
