#include "gpu/suites/tile_times.h"

#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

// Tiles of 6.4 us, 0.64 us apart.
std::vector<RecorderRecord> Tiles(int count) {
  std::vector<RecorderRecord> records;
  uint64_t now = 1'024'000;
  for (int task = 0; task < count; ++task) {
    records.push_back({now, PackRecord(kRecordedPop, task)});
    now += 6'400;
    records.push_back({now, PackRecord(kRecordedTileEnd, task)});
    now += 640;
  }
  return records;
}

TEST(TileTimes, PeriodCountsTheBoundaryAndWallDoesNot) {
  TileTimes times(32);
  times.Add(1, Tiles(10), 2);
  ASSERT_EQ(times.by_slot.size(), 2u);
  EXPECT_EQ(times.by_slot[0].count(), 0u);
  EXPECT_EQ(times.by_slot[1].count(), 8u);
  EXPECT_EQ(*times.by_slot[1].Quantile(0.5), 220u);
  EXPECT_EQ(*times.wall.Quantile(0.5), 200u);
}

TEST(TileTimes, LeavesOutTheFirstTileOfAllWhichNothingCameBefore) {
  TileTimes times(32);
  times.Add(0, Tiles(3), 0);
  EXPECT_EQ(times.wall.count(), 2u);
}

}  // namespace
}  // namespace tilebound::gpu
