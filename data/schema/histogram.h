// An exact distribution of durations in whole quanta: what a metric keeps so
// that runs, shards and machines can be merged without loss.
//
//   Histogram latency(1'024'000);        // ps in one tick of the A10's timer
//   latency.Add(63);                     // one event of 63 ticks
//   uint64_t p99 = *latency.Quantile(0.99);
//   QuantileInterval band = *latency.Interval(0.99, 0.95);
//
// A quantile q of n values is the ceil(q n)-th smallest, here and everywhere.
#ifndef TILEBOUND_DATA_SCHEMA_HISTOGRAM_H_
#define TILEBOUND_DATA_SCHEMA_HISTOGRAM_H_

#include <cstdint>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

// Order statistics around a quantile.
struct QuantileInterval {
  // Values in quanta, low <= high.
  uint64_t low;
  uint64_t high;
  // Chance that [low, high] holds the true quantile of a continuous
  // distribution; under the asked confidence where n is too small to reach it,
  // in which case low or high is the smallest or largest value seen.
  double coverage;
};

// The rank (1-based) of quantile q among n values: ceil(q n), at least 1.
// Computed so that 0.99 of 100 is 99, whatever the binary form of 0.99 is.
uint64_t QuantileRank(double q, uint64_t n);

// Ranks (1-based) of the order statistics around a quantile, and what the pair
// covers; see QuantileInterval.
struct RankInterval {
  uint64_t low;
  uint64_t high;
  double coverage;
};

// The narrowest pair of order statistics, equal tails, that holds quantile q of
// a continuous distribution with probability `confidence` (exact binomial,
// beyond ten million values its normal limit; David & Nagaraja, Order
// Statistics, 3rd ed., section 7.1). It depends on the number of values only,
// so that callers with many cells can keep it. Needs n > 0, q and confidence in
// (0, 1).
RankInterval OrderStatisticRanks(double q, uint64_t n, double confidence);

class Histogram {
 public:
  // `quantum_ps` is the length of one quantum in picoseconds.
  explicit Histogram(uint64_t quantum_ps) : quantum_ps_(quantum_ps) {}

  // Errors: quantum 0, bins not ascending, a count of 0, unequal lengths.
  static absl::StatusOr<Histogram> FromProto(const pb::Histogram& proto);
  pb::Histogram ToProto() const;

  void Add(uint64_t quanta, uint64_t count = 1);
  // Error if the quanta differ: values cannot be added across timers.
  absl::Status Merge(const Histogram& other);

  uint64_t quantum_ps() const { return quantum_ps_; }
  uint64_t count() const { return count_; }
  const absl::btree_map<uint64_t, uint64_t>& bins() const { return bins_; }

  // Statistics in quanta. Error (kFailedPrecondition) for an empty histogram;
  // Quantile and Interval also for q outside (0, 1].
  absl::StatusOr<uint64_t> Quantile(double q) const;
  absl::StatusOr<double> Mean() const;
  absl::StatusOr<uint64_t> Max() const;

  // The values at OrderStatisticRanks.
  absl::StatusOr<QuantileInterval> Interval(double q, double confidence) const;

  // The rank-th smallest value in quanta; needs 1 <= rank <= count().
  uint64_t ValueAtRank(uint64_t rank) const;

  double ToMicroseconds(double quanta) const {
    return quanta * static_cast<double>(quantum_ps_) / 1e6;
  }

 private:
  uint64_t quantum_ps_;
  uint64_t count_ = 0;
  absl::btree_map<uint64_t, uint64_t> bins_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_HISTOGRAM_H_
