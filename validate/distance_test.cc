#include "validate/distance.h"

#include <gtest/gtest.h>

#include "validate/planted.h"

namespace tilebound::validate {
namespace {

constexpr uint64_t kMicrosecond = 1'000'000;  // in ps

TEST(Distance, OfADistributionToItselfIsNothing) {
  PlantedRandom random(3);
  const Histogram h = LognormalHistogram(100, 0.3, 1000, random);
  const DistributionDistance d = Distance(h, h);
  EXPECT_EQ(d.mean_shift_us, 0);
  EXPECT_EQ(d.largest_gap, 0);
  EXPECT_EQ(d.tail_share, 0);
}

TEST(Distance, OfAShiftedCopyIsTheShiftEverywhere) {
  Histogram a(kMicrosecond), b(kMicrosecond);
  for (uint64_t i = 0; i < 1000; ++i) {
    a.Add(100 + i);
    b.Add(107 + i);
  }
  const DistributionDistance d = Distance(a, b);
  EXPECT_NEAR(d.mean_shift_us, 7, 1e-9);
  EXPECT_NEAR(d.low_share, 0.05, 1e-9);
  EXPECT_NEAR(d.body_share, 0.90, 1e-9);
  EXPECT_NEAR(d.tail_share, 0.05, 1e-9);
  EXPECT_NEAR(d.largest_gap, 0.007, 1e-9);
  EXPECT_NEAR(d.relative, 7 / (107 + 499.5), 1e-9);
}

TEST(Distance, BlamesTheTailWhenOnlyTheTailDiffers) {
  Histogram a(kMicrosecond), b(kMicrosecond);
  a.Add(10, 1000);
  b.Add(10, 990);
  b.Add(500, 10);
  const DistributionDistance d = Distance(a, b);
  EXPECT_NEAR(d.mean_shift_us, 0.01 * 490, 1e-9);
  EXPECT_NEAR(d.tail_share, 1, 1e-9);
  EXPECT_NEAR(d.largest_gap, 0.01, 1e-12);
}

TEST(Distance, CountsEventsNotHowManyThereAre) {
  Histogram few(kMicrosecond), many(kMicrosecond);
  few.Add(5, 2);
  few.Add(9, 2);
  many.Add(5, 300);
  many.Add(9, 300);
  EXPECT_NEAR(Distance(few, many).mean_shift_us, 0, 1e-12);
}

TEST(Distance, ComparesAcrossTimers) {
  Histogram fine(1000), coarse(kMicrosecond);
  fine.Add(5000, 10);  // 5 us
  coarse.Add(7, 10);   // 7 us
  EXPECT_NEAR(Distance(fine, coarse).mean_shift_us, 2, 1e-9);
}

}  // namespace
}  // namespace tilebound::validate
