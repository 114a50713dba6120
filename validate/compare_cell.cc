#include "validate/compare_cell.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "data/schema/tolerances.h"

namespace tilebound::validate {
namespace {

constexpr double kHistogramQuantiles[] = {0.5, 0.9, 0.95, 0.99};
constexpr uint64_t kEventsForTail = 10000;

const pb::Metric* FindMetricOfSlot(const pb::Cell& cell,
                                   const pb::Metric& like) {
  for (const pb::Metric& metric : cell.metrics()) {
    if (metric.name() == like.name() && metric.slot() == like.slot()) {
      return &metric;
    }
  }
  return nullptr;
}

bool IsSoftAt(const pb::Metric& metric, double q) {
  return metric.soft_q().empty() ||
         std::any_of(metric.soft_q().begin(), metric.soft_q().end(),
                     [q](double soft) { return std::abs(soft - q) < 1e-9; });
}

std::string StatusText(absl::string_view side, const pb::Metric& metric) {
  return absl::StrCat(side, ": ", pb::Metric::Status_Name(metric.status()),
                      " (", metric.reason(), ")");
}

// The quantiles to compare at: those that the measurement states, or the usual
// ones of a histogram. The maximum is left out: it grows with n, so that two
// maxima of different n say nothing.
std::vector<double> QuantilesOf(const pb::Metric& measured,
                                const pb::Metric& predicted) {
  for (const pb::Metric* metric : {&measured, &predicted}) {
    if (!metric->has_quantiles()) continue;
    std::vector<double> stated;
    for (const double q : metric->quantiles().q()) {
      if (q < 1) stated.push_back(q);
    }
    return stated;
  }
  return {std::begin(kHistogramQuantiles), std::end(kHistogramQuantiles)};
}

}  // namespace

// One side's metric, its histogram read once.
struct CellComparer::Side {
  Side(const pb::Metric& metric, const pb::Cell& cell,
       const pb::Conditions& conditions)
      : metric(metric), cell(cell), conditions(conditions) {
    if (!metric.has_histogram()) return;
    auto parsed = Histogram::FromProto(metric.histogram());
    if (parsed.ok() && parsed->count() > 0) histogram = *std::move(parsed);
  }

  std::optional<double> At(double q) const {
    if (q == 0) return MetricScalar(metric);
    if (!histogram) return MetricQuantile(metric, q);
    const uint64_t rank = QuantileRank(q, histogram->count());
    return histogram->ToMicroseconds(
        static_cast<double>(histogram->ValueAtRank(rank)));
  }

  // In the metric's unit; 0 for a scalar and for what a host's clock measured,
  // which no device timer has rounded.
  double Quantum(double q) const {
    if (q == 0 || metric.unit() != "us") return 0;
    if (histogram) return histogram->ToMicroseconds(1);
    if (cell.key().setter() == pb::HOST) return 0;
    return static_cast<double>(conditions.timer_quantum_ps()) * 1e-6;
  }

