#include "data/schema/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"

namespace tilebound {
namespace {

// log of the binomial probability of k successes among n.
double LogBinomial(uint64_t n, uint64_t k, double q) {
  const double nd = static_cast<double>(n), kd = static_cast<double>(k);
  return std::lgamma(nd + 1) - std::lgamma(kd + 1) - std::lgamma(nd - kd + 1) +
         kd * std::log(q) + (nd - kd) * std::log1p(-q);
}

// P(B <= k) for B ~ Binomial(n, q), summed over the terms that matter.
class BinomialTail {
 public:
  BinomialTail(uint64_t n, double q) : first_(0) {
    const double mean = q * static_cast<double>(n);
    const double reach = 12 * std::sqrt(mean * (1 - q)) + 40;
    first_ = static_cast<uint64_t>(std::max(0.0, std::floor(mean - reach)));
    const uint64_t last = static_cast<uint64_t>(
        std::min(static_cast<double>(n), std::ceil(mean + reach)));
    double sum = 0;
    for (uint64_t k = first_; k <= last; ++k) {
      sum += std::exp(LogBinomial(n, k, q));
      cumulative_.push_back(sum);
    }
  }

  // k may be -1.
  double AtMost(int64_t k) const {
    if (k < static_cast<int64_t>(first_)) return 0;
    const size_t index = static_cast<size_t>(k) - first_;
    return index < cumulative_.size() ? cumulative_[index] : 1.0;
  }

  uint64_t first() const { return first_; }
  uint64_t last() const { return first_ + cumulative_.size() - 1; }

 private:
  uint64_t first_;
  std::vector<double> cumulative_;
};

// Up to here the binomial is summed term by term; beyond, ranks are so many
// that its normal limit is off by less than a rank in a thousand.
constexpr uint64_t kMostExactRanks = 10'000'000;

// The normal limit of the binomial ranks: n q -+ z sqrt(n q (1 - q)).
RankInterval NormalRanks(double q, uint64_t n, double confidence) {
  double below = 0, z = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (below + z) / 2;
    (std::erf(middle / std::sqrt(2.0)) < confidence ? below : z) = middle;
  }
  const double nd = static_cast<double>(n);
  const double reach = z * std::sqrt(nd * q * (1 - q));
  const double low = std::floor(nd * q - reach);
  const double high = std::ceil(nd * q + reach) + 1;
  return {low < 1 ? 1 : static_cast<uint64_t>(low),
          high >= nd ? n : static_cast<uint64_t>(high), confidence};
}

absl::Status CheckQuantile(double q, uint64_t count) {
  if (count == 0) return absl::FailedPreconditionError("histogram is empty");
  if (!(q > 0 && q <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("quantile ", q, " is outside (0, 1]"));
  }
  return absl::OkStatus();
}

}  // namespace

uint64_t QuantileRank(double q, uint64_t n) {
  const double exact = q * static_cast<double>(n);
  // A product that is whole but for rounding counts as whole.
  const double slack = 1e-9 * std::max(1.0, exact);
  const double rank = std::ceil(exact - slack);
  return std::clamp<uint64_t>(static_cast<uint64_t>(std::max(1.0, rank)), 1, n);
}

RankInterval OrderStatisticRanks(double q, uint64_t n, double confidence) {
  if (n > kMostExactRanks) return NormalRanks(q, n, confidence);
  // The rank of the true quantile among the values is Binomial(n, q): it lies
  // in [X(low), X(high)] when low <= B <= high - 1.
  const BinomialTail tail(n, q);
  const double alpha = (1 - confidence) / 2;
  uint64_t low = 0;
  for (uint64_t k = tail.first(); k <= tail.last(); ++k) {
    if (tail.AtMost(static_cast<int64_t>(k) - 1) > alpha) break;
    low = k;
  }
  uint64_t high = n + 1;
  for (uint64_t k = tail.last() + 1; k > tail.first(); --k) {
    if (1 - tail.AtMost(static_cast<int64_t>(k) - 1) > alpha) break;
    high = k;
  }
  // Without an order statistic on one side that side is open; the extreme seen
  // stands in and the coverage says what it is worth.
  low = std::max<uint64_t>(low, 1);
  high = std::min<uint64_t>(high, n);
  const double coverage = tail.AtMost(static_cast<int64_t>(high) - 1) -
                          tail.AtMost(static_cast<int64_t>(low) - 1);
  return RankInterval{low, high, coverage};
}

