// The metrics that a cell can carry: their names, units and meaning in one
// place, and reading a number out of one however it is stored.
//
//   const pb::Metric* latency = FindMetric(cell, kLatency);
//   std::optional<double> p99_us = MetricQuantile(*latency, 0.99);
#ifndef TILEBOUND_DATA_SCHEMA_METRIC_H_
#define TILEBOUND_DATA_SCHEMA_METRIC_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

// Names that code refers to; the registry has more.
inline constexpr char kLatency[] = "latency";
inline constexpr char kLatencyWithSetter[] = "latency_with_setter";
inline constexpr char kFirst[] = "first";
inline constexpr char kSpread[] = "spread";
inline constexpr char kE2e[] = "e2e";
inline constexpr char kWait[] = "wait";
inline constexpr char kOverhead[] = "overhead";
inline constexpr char kMakespan[] = "makespan";
inline constexpr char kRateLoss[] = "rate_loss";
inline constexpr char kSetterLast[] = "setter_last";
inline constexpr char kLastObserver[] = "last_observer";
inline constexpr char kClockError[] = "clock_error";
inline constexpr char kLatencyBound[] = "latency_bound";
inline constexpr char kTileTime[] = "tile_time";
inline constexpr char kUtilization[] = "utilization";
inline constexpr char kNotificationFloor[] = "notification_floor";
inline constexpr char kNotificationLoaded[] = "notification_loaded";
inline constexpr char kBacklogSlope[] = "backlog_slope";
inline constexpr char kErrorBand[] = "error_band";

struct MetricInfo {
  std::string name;
  // "us", "percent", "count", ...
  std::string unit;
  std::string meaning;
  // Whether it is a distribution over events rather than one number.
  bool distribution;
};

// Every metric, in the order in which tables show them.
const std::vector<MetricInfo>& MetricRegistry();
// nullptr if there is none of that name.
const MetricInfo* FindMetricInfo(absl::string_view name);

// nullptr if the cell does not carry it. Metrics by slot: the first slot.
const pb::Metric* FindMetric(const pb::Cell& cell, absl::string_view name);

// A metric of that name with its registered unit and status OK. The name must
// be registered.
pb::Metric ScalarMetric(absl::string_view name, double value, uint64_t n);
pb::Metric HistogramMetric(absl::string_view name, const Histogram& histogram);
// A metric without a value.
pb::Metric AbsentMetric(absl::string_view name, pb::Metric::Status status,
                        absl::string_view reason);

// The value of quantile q in the metric's unit; nullopt if the status is not
// OK, the metric is a scalar, or stored quantiles do not include q.
std::optional<double> MetricQuantile(const pb::Metric& metric, double q);
// The scalar; nullopt if the status is not OK or it is a distribution.
std::optional<double> MetricScalar(const pb::Metric& metric);

// Errors name the field: unregistered name, foreign unit, a value where the
// status is not OK or none where it is, quantiles that do not ascend, numbers
// that are not finite, negative times, a histogram of something other than
// time, a slot where the metric has none.
absl::Status ValidateMetric(const pb::Metric& metric);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_METRIC_H_
