#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "model/accuracy/bar.h"

namespace tilebound::model {
namespace {

std::optional<double> Figure(const pb::Cell& cell, const AccuracyBar& bar) {
  const pb::Metric* metric = FindMetric(cell, bar.metric);
  if (metric == nullptr) return std::nullopt;
  return bar.q > 0 ? MetricQuantile(*metric, bar.q) : MetricScalar(*metric);
}

// Whether the source warns about this figure.
bool IsSoft(const pb::Cell& cell, const AccuracyBar& bar) {
  const pb::Metric* metric = FindMetric(cell, bar.metric);
  if (metric == nullptr || metric->soft_reason().empty()) return false;
  if (metric->soft_q_size() == 0) return true;
  return std::any_of(metric->soft_q().begin(), metric->soft_q().end(),
                     [&](double q) { return std::abs(q - bar.q) < 1e-9; });
}

const pb::Cell* FindCell(const std::vector<pb::Surface>& surfaces,
                         const std::string& fingerprint) {
  for (const pb::Surface& surface : surfaces) {
    for (const pb::Cell& cell : surface.cells()) {
      if (Fingerprint(cell.key()) == fingerprint) return &cell;
    }
  }
  return nullptr;
}

std::string MissingReason(const pb::Cell* cell, const AccuracyBar& bar) {
  if (cell == nullptr) return "no prediction";
  const pb::Metric* metric = FindMetric(*cell, bar.metric);
  if (metric == nullptr) return absl::StrCat("no metric ", bar.metric);
  return metric->reason();
}

bool Within(const AccuracyBar& bar, double quantum_us, double measured,
            double predicted) {
  const double off = std::abs(predicted - measured);
  // A hair for figures that were rounded when they were published.
  constexpr double kRounding = 0.01;
  switch (bar.rule) {
    case AccuracyBar::Rule::kMeanError:
      return true;
    case AccuracyBar::Rule::kWithin:
      return off <= std::max(bar.quanta * quantum_us + kRounding,
                             bar.limit / 100 * measured);
    case AccuracyBar::Rule::kPoints:
      return off <= bar.limit;
    case AccuracyBar::Rule::kAtMost:
      return predicted <= bar.limit;
  }
  return false;
}

double Score(const AccuracyBar& bar,
             const std::vector<Comparison>& comparisons) {
  double sum = 0, most = 0, within = 0;
  for (const Comparison& c : comparisons) {
    sum += std::abs(c.predicted - c.measured) / c.measured;
    most = std::max(most, bar.rule == AccuracyBar::Rule::kAtMost
                              ? c.predicted
                              : std::abs(c.predicted - c.measured));
    within += c.within;
  }
  switch (bar.rule) {
    case AccuracyBar::Rule::kMeanError:
      return 100 * sum / static_cast<double>(comparisons.size());
    case AccuracyBar::Rule::kWithin:
      return within;
    default:
      return most;
  }
}

}  // namespace

std::vector<const pb::Cell*> CellsOf(const AccuracyBar& bar,
                                     const pb::Surface& published) {
  std::vector<const pb::Cell*> cells;
  for (const pb::Cell& cell : published.cells()) {
    if (bar.applies && !bar.applies(cell.key())) continue;
    if (!Figure(cell, bar).has_value() || IsSoft(cell, bar)) continue;
    cells.push_back(&cell);
  }
  return cells;
}

BarResult Judge(const AccuracyBar& bar, const pb::Surface& published,
                const std::vector<pb::Surface>& predicted) {
  BarResult result;
  const double quantum_us =
      static_cast<double>(published.conditions().timer_quantum_ps()) * 1e-6;
  for (const pb::Cell* cell : CellsOf(bar, published)) {
    const pb::Cell* ours = FindCell(predicted, Fingerprint(cell->key()));
    const std::optional<double> figure =
        ours == nullptr ? std::nullopt : Figure(*ours, bar);
    if (!figure.has_value()) {
      if (result.missing++ == 0) {
        result.missing_reason = MissingReason(ours, bar);
      }
      continue;
    }
    const double measured = *Figure(*cell, bar);
    result.comparisons.push_back({&cell->key(), measured, *figure,
                                  Within(bar, quantum_us, measured, *figure)});
  }
  if (result.comparisons.empty()) return result;
  result.score = Score(bar, result.comparisons);
  const auto all = static_cast<double>(result.comparisons.size());
  result.met = result.missing == 0 &&
               (bar.rule == AccuracyBar::Rule::kWithin
                    ? result.score >= (bar.at_least > 0 ? bar.at_least : all)
                    : result.score <= bar.limit);
  return result;
}

std::string RuleText(const AccuracyBar& bar) {
  switch (bar.rule) {
    case AccuracyBar::Rule::kMeanError:
      return absl::StrFormat("mean error <= %g %%", bar.limit);
    case AccuracyBar::Rule::kWithin: {
      const std::string which =
          bar.at_least > 0 ? absl::StrFormat("%d within ", bar.at_least)
                           : "each within ";
      if (bar.limit == 0)
        return absl::StrFormat("%s%g ticks", which, bar.quanta);
      if (bar.quanta == 0) return absl::StrFormat("%s%g %%", which, bar.limit);
      return absl::StrFormat("%s%g tick or %g %%", which, bar.quanta,
                             bar.limit);
    }
    case AccuracyBar::Rule::kPoints:
      return absl::StrFormat("each within %g points", bar.limit);
    case AccuracyBar::Rule::kAtMost:
      return absl::StrFormat("each at most %g", bar.limit);
  }
  return "";
}

std::string ScoreText(const AccuracyBar& bar, const BarResult& result) {
  if (result.comparisons.empty()) {
    return absl::StrCat("not predicted: ", result.missing_reason);
  }
  std::string text;
  switch (bar.rule) {
    case AccuracyBar::Rule::kMeanError:
      text = absl::StrFormat("%.1f %%", result.score);
      break;
    case AccuracyBar::Rule::kWithin:
      text = absl::StrFormat("%.0f of %d", result.score,
                             result.comparisons.size());
      break;
    case AccuracyBar::Rule::kPoints:
      text = absl::StrFormat("%.1f points", result.score);
      break;
    case AccuracyBar::Rule::kAtMost:
      text = absl::StrFormat("%.2f", result.score);
      break;
  }
  if (result.missing > 0) {
    absl::StrAppend(&text, ", ", result.missing, " not predicted (",
                    result.missing_reason, ")");
  }
  return text;
}

}  // namespace tilebound::model
