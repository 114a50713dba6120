#include "model/recommend.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"

namespace tilebound::model {
namespace {

std::optional<double> Scalar(const pb::Cell& cell, absl::string_view name) {
  const pb::Metric* metric = FindMetric(cell, name);
  return metric == nullptr ? std::nullopt : MetricScalar(*metric);
}

std::optional<double> Quantile(const pb::Cell& cell, absl::string_view name,
                               double q) {
  const pb::Metric* metric = FindMetric(cell, name);
  return metric == nullptr ? std::nullopt : MetricQuantile(*metric, q);
}

absl::string_view JudgedMetric(const pb::Cell& cell, const Goal& goal) {
  if (!goal.end_to_end) return kLatency;
  return cell.key().arm() == pb::NONE ? kWait : kE2e;
}

std::string Us(double us) { return absl::StrFormat("%.1f us", us); }
std::string Pct(double pct) { return absl::StrFormat("%.1f %%", pct); }

// "cooperative, boundary, period 2, 288 blocks".
std::string Name(const pb::CellKey& key) {
  std::string name = ArmName(key.arm());
  if (key.arm() == pb::COOPERATIVE) {
    absl::StrAppend(&name, ", site ", SiteName(key.site()), ", period ",
                    key.period());
  }
  if (key.arm() == pb::RESERVED) {
    absl::StrAppend(&name, ", ", key.reserve(), " slots");
  }
  return absl::StrCat(name, ", ", key.blocks(), " blocks");
}

Choice ReadCell(const pb::Cell& cell, const Goal& goal) {
  Choice choice;
  choice.key = cell.key();
  const absl::string_view metric = JudgedMetric(cell, goal);
  const auto p50 = Quantile(cell, metric, 0.5);
  const auto p99 = Quantile(cell, metric, 0.99);
  const auto tile_us = Scalar(cell, "tile_time_mean");
  if (!p50 || !p99 || !tile_us || *tile_us <= 0) {
    const pb::Metric* absent = FindMetric(cell, metric);
    choice.why = absent != nullptr && !absent->reason().empty()
                     ? absl::StrCat("not predicted: ", absent->reason())
                     : absl::StrCat("not predicted: it has no ", metric);
    return choice;
  }
  choice.verdict = Verdict::kMisses;
  choice.p50_us = *p50;
  choice.p99_us = *p99;
  const double band_pct = Quantile(cell, kErrorBand, 0.99).value_or(0);
  choice.p99_high_us = *p99 * (1 + band_pct / 100);
  if (!goal.end_to_end) choice.bound_us = Scalar(cell, kLatencyBound);
  choice.tiles_per_us = cell.key().blocks() / *tile_us;
  choice.site_overhead_pct = Scalar(cell, kOverhead);
  return choice;
}

// Throughput of the fastest grid of these without sites.
double FastestWithoutSites(const std::vector<Choice>& choices) {
  double fastest = 0;
  for (const Choice& choice : choices) {
    // A cost within the noise may come out as a gain.
    const double cost = std::max(0.0, choice.site_overhead_pct.value_or(0));
    fastest = std::max(fastest, choice.tiles_per_us * (1 + cost / 100));
  }
  return fastest;
}

// By how far a choice misses the goal, relative to it; 0 if it does not.
double Miss(const Choice& choice, const Goal& goal) {
  double miss = std::max(0.0, choice.p99_high_us / goal.slo_p99_us - 1);
  if (goal.max_overhead_pct) {
    miss += std::max(0.0, choice.overhead_pct - *goal.max_overhead_pct) / 100;
  }
  return miss;
}

bool Dominates(const Choice& a, const Choice& b) {
  return a.verdict != Verdict::kNotPredicted &&
         a.p99_high_us <= b.p99_high_us && a.overhead_pct <= b.overhead_pct &&
         (a.p99_high_us < b.p99_high_us || a.overhead_pct < b.overhead_pct);
}

std::string WhyItMisses(const Choice& choice, const Goal& goal) {
  std::string why;
  if (choice.p99_high_us > goal.slo_p99_us) {
    why = choice.p99_us > goal.slo_p99_us
              ? absl::StrCat("p99 ", Us(choice.p99_us), " is over the goal")
              : absl::StrCat("p99 may be up to ", Us(choice.p99_high_us),
                             ", over the goal");
  }
  if (goal.max_overhead_pct && choice.overhead_pct > *goal.max_overhead_pct) {
    absl::StrAppend(&why, why.empty() ? "" : "; ", "costs ",
                    Pct(choice.overhead_pct), ", over ",
                    Pct(*goal.max_overhead_pct));
  }
  return why;
}

void Explain(const Goal& goal, std::vector<Choice>& choices) {
  for (Choice& choice : choices) {
    if (choice.verdict == Verdict::kNotPredicted) continue;
    if (choice.verdict == Verdict::kMisses) {
      choice.why = WhyItMisses(choice, goal);
      continue;
    }
    const Choice& best = choices[0];
    if (&choice == &best) {
      choice.why = "the least overhead of all that meet the goal";
    } else if (choice.overhead_pct > best.overhead_pct) {
      choice.why = absl::StrCat(
          "meets the goal, but takes ",
          Pct(100 * (best.tiles_per_us / choice.tiles_per_us - 1)),
          " longer than the best",
          choice.p99_high_us < best.p99_high_us
              ? absl::StrCat("; p99 is ",
                             Us(best.p99_high_us - choice.p99_high_us),
                             " sooner")
              : "");
    } else {
      choice.why = "meets the goal as cheaply as the best, no sooner";
    }
  }
}

std::string Summary(const Recommendation& recommendation) {
  const Goal& goal = recommendation.goal;
  std::string asked = absl::StrCat(
      "p99 ", goal.end_to_end ? "of urgent work complete" : "of the handoff",
      " up to ", Us(goal.slo_p99_us));
  if (goal.max_overhead_pct) {
    absl::StrAppend(&asked, " at up to ", Pct(*goal.max_overhead_pct),
                    " overhead");
  }
  if (recommendation.choices.empty() ||
      recommendation.choices[0].verdict == Verdict::kNotPredicted) {
    return absl::StrCat("Nothing was predicted that could meet ", asked, ".");
  }
  const Choice& first = recommendation.choices[0];
  const std::string what = absl::StrCat(
      Name(first.key), ": p99 ", Us(first.p99_us), " (up to ",
      Us(first.p99_high_us), "), overhead ", Pct(first.overhead_pct));
  if (first.verdict == Verdict::kMeets) {
    return absl::StrCat("For ", asked, ": ", what, ".");
  }
  return absl::StrCat("Nothing meets ", asked, ". Nearest: ", what, ".");
}

}  // namespace

Recommendation Recommend(const pb::Surface& surface, const Goal& goal) {
  Recommendation result;
  result.goal = goal;
  std::vector<Choice>& choices = result.choices;
  for (const pb::Cell& cell : surface.cells()) {
    choices.push_back(ReadCell(cell, goal));
  }
  const double fastest = FastestWithoutSites(choices);
  for (Choice& choice : choices) {
    if (choice.verdict == Verdict::kNotPredicted) continue;
    // Simulated rates are known to a tenth of a percent; what differs by less
    // costs the same.
    choice.overhead_pct =
        std::round(1000 * (fastest / choice.tiles_per_us - 1)) / 10;
    if (Miss(choice, goal) == 0) choice.verdict = Verdict::kMeets;
  }
  for (Choice& choice : choices) {
    if (choice.verdict == Verdict::kNotPredicted) continue;
    choice.on_front = std::none_of(
        choices.begin(), choices.end(),
        [&](const Choice& other) { return Dominates(other, choice); });
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [&](const Choice& a, const Choice& b) {
                     if (a.verdict != b.verdict) return a.verdict < b.verdict;
                     if (a.verdict == Verdict::kMisses) {
                       return Miss(a, goal) < Miss(b, goal);
                     }
                     if (a.overhead_pct != b.overhead_pct) {
                       return a.overhead_pct < b.overhead_pct;
                     }
                     return a.p99_high_us < b.p99_high_us;
                   });
  Explain(goal, choices);
  result.summary = Summary(result);
  return result;
}

Table RecommendationTable(const Recommendation& recommendation) {
  Table table({"rank", "meets", "front", "arm", "site", "period", "variant",
               "blocks", "reserve", "p50_us", "p99_us", "p99_high_us",
               "bound_us", "overhead_pct", "site_overhead_pct", "tiles_per_us",
               "why"});
  uint64_t rank = 0;
  for (const Choice& choice : recommendation.choices) {
    const bool known = choice.verdict != Verdict::kNotPredicted;
    const bool looks = choice.key.arm() == pb::COOPERATIVE;
    const auto number = [&](double value) {
      return known ? TableValue(value) : TableValue();
    };
    const auto maybe = [](const std::optional<double>& value) {
      return value ? TableValue(*value) : TableValue();
    };
    table.AddRow(
        {++rank, choice.verdict == Verdict::kMeets ? "yes" : "no",
         choice.on_front ? "front" : "", ArmName(choice.key.arm()),
         looks ? TableValue(SiteName(choice.key.site())) : TableValue(),
         looks ? TableValue(uint64_t{choice.key.period()}) : TableValue(),
         looks ? TableValue(choice.key.variant()) : TableValue(),
         uint64_t{choice.key.blocks()},
         choice.key.arm() == pb::RESERVED
             ? TableValue(uint64_t{choice.key.reserve()})
             : TableValue(),
         number(choice.p50_us), number(choice.p99_us),
         number(choice.p99_high_us), maybe(choice.bound_us),
         number(choice.overhead_pct), maybe(choice.site_overhead_pct),
         number(choice.tiles_per_us), choice.why});
  }
  return table;
}

}  // namespace tilebound::model
