#include "data/schema/tolerances.h"

#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/suggest.h"
#include "data/schema/metric.h"

namespace tilebound {
namespace {

absl::Status Wrong(absl::string_view field, double value,
                   absl::string_view accepted) {
  return absl::InvalidArgumentError(absl::StrCat(
      "tolerances.", field, " is ", value, "; ", accepted, " is accepted"));
}

bool SameQuantile(double a, double b) { return std::abs(a - b) < 1e-9; }

}  // namespace

const pb::Tolerance* FindTolerance(const pb::Tolerances& tolerances,
                                   absl::string_view metric, double q) {
  const pb::Tolerance* best = nullptr;
  int best_rank = -1;
  for (const pb::Tolerance& entry : tolerances.tolerance()) {
    const bool any_metric = entry.metric().empty();
    const bool any_q = entry.q() == 0;
    if (!any_metric && absl::string_view(entry.metric()) != metric) continue;
    if (!any_q && !SameQuantile(entry.q(), q)) continue;
    const int rank = (any_metric ? 0 : 2) + (any_q ? 0 : 1);
    if (rank > best_rank) {
      best = &entry;
      best_rank = rank;
    }
  }
  return best;
}

absl::Status ValidateTolerances(const pb::Tolerances& tolerances) {
  if (!(tolerances.clock_relative() >= 0 && tolerances.clock_relative() <= 1)) {
    return Wrong("clock_relative", tolerances.clock_relative(),
                 "a share in [0, 1]");
  }
  if (!(tolerances.confidence() > 0 && tolerances.confidence() < 1)) {
    return Wrong("confidence", tolerances.confidence(), "a share in (0, 1)");
  }
  std::set<std::pair<std::string, double>> seen;
  for (int i = 0; i < tolerances.tolerance_size(); ++i) {
    const pb::Tolerance& entry = tolerances.tolerance(i);
    const std::string at = absl::StrCat("tolerance[", i, "].");
    if (!entry.metric().empty() && FindMetricInfo(entry.metric()) == nullptr) {
      std::vector<std::string> names;
      for (const MetricInfo& info : MetricRegistry())
        names.push_back(info.name);
      return absl::InvalidArgumentError(absl::StrCat(
          "tolerances.", at, "metric \"", entry.metric(),
          "\" is not registered", DidYouMean(entry.metric(), names),
          "; a metric name, or nothing for all, is accepted"));
    }
    if (!(entry.q() >= 0 && entry.q() <= 1)) {
      return Wrong(at + "q", entry.q(), "a quantile in (0, 1], or 0 for all,");
    }
    if (!(entry.relative() >= 0 && entry.relative() <= 1)) {
      return Wrong(at + "relative", entry.relative(), "a share in [0, 1]");
    }
    if (!(entry.absolute() >= 0 && std::isfinite(entry.absolute()))) {
      return Wrong(at + "absolute", entry.absolute(), "a number of at least 0");
    }
    if (!seen.emplace(entry.metric(), entry.q()).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "tolerances.", at, "metric \"", entry.metric(), "\" with q ",
          entry.q(), " occurs twice; one entry for each is accepted"));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
