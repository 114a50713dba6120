// Which way of being interruptible to choose, from predicted cells and a goal.
//
//   Recommendation best = Recommend(surface, {.slo_p99_us = 50});
//   std::cout << best.summary << RecommendationTable(best).ToText();
//
// A cell meets the goal if the upper edge of its p99's error band does, and its
// overhead. Overhead here is what the choice costs in all: by how much longer
// the same work takes than in the fastest grid of these cells without sites.
// That counts what the sites cost, slots that are held free, and SMs that are
// filled less.
#ifndef TILEBOUND_MODEL_RECOMMEND_H_
#define TILEBOUND_MODEL_RECOMMEND_H_

#include <optional>
#include <string>
#include <vector>

#include "data/io/table.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

struct Goal {
  double slo_p99_us = 0;
  std::optional<double> max_overhead_pct = {};
  // The p99 is that of urgent work complete (metric e2e; arm none: wait), which
  // all arms have, rather than of every block having let go (latency).
  bool end_to_end = false;
};

// In the order in which choices are listed.
enum class Verdict { kMeets, kMisses, kNotPredicted };

struct Choice {
  pb::CellKey key;
  Verdict verdict = Verdict::kNotPredicted;
  // Nothing else is as soon and as cheap, and better in one of the two.
  bool on_front = false;
  double p50_us = 0;
  double p99_us = 0;
  // Upper edge of the error band of p99.
  double p99_high_us = 0;
  // What no latency exceeds, where it is known.
  std::optional<double> bound_us;
  // Background tiles per microsecond of the whole grid.
  double tiles_per_us = 0;
  // In tenths of a percent, which is as well as it is known.
  double overhead_pct = 0;
  // The part of it that the sites cost.
  std::optional<double> site_overhead_pct;
  // Why it is not the first, or what makes it so.
  std::string why;
};

struct Recommendation {
  Goal goal;
  // Best first: what meets the goal by overhead, what misses it by how far.
  std::vector<Choice> choices;
  // One sentence: the best, or that nothing meets the goal and what is nearest.
  std::string summary;
};

Recommendation Recommend(const pb::Surface& surface, const Goal& goal);

// One row a choice, in order.
Table RecommendationTable(const Recommendation& recommendation);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RECOMMEND_H_
