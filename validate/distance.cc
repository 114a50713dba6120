#include "validate/distance.h"

#include <algorithm>
#include <cmath>

namespace tilebound::validate {
namespace {

constexpr double kLow = 0.05, kHigh = 0.95;

// A histogram walked in ascending order: the current value and the share of
// values up to and including it.
class Walk {
 public:
  explicit Walk(const Histogram& histogram)
      : histogram_(histogram), at_(histogram.bins().begin()) {
    cumulative_ = Share(at_->second);
  }
  bool done() const { return at_ == histogram_.bins().end(); }
  double value() const {
    return histogram_.ToMicroseconds(static_cast<double>(at_->first));
  }
  double cumulative() const { return cumulative_; }
  void Next() {
    seen_ += at_->second;
    if (++at_ != histogram_.bins().end()) {
      cumulative_ = Share(seen_ + at_->second);
    }
  }

 private:
  double Share(uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(histogram_.count());
  }
  const Histogram& histogram_;
  absl::btree_map<uint64_t, uint64_t>::const_iterator at_;
  uint64_t seen_ = 0;
  double cumulative_;
};

double Overlap(double from, double to, double low, double high) {
  return std::max(0.0, std::min(to, high) - std::max(from, low));
}

double LargestGap(const Histogram& a, const Histogram& b) {
  double gap = 0, share_a = 0, share_b = 0;
  Walk x(a), y(b);
  while (!x.done() || !y.done()) {
    const double value = x.done()   ? y.value()
                         : y.done() ? x.value()
                                    : std::min(x.value(), y.value());
    if (!x.done() && x.value() == value) {
      share_a = x.cumulative();
      x.Next();
    }
    if (!y.done() && y.value() == value) {
      share_b = y.cumulative();
      y.Next();
    }
    gap = std::max(gap, std::abs(share_a - share_b));
  }
  return gap;
}

}  // namespace

DistributionDistance Distance(const Histogram& predicted,
                              const Histogram& measured) {
  DistributionDistance distance;
  double low = 0, body = 0, tail = 0, mean = 0, p = 0;
  Walk x(predicted), y(measured);
  while (!x.done() && !y.done()) {
    // Both quantile functions are constant from p to `next`.
    const double next = std::min(x.cumulative(), y.cumulative());
    const double shift = std::abs(x.value() - y.value());
    low += shift * Overlap(p, next, 0, kLow);
    body += shift * Overlap(p, next, kLow, kHigh);
    tail += shift * Overlap(p, next, kHigh, 1);
    mean += y.value() * (next - p);
    p = next;
    const bool step_x = x.cumulative() <= next, step_y = y.cumulative() <= next;
    if (step_x) x.Next();
    if (step_y) y.Next();
  }
  distance.mean_shift_us = low + body + tail;
  if (mean > 0) distance.relative = distance.mean_shift_us / mean;
  if (distance.mean_shift_us > 0) {
    distance.low_share = low / distance.mean_shift_us;
    distance.body_share = body / distance.mean_shift_us;
    distance.tail_share = tail / distance.mean_shift_us;
  }
  distance.largest_gap = LargestGap(predicted, measured);
  return distance;
}

}  // namespace tilebound::validate