  const pb::Metric& metric;
  const pb::Cell& cell;
  const pb::Conditions& conditions;
  std::optional<Histogram> histogram;
};

std::string ConditionsConflict(const pb::Conditions& predicted,
                               const pb::Conditions& measured,
                               const pb::Tolerances& tolerances) {
  const double p = predicted.sm_clock_mhz(), m = measured.sm_clock_mhz();
  if (p <= 0 || m <= 0) return "";
  if (std::abs(p - m) <= tolerances.clock_relative() * m * (1 + 1e-12)) {
    return "";
  }
  return absl::StrCat("clocks differ: predicted at ", p, " MHz, measured at ",
                      m, " MHz, more than ", 100 * tolerances.clock_relative(),
                      " % apart");
}

const RankInterval& CellComparer::Ranks(double q, uint64_t n) {
  const auto [at, fresh] = ranks_.try_emplace({q, n});
  if (fresh) {
    at->second = OrderStatisticRanks(q, n, tolerances_.confidence());
  }
  return at->second;
}

Comparison CellComparer::CompareAt(const Side& predicted, const Side& measured,
                                   double q) {
  Comparison comparison;
  comparison.metric = FindMetricInfo(measured.metric.name());
  comparison.slot = measured.metric.slot();
  comparison.q = q;
  comparison.n = measured.metric.n();
  if (IsSoftAt(measured.metric, q)) {
    comparison.soft_reason = measured.metric.soft_reason();
  }
  comparison.few_events =
      q >= 0.99 && comparison.n > 0 &&
      comparison.n + measured.conditions.warmup_events() < kEventsForTail;
  comparison.predicted = predicted.At(q);
  comparison.measured = measured.At(q);
  if (!comparison.predicted) {
    comparison.reason =
        q == 0 ? "predicted as a distribution, measured as one number"
               : absl::StrCat("the prediction does not give ", QuantileName(q));
    return comparison;
  }
  if (!comparison.measured) {
    comparison.reason =
        absl::StrCat("the measurement does not give ", QuantileName(q));
    return comparison;
  }
  const pb::Tolerance* tolerance =
      FindTolerance(tolerances_, measured.metric.name(), q);
  if (tolerance == nullptr) {
    comparison.reason = "no tolerance is declared for it";
    return comparison;
  }
  comparison.tolerance =
      BandHalfWidth(*tolerance, *comparison.measured, measured.Quantum(q));
  if (measured.histogram) {
    const RankInterval& ranks = Ranks(q, measured.histogram->count());
    comparison.low = measured.histogram->ToMicroseconds(
        static_cast<double>(measured.histogram->ValueAtRank(ranks.low)));
    comparison.high = measured.histogram->ToMicroseconds(
        static_cast<double>(measured.histogram->ValueAtRank(ranks.high)));
  }
  const Pair pair = {.predicted = *comparison.predicted,
                     .measured = *comparison.measured,
                     .low = comparison.low.value_or(*comparison.measured),
                     .high = comparison.high.value_or(*comparison.measured),
                     .tolerance = comparison.tolerance};
  comparison.verdict = Judge(pair);
  comparison.within = WithinBand(pair);
  return comparison;
}

std::vector<Comparison> CellComparer::Compare(
    const pb::Cell& predicted, const pb::Conditions& predicted_conditions,
    const pb::Cell& measured, const pb::Conditions& measured_conditions) {
  std::vector<Comparison> all;
  const std::string conflict = ConditionsConflict(
      predicted_conditions, measured_conditions, tolerances_);
  for (const pb::Metric& metric : measured.metrics()) {
    const pb::Metric* counterpart = FindMetricOfSlot(predicted, metric);
    std::string reason = conflict;
    if (metric.status() != pb::Metric::OK) {
      reason = StatusText("measured", metric);
    } else if (counterpart == nullptr) {
      reason = "not predicted";
    } else if (counterpart->status() != pb::Metric::OK) {
      reason = StatusText("predicted", *counterpart);
    }
    static const auto* absent = new pb::Metric;
    const Side m(metric, measured, measured_conditions);
    const Side p(counterpart == nullptr ? *absent : *counterpart, predicted,
                 predicted_conditions);
    const bool scalar = metric.value_case() == pb::Metric::kScalar ||
                        metric.value_case() == pb::Metric::VALUE_NOT_SET;
    const std::vector<double> quantiles =
        scalar ? std::vector<double>{0} : QuantilesOf(metric, p.metric);
    for (const double q : quantiles) {
      Comparison comparison = CompareAt(p, m, q);
      if (!reason.empty()) {
        comparison.verdict = Verdict::kNotCompared;
        comparison.within = false;
        comparison.reason = reason;
      }
      all.push_back(std::move(comparison));
    }
  }
  return all;
}

}  // namespace tilebound::validate
