// What the logs of one cell say: exact histograms of the handoff's times, who
// observed last, tile times by slot, and every anomaly by kind.
//
//   HandoffStats stats({.quantum_ns = 32, .setter_block = 0, .warmup = 100});
//   stats.Add(log);                    // one launch after another
//   for (pb::Metric& m : stats.Metrics()) *cell.add_metrics() = std::move(m);
#ifndef TILEBOUND_GPU_SUITES_HANDOFF_STATS_H_
#define TILEBOUND_GPU_SUITES_HANDOFF_STATS_H_

#include <cstdint>
#include <vector>

#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"
#include "gpu/harness/gates.h"
#include "gpu/harness/run_log.h"

namespace tilebound::gpu {

// No block sets: the host does.
inline constexpr uint32_t kNoSetterBlock = 0xFFFFFFFFu;

struct HandoffConditions {
  uint64_t quantum_ns = 1;
  // Left out of latency and first.
  uint32_t setter_block = 0;
  // First events of the first launch, left out of everything but anomalies.
  uint64_t warmup = 0;
};

class HandoffStats {
 public:
  explicit HandoffStats(const HandoffConditions& conditions);

  // `log.set_ns` is on the device's clock.
  void Add(const RunLog& log);

  // latency, latency_with_setter, first, spread, e2e, setter_last (device
  // setter), last_observer and tile_time by slot, corrupt, anomalies.
  std::vector<pb::Metric> Metrics() const;

  uint64_t events() const { return latency_.count(); }
  const Anomalies& anomalies() const { return anomalies_; }
  uint64_t corrupt() const { return corrupt_; }
  bool expired() const { return expired_; }

 private:
  // Whether the event is one to count; else its anomaly is noted.
  bool Whole(const RunLog& log, uint32_t event);
  void AddEvent(const RunLog& log, uint32_t event);
  void AddSlots(const RunLog& log);
  uint64_t Quanta(uint64_t later_ns, uint64_t earlier_ns) const;

  HandoffConditions conditions_;
  uint64_t seen_ = 0;
  Histogram latency_, latency_with_setter_, first_, spread_, e2e_;
  uint64_t setter_last_ = 0;
  uint64_t corrupt_ = 0;
  bool expired_ = false;
  Anomalies anomalies_;
  // By slot: events in which it observed last; block time and tiles done.
  std::vector<uint64_t> last_by_slot_;
  std::vector<double> slot_us_;
  std::vector<uint64_t> slot_tiles_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_HANDOFF_STATS_H_
