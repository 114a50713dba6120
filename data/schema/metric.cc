#include "data/schema/metric.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/suggest.h"

namespace tilebound {
namespace {

absl::Status Wrong(const pb::Metric& metric, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("metric ", metric.name(), ": ", what));
}

// Histograms count timer quanta and times cannot be negative.
bool IsTime(const pb::Metric& metric) { return metric.unit() == "us"; }

absl::Status ValidateQuantiles(const pb::Metric& metric) {
  const pb::Quantiles& quantiles = metric.quantiles();
  if (quantiles.q_size() == 0 || quantiles.q_size() != quantiles.value_size()) {
    return Wrong(metric, absl::StrCat("quantiles has ", quantiles.q_size(),
                                      " q and ", quantiles.value_size(),
                                      " values; one value per q is needed"));
  }
  for (int i = 0; i < quantiles.q_size(); ++i) {
    if (!(quantiles.q(i) > 0 && quantiles.q(i) <= 1)) {
      return Wrong(metric,
                   absl::StrCat("q ", quantiles.q(i), " is outside (0, 1]"));
    }
    if (!std::isfinite(quantiles.value(i)) ||
        (IsTime(metric) && quantiles.value(i) < 0)) {
      return Wrong(
          metric, absl::StrCat("value of q ", quantiles.q(i), " is ",
                               quantiles.value(i), "; ",
                               IsTime(metric) ? "a time of at least 0 is needed"
                                              : "a finite number is needed"));
    }
    if (i > 0 && (quantiles.q(i) <= quantiles.q(i - 1) ||
                  quantiles.value(i) < quantiles.value(i - 1))) {
      return Wrong(
          metric,
          absl::StrCat("quantiles must ascend, but q ", quantiles.q(i), " = ",
                       quantiles.value(i), " follows q ", quantiles.q(i - 1),
                       " = ", quantiles.value(i - 1)));
    }
  }
  return absl::OkStatus();
}

pb::Metric NamedMetric(absl::string_view name) {
  pb::Metric metric;
  metric.set_name(std::string(name));
  if (const MetricInfo* info = FindMetricInfo(name))
    metric.set_unit(info->unit);
  return metric;
}

}  // namespace

const std::vector<MetricInfo>& MetricRegistry() {
  static const auto* registry = new std::vector<MetricInfo>{
      {kLatency, "us",
       "flag set to last block at a checkpoint, setter excluded", true},
      {kLatencyWithSetter, "us", "the same with the setter's own block", true},
      {kLatencyBound, "us", "what no latency exceeds, by analysis", false},
      {kFirst, "us", "flag set to first block at a checkpoint, setter excluded",
       true},
      {kSpread, "us", "last observation, the setter's too, less first", true},
      {kE2e, "us", "flag set to urgent work complete", true},
      {kWait, "us",
       "launch of an urgent kernel to its end beside a grid that never lets go",
       true},
      {kOverhead, "percent", "makespan with checkpoints over without, less 1",
       false},
      {"overhead_min", "percent", "least overhead among the repetitions",
       false},
      {"overhead_max", "percent", "most overhead among the repetitions", false},
      {"overhead_over_plain", "percent",
       "overhead against the loop without any checkpoint code", false},
      {kMakespan, "us", "time to finish the background tasks", false},
      {kRateLoss, "percent", "background rate lost to the arm", false},
      {kSetterLast, "percent", "events in which the setter observed last",
       false},
      {kLastObserver, "percent",
       "events in which a block of this slot observed last, setter excluded",
       false},
      {kTileTime, "us", "tile time by residency slot", true},
      {kUtilization, "percent", "share of time with an event going on", false},
      {kErrorBand, "percent",
       "a predicted quantile may be off by so much either way", true},
      {"tile_time_mean", "us", "mean tile time at this grid", false},
      {"tile_wall", "us", "wall time of single tiles", true},
      {"arithmetic_rate", "tflop_per_s", "useful arithmetic", false},
      {kNotificationFloor, "us",
       "set to last block's read, blocks only polling", true},
      {kNotificationLoaded, "us",
       "set to last block's read, blocks streaming DRAM", true},
      {kBacklogSlope, "ns_per_task", "wait added by each queued task", false},
      {"backlog_correlation", "1", "correlation of wait with queue length",
       false},
      {"corrupt", "count", "urgent outputs that differ from float64", false},
      {"conflicts", "count", "yields with copies in flight", false},
      {"poison_caught", "count", "planted corruptions found", false},
      {"executions", "count", "background task executions", false},
      {"duplicates", "count", "tasks not executed exactly once", false},
      {kClockError, "us",
       "bound on the error of host times on the device's clock", false},
      {"violations", "count", "scheduler violations", false},
      {"anomalies", "count", "events left out as anomalous", false},
      {"registers_per_thread", "count", "registers the compiler used", false},
      {"sass_instructions", "count", "machine instructions of the kernel",
       false},
      {"blocks_per_sm", "count", "resident blocks an SM holds", false},
  };
  return *registry;
}

