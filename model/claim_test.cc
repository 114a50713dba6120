#include "model/claim.h"

#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

CellModel A10Cell(uint32_t blocks) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(blocks);
  const auto cell = MakeCellModel(
      *catalog->FindPart("a10"), *catalog->FindKernel("sgemm64"),
      *catalog->FindCalibration("a10", "sgemm64"), key, Sharing::kSlot, 1);
  EXPECT_TRUE(cell.ok()) << cell.status();
  return *cell;
}

double MeanPs(const ClaimDelays& delays, uint32_t blocks, uint32_t slot) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    sum += static_cast<double>(delays.DrawPs(blocks, slot, random));
  }
  return sum / 20'000;
}

// Two barriers and two round trips, with nobody in the way; the spread of a
// tile's service is the barriers' too.
TEST(ClaimDelays, AloneOnAnSmAClaimTakesItsParts) {
  const CellModel cell = A10Cell(72);
  const double parts = 2.0 * static_cast<double>(cell.claim_barrier_ps +
                                                 cell.claim_round_trip_ps);
  EXPECT_NEAR(MeanPs(ClaimDelays(cell), 1, 0), parts, 0.01 * parts);
}

TEST(ClaimDelays, YoungerSlotsTakeLonger) {
  const ClaimDelays delays(A10Cell(288));
  for (uint32_t slot = 1; slot < 4; ++slot) {
    EXPECT_GT(MeanPs(delays, 4, slot), MeanPs(delays, 4, slot - 1)) << slot;
  }
}

// Served at its weight over that of all when everybody is served, a barrier can
// take no longer than that.
TEST(ClaimDelays, NoClaimTakesLongerThanItsLeastShareAllows) {
  const CellModel cell = A10Cell(288);
  const ClaimDelays delays(cell);
  const SlotWeights& share = cell.slot_sharing.at(4);
  double sum = 0;
  for (int64_t weight : share.weights) sum += static_cast<double>(weight);
  const double stretch =
      share.service_scale * sum / static_cast<double>(share.weights.back());
  const double most = 2.0 * static_cast<double>(cell.claim_round_trip_ps) +
                      2.0 * static_cast<double>(cell.claim_barrier_ps) *
                          stretch *
                          (1 + Random::kMostLate * cell.timing.service_spread);
  Random random(4);
  for (int i = 0; i < 20'000; ++i) {
    const int64_t taken = delays.DrawPs(4, 3, random);
    ASSERT_GE(taken, 2 * cell.claim_round_trip_ps);
    ASSERT_LE(static_cast<double>(taken), most + 10);
  }
}

TEST(ClaimDelays, WithoutServiceOnlyTheRoundTripsAreLeft) {
  CellModel cell = A10Cell(288);
  cell.claim_barrier_ps = 0;
  const ClaimDelays delays(cell);
  Random random(5);
  for (uint32_t slot = 0; slot < 4; ++slot) {
    EXPECT_EQ(delays.DrawPs(4, slot, random), 2 * cell.claim_round_trip_ps);
  }
}

}  // namespace
}  // namespace tilebound::model