absl::StatusOr<Histogram> Histogram::FromProto(const pb::Histogram& proto) {
  if (proto.quantum_ps() == 0) {
    return absl::InvalidArgumentError(
        "histogram.quantum_ps is 0; a positive number of picoseconds is "
        "needed");
  }
  if (proto.bin_size() != proto.count_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "histogram has ", proto.bin_size(), " bins and ", proto.count_size(),
        " counts; one count per bin is needed"));
  }
  Histogram histogram(proto.quantum_ps());
  for (int i = 0; i < proto.bin_size(); ++i) {
    if (i > 0 && proto.bin(i) <= proto.bin(i - 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("histogram.bin ", proto.bin(i), " follows ",
                       proto.bin(i - 1), "; bins must ascend"));
    }
    if (proto.count(i) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "histogram.count of bin ", proto.bin(i), " is 0; leave the bin out"));
    }
    if (proto.count(i) >
        std::numeric_limits<uint64_t>::max() - histogram.count_) {
      return absl::InvalidArgumentError("histogram counts overflow 64 bits");
    }
    histogram.Add(proto.bin(i), proto.count(i));
  }
  return histogram;
}

pb::Histogram Histogram::ToProto() const {
  pb::Histogram proto;
  proto.set_quantum_ps(quantum_ps_);
  for (const auto& [bin, count] : bins_) {
    proto.add_bin(bin);
    proto.add_count(count);
  }
  return proto;
}

void Histogram::Add(uint64_t quanta, uint64_t count) {
  if (count == 0) return;
  bins_[quanta] += count;
  count_ += count;
}

absl::Status Histogram::Merge(const Histogram& other) {
  if (other.quantum_ps_ != quantum_ps_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot merge a histogram in quanta of ", other.quantum_ps_,
        " ps into one of ", quantum_ps_, " ps"));
  }
  if (other.count_ > std::numeric_limits<uint64_t>::max() - count_) {
    return absl::InvalidArgumentError("histogram counts overflow 64 bits");
  }
  for (const auto& [bin, count] : other.bins_) Add(bin, count);
  return absl::OkStatus();
}

uint64_t Histogram::ValueAtRank(uint64_t rank) const {
  uint64_t seen = 0;
  for (const auto& [bin, count] : bins_) {
    seen += count;
    if (seen >= rank) return bin;
  }
  return bins_.rbegin()->first;
}

absl::StatusOr<uint64_t> Histogram::Quantile(double q) const {
  if (absl::Status valid = CheckQuantile(q, count_); !valid.ok()) return valid;
  return ValueAtRank(QuantileRank(q, count_));
}

absl::StatusOr<double> Histogram::Mean() const {
  if (count_ == 0) return absl::FailedPreconditionError("histogram is empty");
  double sum = 0;
  for (const auto& [bin, count] : bins_) {
    sum += static_cast<double>(bin) * static_cast<double>(count);
  }
  return sum / static_cast<double>(count_);
}

absl::StatusOr<uint64_t> Histogram::Max() const {
  if (count_ == 0) return absl::FailedPreconditionError("histogram is empty");
  return bins_.rbegin()->first;
}

absl::StatusOr<QuantileInterval> Histogram::Interval(double q,
                                                     double confidence) const {
  if (absl::Status valid = CheckQuantile(q, count_); !valid.ok()) return valid;
  if (!(confidence > 0 && confidence < 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("confidence ", confidence, " is outside (0, 1)"));
  }
  if (q == 1) {
    return QuantileInterval{bins_.rbegin()->first, bins_.rbegin()->first, 0};
  }
  const RankInterval ranks = OrderStatisticRanks(q, count_, confidence);
  return QuantileInterval{ValueAtRank(ranks.low), ValueAtRank(ranks.high),
                          ranks.coverage};
}

}  // namespace tilebound
