// A bar: how near predictions have to come to certain published figures, and
// how to tell whether they do.
//
//   for (const AccuracyBar& bar : AccuracyBars()) {
//     BarResult result = Judge(bar, published, predicted);
//     ... result.met ...
//   }
//
// The published figures are other people's measurements (data/published). No
// bar was moved after it was first stated; one that is not met stays in the
// list with what it misses by.
#ifndef TILEBOUND_MODEL_ACCURACY_BAR_H_
#define TILEBOUND_MODEL_ACCURACY_BAR_H_

#include <functional>
#include <string>
#include <vector>

#include "data/schema/cell_key.pb.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

struct AccuracyBar {
  enum class Rule {
    // Mean of |predicted - measured| / measured, at most `limit` percent.
    kMeanError,
    // Every figure within the larger of `quanta` timer ticks and `limit`
    // percent; or only `at_least` of them, if that is set.
    kWithin,
    // Every figure, itself a percentage, within `limit` points.
    kPoints,
    // Every predicted figure at most `limit`, whatever was measured.
    kAtMost,
  };

  std::string name;
  // Surface of data/published and the metric in its cells.
  std::string surface;
  std::string metric;
  // 0 for a metric that is one number.
  double q = 0;
  Rule rule = Rule::kWithin;
  double limit = 0;
  double quanta = 0;
  int at_least = 0;
  // Which of the surface's cells; empty for all that have the metric.
  std::function<bool(const pb::CellKey&)> applies;
};

// One published figure and what the model says of it.
struct Comparison {
  const pb::CellKey* key;
  double measured;
  double predicted;
  bool within;
};

struct BarResult {
  std::vector<Comparison> comparisons;
  // Published cells for which there is no predicted figure, and the reason of
  // the first.
  int missing = 0;
  std::string missing_reason;
  // What the rule looks at: mean error, number within, or largest distance.
  double score = 0;
  bool met = false;
};

// All bars, in the order of docs/model.md.
const std::vector<AccuracyBar>& AccuracyBars();

// Cells of a published surface that the bar is about.
std::vector<const pb::Cell*> CellsOf(const AccuracyBar& bar,
                                     const pb::Surface& published);

// Compares the bar's cells of `published` with those of the same key in
// `predicted`. Figures that the source warns about (soft) are left out.
BarResult Judge(const AccuracyBar& bar, const pb::Surface& published,
                const std::vector<pb::Surface>& predicted);

// "mean error <= 2.5 %", "each within 1 tick or 5 %".
std::string RuleText(const AccuracyBar& bar);
// "2.1 %", "23 of 24".
std::string ScoreText(const AccuracyBar& bar, const BarResult& result);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_ACCURACY_BAR_H_
