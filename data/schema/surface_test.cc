#include "data/schema/surface.h"

#include <algorithm>
#include <limits>

#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

pb::Cell MakeCell(uint32_t blocks, uint64_t first, uint64_t last) {
  pb::Cell cell;
  *cell.mutable_key() = DefaultCellKey();
  cell.mutable_key()->set_part("a10");
  cell.mutable_key()->set_kernel("sgemm64");
  cell.mutable_key()->set_k(64);
  cell.mutable_key()->set_blocks(blocks);
  Histogram histogram(1'024'000);
  for (uint64_t value = first; value < last; ++value) {
    histogram.Add(value * value % 89);
  }
  *cell.add_metrics() = HistogramMetric(kLatency, histogram);
  *cell.add_metrics() = ScalarMetric(kOverhead, 0.5, 1);
  return cell;
}

pb::Surface MakeSurface(uint64_t seed) {
  pb::Surface surface;
  surface.set_name("try");
  surface.mutable_provenance()->set_kind(pb::Provenance::PREDICTED);
  surface.mutable_provenance()->set_seed(seed);
  surface.mutable_conditions()->set_sm_clock_mhz(1695);
  return surface;
}

std::string MergeError(const pb::Surface& a, const pb::Surface& b) {
  return std::string(MergeSurfaces({a, b}).status().message());
}

TEST(ValidateSurface, AcceptsASurfaceWithoutCells) {
  EXPECT_TRUE(ValidateSurface(MakeSurface(1)).ok());
}

TEST(ValidateSurface, WantsToKnowWhoseItIs) {
  pb::Surface surface = MakeSurface(1);
  surface.clear_provenance();
  EXPECT_EQ(ValidateSurface(surface).message(),
            "surface.provenance.kind is not set; accepted are PREDICTED, "
            "MEASURED, PUBLISHED");
  surface.mutable_provenance()->set_kind(static_cast<pb::Provenance::Kind>(12));
  EXPECT_THAT(ValidateSurface(surface).message(), HasSubstr("number 12"));
  surface.mutable_provenance()->set_kind(pb::Provenance::PUBLISHED);
  EXPECT_THAT(ValidateSurface(surface).message(),
              HasSubstr("provenance.citation is empty"));
  surface.mutable_provenance()->set_citation("A. Author");
  EXPECT_TRUE(ValidateSurface(surface).ok());
}

