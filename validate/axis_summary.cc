#include "validate/axis_summary.h"

#include <map>
#include <utility>

#include "validate/axes.h"

namespace tilebound::validate {

std::vector<AxisAccuracy> SummarizeByAxis(
    const std::vector<const CellComparison*>& cells) {
  std::vector<const pb::CellKey*> keys;
  for (const CellComparison* cell : cells) keys.push_back(&cell->key);
  std::vector<AxisAccuracy> summary;
  for (const Axis& axis : VaryingAxes(keys)) {
    // Ordered as the axis' values are: numbers by size, words by letter.
    std::map<TableValue, AxisAccuracy> values;
    for (const CellComparison* cell : cells) {
      const auto [at, fresh] = values.try_emplace(axis.value(cell->key));
      if (fresh) {
        if (values.size() > kAxisValuesKept) break;
        at->second.axis = axis.name;
        at->second.value = AxisText(axis, cell->key);
      }
      for (const Comparison& comparison : cell->comparisons) {
        if (comparison.soft_reason.empty()) at->second.accuracy.Add(comparison);
      }
    }
    if (values.size() > kAxisValuesKept) continue;
    for (auto& [value, accuracy] : values) {
      summary.push_back(std::move(accuracy));
    }
  }
  return summary;
}

}  // namespace tilebound::validate
