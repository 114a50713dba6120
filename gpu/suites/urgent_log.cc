#include "gpu/suites/urgent_log.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "gpu/harness/regression.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kQuantumNs = kHostQuantumPs / 1000;

// From the launch call to the first instruction; nothing if the order of the
// event's stamps is impossible.
std::optional<int64_t> WaitNs(const UrgentLog& log, const UrgentEvent& event) {
  const auto waited = static_cast<int64_t>(log.clocks.ToHostNs(event.begin_ns) -
                                           event.host_launch_ns);
  if (waited < -std::lround(log.clocks.error_ns()) ||
      event.end_ns < event.begin_ns ||
      event.host_done_ns < event.host_launch_ns) {
    return std::nullopt;
  }
  return std::max<int64_t>(0, waited);
}

}  // namespace

std::vector<pb::Metric> UrgentMetrics(const UrgentLog& log, uint64_t warmup) {
  Histogram wait(kHostQuantumPs), e2e(kHostQuantumPs);
  uint64_t corrupt = 0, anomalies = 0, looked_at = 0;
  for (size_t i = warmup; i < log.events.size(); ++i) {
    const UrgentEvent& event = log.events[i];
    ++looked_at;
    corrupt += event.corrupt;
    const std::optional<int64_t> waited = WaitNs(log, event);
    if (!waited.has_value()) {
      ++anomalies;
      continue;
    }
    wait.Add(*waited / kQuantumNs);
    e2e.Add((event.host_done_ns - event.host_launch_ns) / kQuantumNs);
  }
  std::vector<pb::Metric> metrics;
  if (wait.count() > 0) {
    metrics = {HistogramMetric(kWait, wait), HistogramMetric(kE2e, e2e)};
  } else {
    metrics = {
        AbsentMetric(kWait, pb::Metric::FAILED, "no event without an anomaly")};
  }
  metrics.push_back(
      ScalarMetric("corrupt", static_cast<double>(corrupt), looked_at));
  metrics.push_back(
      ScalarMetric("anomalies", static_cast<double>(anomalies), looked_at));
  return metrics;
}

std::string ClockNote(const ClockMap& clocks) {
  return absl::StrCat("clocks of host and device related to +- ",
                      std::lround(clocks.error_ns()), " ns (drift ",
                      std::round(clocks.drift_ppm() * 10) / 10, " ppm)");
}

std::vector<pb::Metric> BacklogMetrics(const UrgentLog& log,
                                       const std::vector<double>& queued,
                                       uint64_t warmup) {
  std::vector<double> tasks, wait_ns;
  for (size_t i = warmup; i < log.events.size(); ++i) {
    const std::optional<int64_t> waited = WaitNs(log, log.events[i]);
    if (!waited.has_value()) continue;
    tasks.push_back(queued[i]);
    wait_ns.push_back(static_cast<double>(*waited));
  }
  const absl::StatusOr<Line> line = FitLine(tasks, wait_ns);
  if (!line.ok()) {
    return {AbsentMetric("backlog_slope", pb::Metric::FAILED,
                         line.status().message())};
  }
  return {ScalarMetric("backlog_slope", line->slope, tasks.size()),
          ScalarMetric("backlog_correlation", line->correlation, tasks.size())};
}

}  // namespace tilebound::gpu
