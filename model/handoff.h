// What one event amounts to, and the metrics of many.
//
// An event is a set of the flag; its observations are one time per block. All
// stamps are floored to the timer's quantum before they are subtracted, as a
// measurement on the part would do.
#ifndef TILEBOUND_MODEL_HANDOFF_H_
#define TILEBOUND_MODEL_HANDOFF_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

// Times are absolute picoseconds.
struct HandoffEvent {
  int64_t set_ps;
  // First and last block but the setter; the setter's own if it is alone.
  int64_t first_ps;
  int64_t last_ps;
  int64_t setter_ps;
  // All urgent tiles done.
  int64_t urgent_end_ps;
  // Whether there is any block besides the setter.
  bool has_others;
  // Whether a block raises the flag; if not, setter_ps is set_ps, and first and
  // last are over all blocks.
  bool has_setter = true;
};

// One urgent tile as the queue gave it out.
struct UrgentTile {
  uint32_t block;
  int64_t begin_ps;
  int64_t end_ps;
};

// Gives `urgent_tiles` out to blocks in the order in which they ask: first at
// `ask_ps`, when they have observed the flag and made their way to the queue,
// then whenever they have finished an urgent tile.
// `next_boundary(block, n)` is the start of the n-th tile after the block's
// observation (n >= 1), so it ends the n-th tile the block runs from then on.
// Equal times go to the lower block.
template <typename NextBoundary>
std::vector<UrgentTile> DealUrgentTiles(uint32_t urgent_tiles,
                                        const std::vector<int64_t>& ask_ps,
                                        NextBoundary next_boundary) {
  using Request = std::tuple<int64_t, uint32_t, uint32_t>;  // time, block, nth
  std::vector<UrgentTile> dealt;
  if (urgent_tiles == 0) return dealt;
  std::vector<Request> first;
  for (uint32_t block = 0; block < ask_ps.size(); ++block) {
    first.emplace_back(ask_ps[block], block, 1);
  }
  std::priority_queue<Request, std::vector<Request>, std::greater<>> waiting(
      std::greater<>(), std::move(first));
  while (dealt.size() < urgent_tiles) {
    const auto [time, block, nth] = waiting.top();
    waiting.pop();
    const int64_t end = next_boundary(block, nth);
    dealt.push_back({block, time, end});
    waiting.emplace(end, block, nth + 1);
  }
  return dealt;
}

// Accumulates the metrics of one cell.
class HandoffMetrics {
 public:
  explicit HandoffMetrics(uint64_t quantum_ps);

  void Add(const HandoffEvent& event);
  // Adds what another accumulator of the same quantum has seen.
  void Merge(const HandoffMetrics& other);

  // Counts an event of `busy_ps` in a stretch of `span_ps` that ends where the
  // next event is due.
  void AddTime(int64_t busy_ps, int64_t span_ps) {
    busy_ns_ += static_cast<uint64_t>(busy_ps) / 1000;
    span_ns_ += static_cast<uint64_t>(span_ps) / 1000;
  }

  // latency, latency_with_setter, first, spread, e2e, setter_last (if a block
  // raises the flag), utilization.
  std::vector<pb::Metric> ToMetrics() const;

 private:
  uint64_t Quanta(int64_t from_ps, int64_t to_ps) const;

  int64_t quantum_ps_;
  Histogram latency_;
  Histogram with_setter_;
  Histogram first_;
  Histogram spread_;
  Histogram e2e_;
  uint64_t events_ = 0;
  uint64_t with_setter_block_ = 0;
  uint64_t setter_last_ = 0;
  // Integers, so that sums do not depend on their order.
  uint64_t busy_ns_ = 0;
  uint64_t span_ns_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_HANDOFF_H_
