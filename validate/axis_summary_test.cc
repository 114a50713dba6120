#include "validate/axis_summary.h"

#include <gtest/gtest.h>

#include "validate/compare.h"
#include "validate/planted.h"

namespace tilebound::validate {
namespace {

std::vector<AxisAccuracy> Summary(const pb::Surface& predicted,
                                  const pb::Surface& measured) {
  pb::Tolerances tolerances;
  tolerances.set_confidence(0.95);
  tolerances.add_tolerance()->set_relative(0.05);
  const Comparisons all =
      CompareSurfaces({AsInput(predicted)}, {AsInput(measured)}, tolerances);
  std::vector<const CellComparison*> cells;
  for (const CellComparison& cell : all.cells) cells.push_back(&cell);
  return SummarizeByAxis(cells);
}

TEST(AxisSummary, FindsTheValueWhereTheErrorWasPlanted) {
  const pb::Surface measured = PlantedSurface({});
  pb::Surface predicted = Scaled(measured, 1);
  for (pb::Cell& cell : *predicted.mutable_cells()) {
    if (cell.key().period() != 4) continue;
    for (double& value :
         *cell.mutable_metrics(0)->mutable_quantiles()->mutable_value()) {
      value *= 1.2;
    }
  }
  const auto summary = Summary(predicted, measured);
  ASSERT_EQ(summary.size(), 6u + 4u);
  // Numbers ascend as numbers: 16 before 144.
  EXPECT_EQ(summary[0].value, "16");
  EXPECT_EQ(summary[3].value, "144");
  for (const AxisAccuracy& entry : summary) {
    const double mape = *entry.accuracy.Find(kLatency, 0.5)->mape();
    if (entry.axis == "blocks") {
      EXPECT_NEAR(mape, 0.05, 1e-9);
    } else {
      EXPECT_NEAR(mape, entry.value == "4" ? 0.2 : 0.0, 1e-9) << entry.value;
    }
  }
}

TEST(AxisSummary, LeavesOutAnAxisWithTooManyValues) {
  PlantedOptions options;
  options.blocks.clear();
  for (uint32_t b = 1; b <= kAxisValuesKept + 1; ++b) {
    options.blocks.push_back(b);
  }
  options.period = {1, 2};
  const pb::Surface measured = PlantedSurface(options);
  for (const AxisAccuracy& entry : Summary(Scaled(measured, 1), measured)) {
    EXPECT_EQ(entry.axis, "period");
  }
}

}  // namespace
}  // namespace tilebound::validate
