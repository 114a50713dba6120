#include "data/schema/histogram.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"

namespace tilebound {
namespace {

Histogram OneTo(uint64_t n) {
  Histogram histogram(1000);
  for (uint64_t value = 1; value <= n; ++value) histogram.Add(value);
  return histogram;
}

TEST(QuantileRank, IsTheCeilingEvenWhereBinaryFractionsRound) {
  EXPECT_EQ(QuantileRank(0.99, 100), 99u);
  EXPECT_EQ(QuantileRank(0.99, 101), 100u);
  EXPECT_EQ(QuantileRank(0.5, 9900), 4950u);
  EXPECT_EQ(QuantileRank(0.07, 100), 7u);
  EXPECT_EQ(QuantileRank(0.001, 5), 1u);
  EXPECT_EQ(QuantileRank(1, 5), 5u);
}

TEST(Histogram, QuantilesOfTheFirstHundredIntegersAreThemselves) {
  const Histogram histogram = OneTo(100);
  for (uint64_t percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(*histogram.Quantile(percent / 100.0), percent);
  }
  EXPECT_DOUBLE_EQ(*histogram.Mean(), 50.5);
  EXPECT_EQ(*histogram.Max(), 100u);
}

TEST(Histogram, MergeEqualsAddingEverythingToOne) {
  Histogram left(7), right(7), whole(7);
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint64_t value = (i * i * 31 + 7) % 97;
    (i % 3 == 0 ? left : right).Add(value);
    whole.Add(value);
  }
  ASSERT_TRUE(left.Merge(right).ok());
  EXPECT_EQ(left.bins(), whole.bins());
  EXPECT_EQ(left.count(), 1000u);
}

TEST(Histogram, RefusesToMergeDifferentQuanta) {
  Histogram a10(1'024'000), h200(32'000);
  EXPECT_EQ(a10.Merge(h200).message(),
            "cannot merge a histogram in quanta of 32000 ps into one of "
            "1024000 ps");
}

TEST(Histogram, ProtoRoundTripKeepsEverything) {
  Histogram histogram(1'024'000);
  histogram.Add(3, 5);
  histogram.Add(1'000'000'000'000, 2);
  const Histogram back = *Histogram::FromProto(histogram.ToProto());
  EXPECT_EQ(back.bins(), histogram.bins());
  EXPECT_EQ(back.quantum_ps(), 1'024'000u);
}

TEST(Histogram, RefusesMalformedProtos) {
  pb::Histogram proto = OneTo(3).ToProto();
  proto.set_bin(1, 1);
  EXPECT_FALSE(Histogram::FromProto(proto).ok());
  proto = OneTo(3).ToProto();
  proto.set_count(0, 0);
  EXPECT_FALSE(Histogram::FromProto(proto).ok());
  proto = OneTo(3).ToProto();
  proto.add_bin(9);
  EXPECT_FALSE(Histogram::FromProto(proto).ok());
  proto = OneTo(3).ToProto();
  proto.set_quantum_ps(0);
  EXPECT_FALSE(Histogram::FromProto(proto).ok());
}

TEST(Histogram, EmptyHasNoStatistics) {
  const Histogram empty(1);
  EXPECT_FALSE(empty.Quantile(0.5).ok());
  EXPECT_FALSE(empty.Mean().ok());
  EXPECT_FALSE(empty.Interval(0.5, 0.95).ok());
  EXPECT_FALSE(OneTo(3).Quantile(0).ok());
  EXPECT_FALSE(OneTo(3).Quantile(1.5).ok());
}

// David & Nagaraja's example: for n = 10 the pair (X(2), X(9)) covers the
// median with probability 1 - 2 (1 + 10) / 1024 = 0.978516, and no narrower
// symmetric pair reaches 95 %.
TEST(Histogram, MedianIntervalOfTenValuesIsTheTextbookOne) {
  const QuantileInterval interval = *OneTo(10).Interval(0.5, 0.95);
  EXPECT_EQ(interval.low, 2u);
  EXPECT_EQ(interval.high, 9u);
  EXPECT_NEAR(interval.coverage, 1 - 22.0 / 1024, 1e-12);
}

// Normal approximation: ranks n q +- 1.96 sqrt(n q (1 - q)).
TEST(Histogram, IntervalOfManyValuesFollowsTheNormalLimit) {
  const QuantileInterval interval = *OneTo(10'000).Interval(0.99, 0.95);
  EXPECT_NEAR(static_cast<double>(interval.low), 9900 - 19.5, 1.5);
  EXPECT_NEAR(static_cast<double>(interval.high), 9900 + 20.5, 1.5);
  EXPECT_GE(interval.coverage, 0.95);
}

TEST(Histogram, SaysWhenTooFewValuesCannotReachTheConfidence) {
  const QuantileInterval interval = *OneTo(10).Interval(0.99, 0.95);
  EXPECT_EQ(interval.high, 10u);
  // P(the largest of 10 is at or over the 0.99 quantile) = 1 - 0.99^10.
  EXPECT_LT(interval.coverage, 0.1);
}

}  // namespace
}  // namespace tilebound
