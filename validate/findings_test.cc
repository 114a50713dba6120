#include "validate/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/planted.h"

namespace tilebound::validate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

ReportInputs Inputs(std::vector<pb::Surface> predicted,
                    std::vector<pb::Surface> measured) {
  ReportInputs inputs;
  for (auto& surface : predicted) inputs.predicted.push_back(AsInput(surface));
  for (auto& surface : measured) inputs.measured.push_back(AsInput(surface));
  inputs.tolerances.set_clock_relative(0.03);
  inputs.tolerances.set_confidence(0.95);
  inputs.tolerances.add_tolerance()->set_relative(0.05);
  return inputs;
}

TEST(Findings, RecoverAPlantedBiasOfTenPercent) {
  PlantedOptions options;
  options.blocks = {100, 200};
  const pb::Surface measured = PlantedSurface(options);
  const Findings findings = Find(Inputs({Scaled(measured, 0.9)}, {measured}));
  const Accuracy* p50 = findings.sound.Find(kLatency, 0.5);
  ASSERT_NE(p50, nullptr);
  EXPECT_NEAR(*p50->mape(), 0.1, 1e-9);
  EXPECT_NEAR(*p50->bias(), -0.1, 1e-9);
  EXPECT_EQ(p50->optimistic(), 8u);
  EXPECT_TRUE(findings.AnyDisagreement());
  EXPECT_EQ(findings.coverage.compared_cells, 8u);
  EXPECT_EQ(findings.coverage.measured_cells, 8u);
  EXPECT_EQ(findings.worst.size(), kWorstKept);
}

TEST(Findings, SoftFiguresAreCountedApart) {
  pb::Surface measured = PlantedSurface({});
  pb::Metric* overhead = measured.mutable_cells(0)->mutable_metrics(1);
  overhead->set_scalar(-40);
  overhead->set_soft_reason("bistable placement");
  const Findings findings =
      Find(Inputs({Scaled(PlantedSurface({}), 1)}, {measured}));
  EXPECT_EQ(findings.sound.Find(kOverhead, 0)->compared(), 23u);
  EXPECT_EQ(findings.soft.Find(kOverhead, 0)->pessimistic(), 1u);
  EXPECT_FALSE(findings.AnyDisagreement());
}

TEST(Findings, CoverageCountsReasonsMostFrequentFirst) {
  pb::Surface predicted = Scaled(PlantedSurface({}), 1);
  for (pb::Cell& cell : *predicted.mutable_cells()) {
    *cell.mutable_metrics(1) =
        AbsentMetric(kOverhead, pb::Metric::NOT_MODELLED, "no law");
  }
  predicted.mutable_cells()->DeleteSubrange(0, 1);
  const Findings findings = Find(Inputs({predicted}, {PlantedSurface({})}));
  EXPECT_EQ(findings.coverage.compared_cells, 23u);
  EXPECT_EQ(findings.coverage.measured_only, 1u);
  ASSERT_EQ(findings.coverage.reasons.size(), 2u);
  EXPECT_EQ(findings.coverage.reasons[0].what, "overhead");
  EXPECT_EQ(findings.coverage.reasons[0].count, 23u);
  EXPECT_EQ(findings.coverage.reasons[1].what, "measured cell");
}

TEST(Findings, ACellWithTwoPredictionsIsCoveredOnce) {
  const pb::Surface measured = PlantedSurface({});
  const Findings findings =
      Find(Inputs({Scaled(measured, 1), Scaled(measured, 1.01)}, {measured}));
  EXPECT_EQ(findings.comparisons.cells.size(), 48u);
  EXPECT_EQ(findings.coverage.compared_cells, 24u);
}

TEST(Findings, BaselinesStayOutOfTheModelsScore) {
  const pb::Surface measured = PlantedSurface({});
  pb::Surface fair = Scaled(measured, 2);
  fair.mutable_conditions()->set_sharing("fair");
  const Findings findings =
      Find(Inputs({Scaled(measured, 1), fair}, {measured}));
  EXPECT_FALSE(findings.AnyDisagreement());
  ASSERT_EQ(findings.baselines.size(), 1u);
  EXPECT_EQ(findings.baselines[0].sharing, "fair");
  EXPECT_NEAR(*findings.baselines[0].accuracy.Find(kLatency, 0.5)->mape(), 1,
              1e-9);
}

TEST(Findings, NoteAClockThatNobodyStated) {
  pb::Surface measured = PlantedSurface({});
  measured.mutable_conditions()->clear_sm_clock_mhz();
  const Findings findings =
      Find(Inputs({Scaled(PlantedSurface({}), 1)}, {measured}));
  EXPECT_THAT(findings.notes, Contains(HasSubstr("SM clock")));
}

TEST(Findings, NothingComparedIsNotAgreement) {
  const Findings findings = Find(Inputs({}, {PlantedSurface({})}));
  EXPECT_FALSE(findings.AnyCompared());
  EXPECT_FALSE(findings.AnyDisagreement());
}

}  // namespace
}  // namespace tilebound::validate