const MetricInfo* FindMetricInfo(absl::string_view name) {
  for (const MetricInfo& info : MetricRegistry()) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

const pb::Metric* FindMetric(const pb::Cell& cell, absl::string_view name) {
  for (const pb::Metric& metric : cell.metrics()) {
    if (metric.name() == name) return &metric;
  }
  return nullptr;
}

pb::Metric ScalarMetric(absl::string_view name, double value, uint64_t n) {
  pb::Metric metric = NamedMetric(name);
  metric.set_scalar(value);
  metric.set_n(n);
  return metric;
}

pb::Metric HistogramMetric(absl::string_view name, const Histogram& histogram) {
  pb::Metric metric = NamedMetric(name);
  *metric.mutable_histogram() = histogram.ToProto();
  metric.set_n(histogram.count());
  return metric;
}

pb::Metric AbsentMetric(absl::string_view name, pb::Metric::Status status,
                        absl::string_view reason) {
  pb::Metric metric = NamedMetric(name);
  metric.set_status(status);
  metric.set_reason(std::string(reason));
  return metric;
}

std::optional<double> MetricQuantile(const pb::Metric& metric, double q) {
  if (metric.status() != pb::Metric::OK) return std::nullopt;
  if (metric.has_quantiles()) {
    for (int i = 0; i < metric.quantiles().q_size(); ++i) {
      if (std::abs(metric.quantiles().q(i) - q) < 1e-9) {
        return metric.quantiles().value(i);
      }
    }
    return std::nullopt;
  }
  if (!metric.has_histogram()) return std::nullopt;
  const auto histogram = Histogram::FromProto(metric.histogram());
  if (!histogram.ok()) return std::nullopt;
  const auto quanta = histogram->Quantile(q);
  if (!quanta.ok()) return std::nullopt;
  return histogram->ToMicroseconds(static_cast<double>(*quanta));
}

std::optional<double> MetricScalar(const pb::Metric& metric) {
  if (metric.status() != pb::Metric::OK) return std::nullopt;
  if (metric.value_case() != pb::Metric::kScalar) return std::nullopt;
  return metric.scalar();
}

absl::Status ValidateMetric(const pb::Metric& metric) {
  const MetricInfo* info = FindMetricInfo(metric.name());
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const MetricInfo& known : MetricRegistry())
      names.push_back(known.name);
    return absl::InvalidArgumentError(
        absl::StrCat("metric name \"", metric.name(), "\" is not registered",
                     DidYouMean(metric.name(), names), "; accepted are ",
                     absl::StrJoin(names, ", ")));
  }
  if (metric.unit() != info->unit) {
    return Wrong(metric, absl::StrCat("unit is \"", metric.unit(),
                                      "\"; it is always \"", info->unit, "\""));
  }
  if (metric.slot() != 0 && metric.name() != kTileTime &&
      metric.name() != kLastObserver) {
    return Wrong(metric,
                 absl::StrCat("slot is ", metric.slot(), "; only ", kTileTime,
                              " and ", kLastObserver, " are told by slot"));
  }
  if (!pb::Metric::Status_IsValid(metric.status())) {
    return Wrong(
        metric,
        absl::StrCat("status is number ", metric.status(),
                     "; accepted are OK, NOT_MODELLED, SKIPPED, FAILED"));
  }
  const bool has_value = metric.value_case() != pb::Metric::VALUE_NOT_SET;
  if (metric.status() != pb::Metric::OK) {
    if (has_value) {
      return Wrong(
          metric,
          absl::StrCat("status is ", pb::Metric::Status_Name(metric.status()),
                       " but there is a value; leave the value out"));
    }
    if (metric.reason().empty()) {
      return Wrong(
          metric,
          absl::StrCat("status ", pb::Metric::Status_Name(metric.status()),
                       " needs a reason"));
    }
    return absl::OkStatus();
  }
  switch (metric.value_case()) {
    case pb::Metric::VALUE_NOT_SET:
      return Wrong(metric,
                   "no value; scalar, quantiles or histogram is needed");
    case pb::Metric::kScalar:
      if (!std::isfinite(metric.scalar())) {
        return Wrong(metric, absl::StrCat("scalar is ", metric.scalar(),
                                          "; a finite number is needed"));
      }
      if (IsTime(metric) && metric.scalar() < 0) {
        return Wrong(metric,
                     absl::StrCat("scalar is ", metric.scalar(),
                                  " us; a time of at least 0 is needed"));
      }
      return absl::OkStatus();
    case pb::Metric::kQuantiles:
      return ValidateQuantiles(metric);
    case pb::Metric::kHistogram: {
      if (!IsTime(metric)) {
        return Wrong(
            metric, absl::StrCat("a histogram counts times, but the unit is \"",
                                 metric.unit(),
                                 "\"; scalar or quantiles are accepted"));
      }
      const auto histogram = Histogram::FromProto(metric.histogram());
      if (!histogram.ok()) return Wrong(metric, histogram.status().message());
      if (metric.n() != histogram->count()) {
        return Wrong(metric, absl::StrCat("n is ", metric.n(),
                                          " but the histogram counts ",
                                          histogram->count()));
      }
      return absl::OkStatus();
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
