#include "validate/cell_table.h"

#include <gtest/gtest.h>

#include "validate/planted.h"

namespace tilebound::validate {
namespace {

Comparison Of(const char* metric, double q, Verdict verdict) {
  Comparison comparison;
  comparison.metric = FindMetricInfo(metric);
  comparison.q = q;
  comparison.predicted = 1;
  comparison.measured = 1;
  comparison.verdict = verdict;
  return comparison;
}

TEST(Headline, IsTheLatencyWhereItWasCompared) {
  CellComparison cell;
  cell.comparisons = {Of(kOverhead, 0, Verdict::kAgrees),
                      Of(kSpread, 0.5, Verdict::kAgrees),
                      Of(kLatency, 0.5, Verdict::kAgrees),
                      Of(kLatency, 0.99, Verdict::kOptimistic)};
  const Headline headline = HeadlineOf(cell);
  EXPECT_EQ(headline.p50, &cell.comparisons[2]);
  EXPECT_EQ(headline.p99, &cell.comparisons[3]);
  EXPECT_EQ(headline.verdict, "p99 OPTIMISTIC");
}

TEST(Headline, PassesOverADistributionThatWasNotCompared) {
  CellComparison cell;
  cell.comparisons = {Of(kLatency, 0.5, Verdict::kNotCompared),
                      Of(kE2e, 0.5, Verdict::kPessimistic),
                      Of(kE2e, 0.99, Verdict::kPessimistic)};
  EXPECT_EQ(HeadlineOf(cell).p50->metric->name, kE2e);
  EXPECT_EQ(HeadlineOf(cell).verdict, "PESSIMISTIC");
}

TEST(Headline, OfACellWithoutFiguresIsNotCompared) {
  EXPECT_EQ(HeadlineOf(CellComparison()).verdict, "NOT COMPARED");
}

TEST(CellTable, ForProgramsHasEveryAxisAndBaselinesToo) {
  ReportInputs inputs;
  pb::Surface fair = Scaled(PlantedSurface({}), 2);
  fair.mutable_conditions()->set_sharing("fair");
  inputs.predicted = {AsInput(Scaled(PlantedSurface({}), 1)), AsInput(fair)};
  inputs.measured = {AsInput(PlantedSurface({}))};
  inputs.tolerances.set_confidence(0.95);
  inputs.tolerances.add_tolerance()->set_relative(0.05);
  const Findings findings = Find(std::move(inputs));
  EXPECT_EQ(FullCellTable(findings).rows().size(), 48u);
  EXPECT_EQ(ReadableCellTable(findings).rows().size(), 24u);
  const std::string csv = FullCellTable(findings).ToCsv();
  EXPECT_EQ(csv.find("part,kernel,k,blocks,site,period"), 0u);
}

}  // namespace
}  // namespace tilebound::validate
