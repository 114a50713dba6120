// Sums of comparisons: how many agree, mean absolute percentage error, bias.
//
//   Accuracy accuracy;
//   for (const Comparison& c : comparisons) accuracy.Add(c);
//   accuracy.mape();          // 0.032: 3.2 % off on average
#ifndef TILEBOUND_VALIDATE_STATISTICS_H_
#define TILEBOUND_VALIDATE_STATISTICS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "validate/comparison.h"

namespace tilebound::validate {

// Accuracy over any set of comparisons of one metric and quantile.
class Accuracy {
 public:
  void Add(const Comparison& comparison);

  size_t agrees() const { return agrees_; }
  size_t optimistic() const { return optimistic_; }
  size_t pessimistic() const { return pessimistic_; }
  size_t not_compared() const { return not_compared_; }
  size_t compared() const { return agrees_ + optimistic_ + pessimistic_; }
  // Predicted within the band alone, which the interval does not widen.
  size_t within() const { return within_; }

  // Mean of |predicted - measured| / measured, its largest value, and the mean
  // with sign; shares, not percent. Nothing for figures in percent.
  std::optional<double> mape() const;
  std::optional<double> worst() const;
  std::optional<double> bias() const;
  // The same in the metric's unit; nothing if nothing was compared.
  std::optional<double> mean_absolute_difference() const;
  std::optional<double> mean_difference() const;
  // Pearson's r of predicted and measured; nothing for under three pairs or
  // when a side is constant.
  std::optional<double> correlation() const;

 private:
  size_t agrees_ = 0, optimistic_ = 0, pessimistic_ = 0, not_compared_ = 0;
  size_t within_ = 0, relative_ = 0;
  double sum_relative_ = 0, sum_absolute_relative_ = 0, worst_ = 0;
  double sum_difference_ = 0, sum_absolute_difference_ = 0;
  // Means and centred second moments, updated one pair at a time (Welford).
  double mean_p_ = 0, mean_m_ = 0, m2_p_ = 0, m2_m_ = 0, covariance_ = 0;
};

struct MetricAccuracy {
  const MetricInfo* metric;
  double q;
  Accuracy accuracy;
};

// One entry a metric and quantile, in the order of the metric registry; slots
// of one metric are summed together.
class AccuracyTable {
 public:
  void Add(const Comparison& comparison);
  const std::vector<MetricAccuracy>& entries() const { return entries_; }
  // nullptr if nothing was added for it.
  const Accuracy* Find(absl::string_view metric, double q) const;

 private:
  std::vector<MetricAccuracy> entries_;
};

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_STATISTICS_H_
