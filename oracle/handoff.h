// The handoff latency found in a trace: for each event, from its set to the
// first and the last block that observed it, and to the end of its urgent work.
//
//   HandoffLedger ledger(sets, quantum_ps);
//   ledger.OnRecord(stream_id, record);          // every record of an event
//   HandoffSummary summary = ledger.Summarize();
//   summary.latency.p99_ps
#ifndef TILEBOUND_ORACLE_HANDOFF_H_
#define TILEBOUND_ORACLE_HANDOFF_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "data/trace/record.h"
#include "oracle/set_table.h"

namespace tilebound::oracle {

// Quantile q of n values is the ceil(q n)-th smallest.
struct Quantiles {
  uint64_t n = 0;
  int64_t p50_ps = 0;
  int64_t p90_ps = 0;
  int64_t p95_ps = 0;
  int64_t p99_ps = 0;
  int64_t max_ps = 0;
};
Quantiles QuantilesOf(std::vector<int64_t> values);

struct HandoffSummary {
  // Set to last observation, the setter's own left out.
  Quantiles latency;
  // Set to last observation of any block.
  Quantiles latency_with_setter;
  // Set to first observation, the setter's own left out.
  Quantiles first;
  // Set to the last end of urgent work.
  Quantiles e2e;
};

class HandoffLedger {
 public:
  // Stamps are floored to the quantum before they are subtracted; 1 for none.
  HandoffLedger(const SetTable& sets, int64_t quantum_ps);

  void OnRecord(uint32_t stream, const Record& record);
  // Takes over what another thread gathered.
  void Absorb(const HandoffLedger& other);
  // Over the events that anybody observed (ended, for e2e).
  HandoffSummary Summarize() const;

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  struct Times {
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t last = kNever;
    int64_t setter = kNever;
    int64_t urgent_end = kNever;
  };

  const SetTable& sets_;
  const int64_t quantum_;
  std::vector<Times> times_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_HANDOFF_H_
