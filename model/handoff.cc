#include "model/handoff.h"

#include "data/schema/metric.h"

namespace tilebound::model {

HandoffMetrics::HandoffMetrics(uint64_t quantum_ps)
    : quantum_ps_(static_cast<int64_t>(quantum_ps)),
      latency_(quantum_ps),
      with_setter_(quantum_ps),
      first_(quantum_ps),
      spread_(quantum_ps),
      e2e_(quantum_ps) {}

uint64_t HandoffMetrics::Quanta(int64_t from_ps, int64_t to_ps) const {
  return static_cast<uint64_t>(to_ps / quantum_ps_ - from_ps / quantum_ps_);
}

void HandoffMetrics::Add(const HandoffEvent& event) {
  ++events_;
  const int64_t last = std::max(event.last_ps, event.setter_ps);
  with_setter_.Add(Quanta(event.set_ps, last));
  spread_.Add(Quanta(event.first_ps, last));
  first_.Add(Quanta(event.set_ps, event.first_ps));
  e2e_.Add(Quanta(event.set_ps, event.urgent_end_ps));
  if (!event.has_others) return;
  latency_.Add(Quanta(event.set_ps, event.last_ps));
  with_setter_block_ += event.has_setter;
  if (event.setter_ps > event.last_ps) ++setter_last_;
}

void HandoffMetrics::Merge(const HandoffMetrics& other) {
  // The quanta are equal by construction, so merging cannot fail.
  latency_.Merge(other.latency_).IgnoreError();
  with_setter_.Merge(other.with_setter_).IgnoreError();
  first_.Merge(other.first_).IgnoreError();
  spread_.Merge(other.spread_).IgnoreError();
  e2e_.Merge(other.e2e_).IgnoreError();
  events_ += other.events_;
  with_setter_block_ += other.with_setter_block_;
  setter_last_ += other.setter_last_;
  busy_ns_ += other.busy_ns_;
  span_ns_ += other.span_ns_;
}

std::vector<pb::Metric> HandoffMetrics::ToMetrics() const {
  std::vector<pb::Metric> metrics;
  constexpr char kAlone[] = "the setter is the only block";
  metrics.push_back(latency_.count() > 0
                        ? HistogramMetric(kLatency, latency_)
                        : AbsentMetric(kLatency, pb::Metric::SKIPPED, kAlone));
  metrics.push_back(HistogramMetric(kLatencyWithSetter, with_setter_));
  metrics.push_back(HistogramMetric(kFirst, first_));
  metrics.push_back(HistogramMetric(kSpread, spread_));
  metrics.push_back(HistogramMetric(kE2e, e2e_));
  if (with_setter_block_ > 0) {
    metrics.push_back(ScalarMetric(kSetterLast,
                                   100.0 * static_cast<double>(setter_last_) /
                                       static_cast<double>(events_),
                                   events_));
  } else if (latency_.count() == 0) {
    metrics.push_back(AbsentMetric(kSetterLast, pb::Metric::SKIPPED, kAlone));
  }
  if (span_ns_ > 0) {
    metrics.push_back(ScalarMetric(
        kUtilization,
        100.0 * static_cast<double>(busy_ns_) / static_cast<double>(span_ns_),
        events_));
  }
  return metrics;
}

}  // namespace tilebound::model
