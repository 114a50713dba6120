#include "validate/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/planted.h"

namespace tilebound::validate {
namespace {

using ::testing::HasSubstr;

pb::Tolerances FivePercent() {
  pb::Tolerances tolerances;
  tolerances.set_clock_relative(0.03);
  tolerances.set_confidence(0.95);
  tolerances.add_tolerance()->set_relative(0.05);
  return tolerances;
}

int CountVerdicts(const Comparisons& all, const std::string& metric,
                  Verdict verdict) {
  int n = 0;
  for (const CellComparison& cell : all.cells) {
    for (const Comparison& comparison : cell.comparisons) {
      n += comparison.metric->name == metric && comparison.verdict == verdict;
    }
  }
  return n;
}

TEST(CompareSurfaces, TenPercentTooLowIsOptimisticInEveryCell) {
  PlantedOptions options;
  options.blocks = {100, 200, 288};  // 10 % is well over a quantum
  const pb::Surface measured = PlantedSurface(options);
  const auto low = CompareSurfaces({AsInput(Scaled(measured, 0.9))},
                                   {AsInput(measured)}, FivePercent());
  ASSERT_EQ(low.cells.size(), 12u);
  EXPECT_EQ(CountVerdicts(low, kLatency, Verdict::kOptimistic), 24);
  EXPECT_EQ(CountVerdicts(low, kOverhead, Verdict::kAgrees), 12);

  const auto high = CompareSurfaces({AsInput(Scaled(measured, 1.1))},
                                    {AsInput(measured)}, FivePercent());
  EXPECT_EQ(CountVerdicts(high, kLatency, Verdict::kPessimistic), 24);

  const auto near = CompareSurfaces({AsInput(Scaled(measured, 0.96))},
                                    {AsInput(measured)}, FivePercent());
  EXPECT_EQ(CountVerdicts(near, kLatency, Verdict::kAgrees), 24);
}

TEST(CompareSurfaces, ListsCellsThatOneSideLacksWithTheAxisToBlame) {
  PlantedOptions few, more;
  few.blocks = {16, 288};
  few.period = {1};
  more.blocks = {16, 36};
  more.period = {1};
  const auto all =
      CompareSurfaces({AsInput(Scaled(PlantedSurface(few), 1))},
                      {AsInput(PlantedSurface(more))}, FivePercent());
  ASSERT_EQ(all.cells.size(), 1u);
  EXPECT_EQ(all.cells[0].key.blocks(), 16u);
  ASSERT_EQ(all.one_sided.size(), 2u);
  EXPECT_EQ(all.one_sided[0].side, Side::kMeasured);
  EXPECT_EQ(all.one_sided[0].key.blocks(), 36u);
  EXPECT_EQ(all.one_sided[0].reason, "blocks=36 is not predicted; 16, 288");
  EXPECT_EQ(all.one_sided[1].side, Side::kPredicted);
  EXPECT_EQ(all.one_sided[1].reason, "blocks=288 is not measured; 16, 36");
}

TEST(CompareSurfaces, NamesACombinationWhenNoSingleAxisIsToBlame) {
  pb::Surface predicted = Scaled(PlantedSurface({}), 1);
  pb::Surface measured = PlantedSurface({});
  predicted.mutable_cells()->DeleteSubrange(5, 1);
  const auto all =
      CompareSurfaces({AsInput(predicted)}, {AsInput(measured)}, FivePercent());
  ASSERT_EQ(all.one_sided.size(), 1u);
  EXPECT_THAT(all.one_sided[0].reason, HasSubstr("combination"));
}

TEST(CompareSurfaces, EmptySurfacesCompareNothing) {
  pb::Surface empty = PlantedSurface({});
  empty.clear_cells();
  const auto all =
      CompareSurfaces({AsInput(Scaled(empty, 1))},
                      {AsInput(PlantedSurface({}))}, FivePercent());
  EXPECT_TRUE(all.cells.empty());
  ASSERT_EQ(all.one_sided.size(), 24u);
  EXPECT_EQ(all.one_sided[0].reason, "no cell is predicted");
  EXPECT_TRUE(CompareSurfaces({}, {}, FivePercent()).one_sided.empty());
}

TEST(CompareSurfaces, ABaselineIsComparedButCoversNothing) {
  pb::Surface fair = Scaled(PlantedSurface({}), 1.5);
  fair.mutable_conditions()->set_sharing("fair");
  const auto all = CompareSurfaces(
      {AsInput(fair)}, {AsInput(PlantedSurface({}))}, FivePercent());
  EXPECT_EQ(all.cells.size(), 24u);
  EXPECT_EQ(all.one_sided.size(), 24u);
}

TEST(CompareSurfaces, TwoBuildsOfACellAreTwoComparisons) {
  const pb::Surface measured = PlantedSurface({});
  const auto all =
      CompareSurfaces({AsInput(Scaled(measured, 1))},
                      {AsInput(measured), AsInput(measured)}, FivePercent());
  EXPECT_EQ(all.cells.size(), 48u);
  EXPECT_EQ(all.cells[0].measured, 0u);
  EXPECT_EQ(all.cells[47].measured, 1u);
}

}  // namespace
}  // namespace tilebound::validate
