// What a report is made of: inputs, comparisons, coverage. Plain values that
// compare.h fills, statistics.h sums up and the renderers print.
#ifndef TILEBOUND_VALIDATE_COMPARISON_H_
#define TILEBOUND_VALIDATE_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/schema/cell_key.pb.h"
#include "data/schema/metric.h"
#include "data/schema/surface.pb.h"
#include "validate/distance.h"
#include "validate/verdict.h"

namespace tilebound::validate {

// A surface that was handed in.
struct Input {
  // As given on the command line.
  std::string path;
  pb::Surface surface;
  // ContentSha256 of the file.
  std::string sha256;
};

// One quantile, or one scalar, of one metric on both sides.
struct Comparison {
  // Points into MetricRegistry().
  const MetricInfo* metric = nullptr;
  uint32_t slot = 0;
  // 0 for a scalar.
  double q = 0;
  // In the metric's unit.
  std::optional<double> predicted;
  std::optional<double> measured;
  // Order-statistic interval of the measured quantile, where a histogram gives
  // one.
  std::optional<double> low;
  std::optional<double> high;
  double tolerance = 0;
  Verdict verdict = Verdict::kNotCompared;
  // Predicted in measured +- tolerance, without the interval.
  bool within = false;
  // Why it was not compared.
  std::string reason;
  // Set where the source warns about the measured figure; such a comparison is
  // shown and judged but counted apart.
  std::string soft_reason;
  // Events behind the measured value, 0 where unknown.
  uint64_t n = 0;
  // A quantile of 0.99 or more from fewer than 10,000 events.
  bool few_events = false;

  bool compared() const { return verdict != Verdict::kNotCompared; }
  // (predicted - measured) / measured; nothing for figures in percent, which
  // go through zero, and for a measured 0.
  std::optional<double> RelativeError() const;
  // "latency p99", "overhead", "tile_time slot 2 p50".
  std::string Name() const;
};

struct MetricDistance {
  const MetricInfo* metric;
  uint32_t slot;
  DistributionDistance distance;
};

// The same cell in one predicted and one measured surface.
struct CellComparison {
  pb::CellKey key;
  // Indices into the predicted and the measured inputs, and of the cell in
  // each one's surface.
  size_t predicted = 0;
  int predicted_cell = 0;
  size_t measured = 0;
  int measured_cell = 0;
  std::vector<Comparison> comparisons;
  // Of the metrics that are histograms on both sides.
  std::vector<MetricDistance> distances;
};

enum class Side { kPredicted, kMeasured };

struct OneSidedCell {
  Side side;
  // Index into the inputs of that side.
  size_t input;
  pb::CellKey key;
  std::string reason;
};

// A surface that simulates another sharing law on purpose, to compare with:
// counted apart from the model.
bool IsBaseline(const pb::Surface& surface);

// "p50", "p99.9", "max"; "" for 0.
std::string QuantileName(double q);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_COMPARISON_H_
