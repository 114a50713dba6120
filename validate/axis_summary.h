// Accuracy along each axis: where on the surface the model is good.
//
//   for (const AxisAccuracy& a : SummarizeByAxis(cells)) ...
//   // axis "period", value "8": latency p99 11 % off
#ifndef TILEBOUND_VALIDATE_AXIS_SUMMARY_H_
#define TILEBOUND_VALIDATE_AXIS_SUMMARY_H_

#include <string>
#include <vector>

#include "validate/comparison.h"
#include "validate/statistics.h"

namespace tilebound::validate {

struct AxisAccuracy {
  std::string axis;
  std::string value;
  // Sound comparisons only.
  AccuracyTable accuracy;
};

// An axis with more values than this is left out: it is a scatter, not a
// summary.
inline constexpr size_t kAxisValuesKept = 64;

// Axes in canonical order, values ascending (numbers as numbers). Axes that do
// not vary among `cells` are left out; so part and kernel appear when there are
// several.
std::vector<AxisAccuracy> SummarizeByAxis(
    const std::vector<const CellComparison*>& cells);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_AXIS_SUMMARY_H_
