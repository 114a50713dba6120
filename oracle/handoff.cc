#include "oracle/handoff.h"

#include <algorithm>

namespace tilebound::oracle {
namespace {

int64_t FloorTo(int64_t time, int64_t quantum) {
  const int64_t rest = time % quantum;
  return time - (rest < 0 ? rest + quantum : rest);
}

}  // namespace

Quantiles QuantilesOf(std::vector<int64_t> values) {
  Quantiles quantiles;
  quantiles.n = values.size();
  if (values.empty()) return quantiles;
  std::sort(values.begin(), values.end());
  const auto at = [&values](uint64_t percent) {
    return values[(percent * values.size() + 99) / 100 - 1];
  };
  quantiles.p50_ps = at(50);
  quantiles.p90_ps = at(90);
  quantiles.p95_ps = at(95);
  quantiles.p99_ps = at(99);
  quantiles.max_ps = at(100);
  return quantiles;
}

HandoffLedger::HandoffLedger(const SetTable& sets, int64_t quantum_ps)
    : sets_(sets), quantum_(quantum_ps), times_(sets.events().size()) {}

void HandoffLedger::OnRecord(uint32_t stream, const Record& record) {
  const bool observe = record.kind == RecordKind::kObserve;
  if (!observe && record.kind != RecordKind::kUrgentEnd) return;
  const SetTable::Event* set = sets_.Find(record.value);
  if (set == nullptr) return;
  Times& times = times_[sets_.IndexOf(*set)];
  if (!observe) {
    times.urgent_end = std::max(times.urgent_end, record.time_ps);
  } else if (stream == set->place.stream) {
    times.setter = std::max(times.setter, record.time_ps);
  } else {
    times.first = std::min(times.first, record.time_ps);
    times.last = std::max(times.last, record.time_ps);
  }
}

void HandoffLedger::Absorb(const HandoffLedger& other) {
  for (size_t i = 0; i < times_.size(); ++i) {
    times_[i].first = std::min(times_[i].first, other.times_[i].first);
    times_[i].last = std::max(times_[i].last, other.times_[i].last);
    times_[i].setter = std::max(times_[i].setter, other.times_[i].setter);
    times_[i].urgent_end =
        std::max(times_[i].urgent_end, other.times_[i].urgent_end);
  }
}

HandoffSummary HandoffLedger::Summarize() const {
  std::vector<int64_t> latency, with_setter, first, e2e;
  for (size_t i = 0; i < times_.size(); ++i) {
    const Times& times = times_[i];
    const int64_t set = FloorTo(sets_.events()[i].time_ps(), quantum_);
    const auto since = [&](int64_t time) {
      return FloorTo(time, quantum_) - set;
    };
    if (times.last != kNever) {
      latency.push_back(since(times.last));
      first.push_back(since(times.first));
    }
    const int64_t any = std::max(times.last, times.setter);
    if (any != kNever) with_setter.push_back(since(any));
    if (times.urgent_end != kNever) e2e.push_back(since(times.urgent_end));
  }
  return {QuantilesOf(std::move(latency)), QuantilesOf(std::move(with_setter)),
          QuantilesOf(std::move(first)), QuantilesOf(std::move(e2e))};
}

}  // namespace tilebound::oracle
