#include "validate/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilebound::validate {

void Accuracy::Add(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::kNotCompared:
      ++not_compared_;
      return;
    case Verdict::kAgrees:
      ++agrees_;
      break;
    case Verdict::kOptimistic:
      ++optimistic_;
      break;
    case Verdict::kPessimistic:
      ++pessimistic_;
      break;
  }
  if (comparison.within) ++within_;
  const double p = *comparison.predicted, m = *comparison.measured;
  sum_difference_ += p - m;
  sum_absolute_difference_ += std::abs(p - m);
  if (const auto error = comparison.RelativeError()) {
    ++relative_;
    sum_relative_ += *error;
    sum_absolute_relative_ += std::abs(*error);
    worst_ = std::max(worst_, std::abs(*error));
  }
  const double n = static_cast<double>(compared());
  const double dp = p - mean_p_, dm = m - mean_m_;
  mean_p_ += dp / n;
  mean_m_ += dm / n;
  m2_p_ += dp * (p - mean_p_);
  m2_m_ += dm * (m - mean_m_);
  covariance_ += dp * (m - mean_m_);
}

std::optional<double> Accuracy::mape() const {
  if (relative_ == 0) return std::nullopt;
  return sum_absolute_relative_ / static_cast<double>(relative_);
}

std::optional<double> Accuracy::worst() const {
  if (relative_ == 0) return std::nullopt;
  return worst_;
}

std::optional<double> Accuracy::bias() const {
  if (relative_ == 0) return std::nullopt;
  return sum_relative_ / static_cast<double>(relative_);
}

std::optional<double> Accuracy::mean_absolute_difference() const {
  if (compared() == 0) return std::nullopt;
  return sum_absolute_difference_ / static_cast<double>(compared());
}

std::optional<double> Accuracy::mean_difference() const {
  if (compared() == 0) return std::nullopt;
  return sum_difference_ / static_cast<double>(compared());
}

std::optional<double> Accuracy::correlation() const {
  if (compared() < 3 || !(m2_p_ > 0) || !(m2_m_ > 0)) return std::nullopt;
  return covariance_ / std::sqrt(m2_p_ * m2_m_);
}

void AccuracyTable::Add(const Comparison& comparison) {
  const auto before = [](const MetricAccuracy& entry,
                         std::pair<const MetricInfo*, double> key) {
    return std::make_pair(entry.metric, entry.q) < key;
  };
  // Pointers into the registry's one vector are in its order.
  const auto key = std::make_pair(comparison.metric, comparison.q);
  auto at = std::lower_bound(entries_.begin(), entries_.end(), key, before);
  if (at == entries_.end() || at->metric != key.first || at->q != key.second) {
    at = entries_.insert(at, {comparison.metric, comparison.q, Accuracy()});
  }
  at->accuracy.Add(comparison);
}

const Accuracy* AccuracyTable::Find(absl::string_view metric, double q) const {
  for (const MetricAccuracy& entry : entries_) {
    if (entry.metric->name == metric && std::abs(entry.q - q) < 1e-9) {
      return &entry.accuracy;
    }
  }
  return nullptr;
}

}  // namespace tilebound::validate
