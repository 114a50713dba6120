#include "validate/verdict.h"

#include <gtest/gtest.h>

namespace tilebound::validate {
namespace {

constexpr double kQuantum = 1.024;

pb::Tolerance FivePercent() {
  pb::Tolerance tolerance;
  tolerance.set_relative(0.05);
  return tolerance;
}

Pair Plain(double predicted, double measured, double quantum) {
  return {predicted, measured, measured, measured,
          BandHalfWidth(FivePercent(), measured, quantum)};
}

TEST(Verdict, IncludesBothEdgesOfTheBand) {
  EXPECT_EQ(Judge(Plain(95, 100, 0)), Verdict::kAgrees);
  EXPECT_EQ(Judge(Plain(105, 100, 0)), Verdict::kAgrees);
  EXPECT_EQ(Judge(Plain(94.99, 100, 0)), Verdict::kOptimistic);
  EXPECT_EQ(Judge(Plain(105.01, 100, 0)), Verdict::kPessimistic);
}

TEST(Verdict, GivesShortTimesOneQuantum) {
  // 5 % of 8.192 us is under half a quantum.
  EXPECT_EQ(Judge(Plain(7 * kQuantum, 8 * kQuantum, kQuantum)),
            Verdict::kAgrees);
  EXPECT_EQ(Judge(Plain(6 * kQuantum, 8 * kQuantum, kQuantum)),
            Verdict::kOptimistic);
  EXPECT_EQ(Judge(Plain(10 * kQuantum, 8 * kQuantum, kQuantum)),
            Verdict::kPessimistic);
}

TEST(Verdict, OneQuantumOffAgreesThoughThePaperRounds) {
  // 8 quanta are 8.192 us, which the study prints as 8.19.
  EXPECT_EQ(Judge(Plain(9 * kQuantum, 8.19, kQuantum)), Verdict::kAgrees);
  EXPECT_EQ(Judge(Plain(10 * kQuantum, 8.19, kQuantum)), Verdict::kPessimistic);
}

TEST(Verdict, TheIntervalWidensTheBandButNotTheWithinCount) {
  const Pair pair = {
      .predicted = 92, .measured = 100, .low = 96, .high = 103, .tolerance = 5};
  EXPECT_EQ(Judge(pair), Verdict::kAgrees);
  EXPECT_FALSE(WithinBand(pair));
}

TEST(Verdict, AbsoluteToleranceServesFiguresAroundZero) {
  pb::Tolerance points;
  points.set_absolute(1);
  EXPECT_EQ(BandHalfWidth(points, -0.4, 0), 1);
  const Pair pair = {.predicted = 0.5,
                     .measured = -0.4,
                     .low = -0.4,
                     .high = -0.4,
                     .tolerance = 1};
  EXPECT_EQ(Judge(pair), Verdict::kAgrees);
}

TEST(Verdict, NegativeMeasurementsHaveAPositiveBand) {
  EXPECT_EQ(BandHalfWidth(FivePercent(), -100, 0), 5);
}

}  // namespace
}  // namespace tilebound::validate
