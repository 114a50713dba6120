#include "gpu/suites/handoff_stats.h"

#include <algorithm>

#include "data/schema/metric.h"

namespace tilebound::gpu {
namespace {

// Observations of one event.
struct Observations {
  uint64_t first_ns = ~uint64_t{0};
  uint64_t last_ns = 0;
  uint64_t last_with_setter_ns = 0;
  uint32_t last_block = 0;
};

Observations Observe(const RunLog& log, uint32_t event, uint32_t setter) {
  Observations seen;
  for (uint32_t block = 0; block < log.blocks; ++block) {
    const uint64_t at = log.observed(event, block);
    seen.last_with_setter_ns = std::max(seen.last_with_setter_ns, at);
    if (block == setter) continue;
    seen.first_ns = std::min(seen.first_ns, at);
    if (at > seen.last_ns) {
      seen.last_ns = at;
      seen.last_block = block;
    }
  }
  return seen;
}

double Percent(uint64_t part, uint64_t whole) {
  return whole == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

HandoffStats::HandoffStats(const HandoffConditions& conditions)
    : conditions_(conditions),
      latency_(conditions.quantum_ns * 1000),
      latency_with_setter_(conditions.quantum_ns * 1000),
      first_(conditions.quantum_ns * 1000),
      spread_(conditions.quantum_ns * 1000),
      e2e_(conditions.quantum_ns * 1000) {}

uint64_t HandoffStats::Quanta(uint64_t later_ns, uint64_t earlier_ns) const {
  return later_ns / conditions_.quantum_ns -
         earlier_ns / conditions_.quantum_ns;
}

bool HandoffStats::Whole(const RunLog& log, uint32_t event) {
  if (log.set_ns[event] == 0) {
    ++anomalies_.unset;
    return false;
  }
  if (log.claim_ns[event] == 0) {
    ++anomalies_.unclaimed;
    return false;
  }
  if (log.end_ns[event] == 0) {
    ++anomalies_.incomplete;
    return false;
  }
  for (uint32_t block = 0; block < log.blocks; ++block) {
    const uint64_t at = log.observed(event, block);
    if (at == 0) {
      ++anomalies_.unobserved;
      return false;
    }
    if (at < log.set_ns[event]) {
      ++anomalies_.out_of_order;
      return false;
    }
  }
  return true;
}

void HandoffStats::AddEvent(const RunLog& log, uint32_t event) {
  const uint64_t set = log.set_ns[event];
  const Observations seen = Observe(log, event, conditions_.setter_block);
  e2e_.Add(Quanta(log.end_ns[event], set));
  latency_with_setter_.Add(Quanta(seen.last_with_setter_ns, set));
  // A grid of the setter alone has nobody else to observe.
  if (seen.last_ns == 0) return;
  latency_.Add(Quanta(seen.last_ns, set));
  first_.Add(Quanta(seen.first_ns, set));
  spread_.Add(Quanta(seen.last_with_setter_ns,
                     std::min(seen.first_ns, seen.last_with_setter_ns)));
  if (seen.last_with_setter_ns > seen.last_ns) ++setter_last_;
  const uint32_t slot = log.block[seen.last_block].slot;
  if (slot >= last_by_slot_.size()) last_by_slot_.resize(slot + 1);
  ++last_by_slot_[slot];
}

void HandoffStats::AddSlots(const RunLog& log) {
  for (const BlockInfo& info : log.block) {
    if (info.slot >= slot_us_.size()) {
      slot_us_.resize(info.slot + 1);
      slot_tiles_.resize(info.slot + 1);
    }
    slot_us_[info.slot] +=
        static_cast<double>(info.end_ns - info.start_ns) / 1e3;
    slot_tiles_[info.slot] += info.tiles;
  }
}

void HandoffStats::Add(const RunLog& log) {
  expired_ = expired_ || log.expired;
  for (uint32_t event = 0; event < log.events; ++event, ++seen_) {
    if (!Whole(log, event) || seen_ < conditions_.warmup) continue;
    AddEvent(log, event);
  }
  for (uint8_t wrong : log.urgent_corrupt) corrupt_ += wrong;
  for (uint8_t wrong : log.restarted_corrupt) corrupt_ += wrong;
  corrupt_ += log.background_corrupt;
  AddSlots(log);
}

std::vector<pb::Metric> HandoffStats::Metrics() const {
  std::vector<pb::Metric> metrics;
  const auto distribution = [&](const char* name, const Histogram& values) {
    metrics.push_back(values.count() == 0
                          ? AbsentMetric(name, pb::Metric::FAILED,
                                         "no event without an anomaly")
                          : HistogramMetric(name, values));
  };
  distribution(kLatency, latency_);
  distribution(kLatencyWithSetter, latency_with_setter_);
  distribution(kFirst, first_);
  distribution(kSpread, spread_);
  distribution(kE2e, e2e_);
  if (conditions_.setter_block != kNoSetterBlock) {
    metrics.push_back(ScalarMetric(kSetterLast,
                                   Percent(setter_last_, latency_.count()),
                                   latency_.count()));
  }
  for (uint32_t slot = 0; slot < slot_us_.size(); ++slot) {
    if (slot_tiles_[slot] != 0) {
      metrics.push_back(ScalarMetric(
          kTileTime, slot_us_[slot] / static_cast<double>(slot_tiles_[slot]),
          slot_tiles_[slot]));
      metrics.back().set_slot(slot);
    }
    const uint64_t last = slot < last_by_slot_.size() ? last_by_slot_[slot] : 0;
    metrics.push_back(ScalarMetric(
        kLastObserver, Percent(last, latency_.count()), latency_.count()));
    metrics.back().set_slot(slot);
  }
  metrics.push_back(
      ScalarMetric("corrupt", static_cast<double>(corrupt_), seen_));
  metrics.push_back(ScalarMetric(
      "anomalies", static_cast<double>(anomalies_.total()), seen_));
  return metrics;
}

}  // namespace tilebound::gpu
