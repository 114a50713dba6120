#include "model/arrivals.h"

#include <algorithm>
#include <cmath>

namespace tilebound::model {

Arrivals::Arrivals(const pb::Arrivals& arrivals, Random random)
    : process_(arrivals), random_(random) {}

int64_t Arrivals::First(int64_t start_ps) {
  first_ps_ = arrival_ps_ = due_ps_ = start_ps;
  busy_ps_ = 0;
  return start_ps;
}

int64_t Arrivals::Next(int64_t set_ps, int64_t end_ps) {
  // A device's set comes at a boundary, a little after it is due; that time is
  // not the event's.
  busy_ps_ += end_ps - set_ps;
  switch (process_.process()) {
    case pb::Arrivals::POISSON: {
      const double mean_ps = static_cast<double>(process_.mean_gap_ns()) * 1e3;
      arrival_ps_ += std::llround(-mean_ps * std::log1p(-random_.Unit()));
      waited_ += arrival_ps_ < end_ps;
      due_ps_ = std::max(arrival_ps_, end_ps);
      break;
    }
    case pb::Arrivals::CLOSED: {
      const double utilization = process_.utilization_ppm() * 1e-6;
      const double span_ps = static_cast<double>(busy_ps_) / utilization;
      due_ps_ = std::max(
          end_ps, first_ps_ + static_cast<int64_t>(std::llround(span_ps)));
      break;
    }
    default: {
      const uint64_t range_ps =
          (process_.max_gap_ns() - process_.min_gap_ns()) * 1000;
      due_ps_ = end_ps + static_cast<int64_t>(process_.min_gap_ns() * 1000 +
                                              random_.Below(range_ps + 1));
      break;
    }
  }
  return due_ps_;
}

double Arrivals::Utilization() const {
  const int64_t span_ps = due_ps_ - first_ps_;
  return span_ps > 0
             ? static_cast<double>(busy_ps_) / static_cast<double>(span_ps)
             : 0;
}

}  // namespace tilebound::model