TEST(ValidateSurface, NamesTheCellByIndexAndKey) {
  pb::Surface surface = MakeSurface(1);
  *surface.add_cells() = MakeCell(72, 0, 5);
  *surface.add_cells() = MakeCell(144, 0, 5);
  surface.mutable_cells(1)->mutable_metrics(1)->set_scalar(
      std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(ValidateSurface(surface).message(),
            "surface.cells[1] (" + CanonicalText(surface.cells(1).key()) +
                "): metric overhead: scalar is nan; a finite number is needed");
}

TEST(ValidateSurface, RefusesTheSameKeyTwice) {
  pb::Surface surface = MakeSurface(1);
  *surface.add_cells() = MakeCell(72, 0, 5);
  *surface.add_cells() = MakeCell(72, 5, 9);
  EXPECT_EQ(ValidateSurface(surface).message(),
            "surface.cells[1] has a key that an earlier cell has too: " +
                CanonicalText(surface.cells(0).key()));
}

TEST(ValidateSurface, RefusesTheSameMetricTwiceButNotForTwoSlots) {
  pb::Surface surface = MakeSurface(1);
  *surface.add_cells() = MakeCell(72, 0, 5);
  pb::Metric tile = surface.cells(0).metrics(0);
  tile.set_name(kTileTime);
  *surface.mutable_cells(0)->add_metrics() = tile;
  tile.set_slot(1);
  *surface.mutable_cells(0)->add_metrics() = tile;
  EXPECT_TRUE(ValidateSurface(surface).ok());
  *surface.mutable_cells(0)->add_metrics() = tile;
  EXPECT_THAT(ValidateSurface(surface).message(),
              HasSubstr("metric tile_time occurs twice"));
}

TEST(MergeSurfaces, OfShardsOfCellsEqualsTheUnsplitSurface) {
  pb::Surface whole = MakeSurface(7), shards[3];
  for (pb::Surface& shard : shards) shard = MakeSurface(7);
  for (uint32_t i = 0; i < 10; ++i) {
    *whole.add_cells() = MakeCell(16 * (i + 1), 0, 100 + i);
    *shards[i % 3].add_cells() = whole.cells(i);
  }
  const pb::Surface merged = *MergeSurfaces({shards[2], shards[0], shards[1]});
  EXPECT_TRUE(MessageDifferencer::Equals(merged, whole));
}

TEST(MergeSurfaces, OfShardsOfEventsEqualsTheUnsplitCell) {
  pb::Surface whole = MakeSurface(1), left = MakeSurface(1);
  pb::Surface right = MakeSurface(2);
  *whole.add_cells() = MakeCell(72, 0, 1000);
  *left.add_cells() = MakeCell(72, 0, 300);
  *right.add_cells() = MakeCell(72, 300, 1000);
  const pb::Surface merged = *MergeSurfaces({left, right});
  EXPECT_TRUE(MessageDifferencer::Equals(merged, whole));
  EXPECT_EQ(merged.cells(0).metrics(0).n(), 1000u);
}

TEST(MergeSurfaces, KeepsMetricsThatOneShardHasAlone) {
  pb::Surface left = MakeSurface(1), right = MakeSurface(2);
  *left.add_cells() = MakeCell(72, 0, 5);
  *right.add_cells() = MakeCell(72, 5, 9);
  *right.mutable_cells(0)->add_metrics() = ScalarMetric(kRateLoss, 2, 1);
  EXPECT_EQ(MergeSurfaces({left, right})->cells(0).metrics_size(), 3);
}

TEST(MergeSurfaces, RefusesOtherConditionsAndNamesThem) {
  pb::Surface other = MakeSurface(1);
  other.mutable_conditions()->set_sm_clock_mhz(1500);
  EXPECT_EQ(MergeError(MakeSurface(1), other),
            "shard 2: conditions.sm_clock_mhz is 1500, the first shard's is "
            "1695; shards of one surface have the same");
  other = MakeSurface(1);
  other.mutable_conditions()->set_card("second");
  EXPECT_THAT(
      MergeError(MakeSurface(1), other),
      HasSubstr("conditions.card is \"second\", the first shard's is \"\""));
  other = MakeSurface(1);
  other.mutable_provenance()->set_kind(pb::Provenance::MEASURED);
  EXPECT_THAT(MergeError(MakeSurface(1), other),
              HasSubstr("provenance.kind is MEASURED, the first shard's is "
                        "PREDICTED"));
}

TEST(MergeSurfaces, RefusesToCountTheSameDrawsTwice) {
  pb::Surface shard = MakeSurface(5);
  *shard.add_cells() = MakeCell(72, 0, 5);
  EXPECT_THAT(MergeError(shard, shard),
              HasSubstr("shard 2 predicts a cell from seed 5 that an earlier "
                        "shard predicts from it too: part=a10"));
}

TEST(MergeSurfaces, RefusesValuesThatDifferAndCannotBeAdded) {
  pb::Surface left = MakeSurface(1), right = MakeSurface(2);
  *left.add_cells() = MakeCell(72, 0, 5);
  *right.add_cells() = MakeCell(72, 5, 9);
  right.mutable_cells(0)->mutable_metrics(1)->set_scalar(0.75);
  EXPECT_THAT(MergeError(left, right),
              HasSubstr("metric overhead differs between shards"));
  EXPECT_THAT(MergeError(left, right), HasSubstr("scalar: 0.75"));
  *right.mutable_cells(0) = MakeCell(72, 5, 9);
  right.mutable_cells(0)->mutable_metrics(0)->set_soft_reason("drifted");
  EXPECT_THAT(MergeError(left, right), HasSubstr("soft_reason: \"drifted\""));
}

TEST(MergeSurfaces, RefusesHistogramsOfDifferentTimers) {
  pb::Surface left = MakeSurface(1), right = MakeSurface(2);
  *left.add_cells() = MakeCell(72, 0, 5);
  *right.add_cells() = MakeCell(72, 5, 9);
  right.mutable_cells(0)
      ->mutable_metrics(0)
      ->mutable_histogram()
      ->set_quantum_ps(32'000);
  EXPECT_THAT(MergeError(left, right),
              HasSubstr("quanta of 32000 ps into one of 1024000 ps"));
}

TEST(MergeSurfaces, RefusesNothing) {
  EXPECT_EQ(MergeSurfaces({}).status().message(), "no shards to merge");
}

}  // namespace
}  // namespace tilebound
