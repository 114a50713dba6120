#include "model/trace_tiles.h"

#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/planted_trace.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

pb::TraceHeader Header(uint32_t blocks) {
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::COOPERATIVE);
  header.mutable_cell()->set_site(pb::STAGE);
  header.mutable_cell()->set_period(1);
  header.set_stages_per_tile(2);
  header.set_blocks(blocks);
  header.set_urgent_streams(1);
  header.set_tasks(100);
  header.set_blocks_per_sm(2);
  return header;
}

// Streams of records, as a block would write them.
using Script = std::vector<std::pair<uint32_t, Record>>;

absl::StatusOr<TraceTiles> Read(const Script& script, uint32_t blocks = 1,
                                uint64_t warmup = 0) {
  TraceWriter writer = *TraceWriter::CreateInMemory(Header(blocks));
  for (const auto& [stream, record] : script) writer.Append(stream, record);
  const TraceReader reader =
      *TraceReader::FromBytes(*writer.TakeBytes(), "t.tbtrace");
  return ReadTraceTiles(reader, warmup);
}

// Tiles of 10 with a boundary of 1 between them: pops at 0, 11, 22, ...
Script Tiles(uint32_t stream, int count) {
  Script script;
  for (int i = 0; i < count; ++i) {
    script.push_back({stream, Record::Pop(11 * i, i)});
    script.push_back({stream, Record::TileEnd(11 * i + 10, i)});
  }
  return script;
}

std::vector<int64_t> Durations(const BlockTiles& block) {
  std::vector<int64_t> durations;
  for (const MeasuredTile& tile : block.tiles) {
    durations.push_back(tile.duration_ps);
  }
  return durations;
}

Script operator+(Script a, const Script& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ReadTraceTiles, MeasuresFromPopToPopAndLeavesOutTheWarmUp) {
  const Script script = Script{{0, Record::BlockStart(0, 0, 0)}} + Tiles(0, 5) +
                        Script{{0, Record::BlockExit(55)}};
  const auto all = Read(script);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(Durations(all->blocks[0]), std::vector<int64_t>({11, 11, 11, 11}));
  EXPECT_FALSE(all->blocks[0].tiles[0].follows);
  EXPECT_TRUE(all->blocks[0].tiles[1].follows);
  const auto warm = Read(script, 1, 3);
  EXPECT_EQ(warm->blocks[0].tiles.size(), 1u);
  EXPECT_EQ(warm->left_out.warm_up, 3u);
  EXPECT_TRUE(warm->end.whole);
}

TEST(ReadTraceTiles, KeepsALookAndLeavesOutUrgentWorkAndAbandonedTiles) {
  const auto tiles = Read({{0, Record::BlockStart(0, 0, 0)},
                           {0, Record::Pop(0, 0)},
                           {0, Record::Observe(4, 1)},
                           {0, Record::TileEnd(10, 0)},
                           // Later by a look, which the next tile makes up for.
                           {0, Record::Observe(11, 2)},
                           {0, Record::Pop(12, 1)},
                           {0, Record::TileEnd(20, 1)},
                           {0, Record::Pop(22, 2)},
                           {0, Record::Observe(25, 3)},
                           {0, Record::Claim(25, 3, 0, pb::STAGE)},
                           {0, Record::Abandon(25, 2)},
                           {0, Record::UrgentBegin(25, 3, 0)},
                           {0, Record::UrgentEnd(35, 3, 0)},
                           {0, Record::Restart(35, 2)},
                           {0, Record::TileEnd(45, 2)},
                           {0, Record::Pop(46, 3)},
                           {0, Record::TileEnd(56, 3)},
                           {0, Record::UrgentBegin(57, 4, 0)},
                           {0, Record::UrgentEnd(67, 4, 0)},
                           {0, Record::Pop(68, 4)},
                           {0, Record::TileEnd(77, 4)},
                           {0, Record::Pop(79, 5)},
                           {0, Record::TileEnd(88, 5)},
                           {0, Record::BlockExit(90)}});
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  EXPECT_EQ(Durations(tiles->blocks[0]), std::vector<int64_t>({12, 10, 11}));
  EXPECT_FALSE(tiles->blocks[0].tiles[2].follows);
  EXPECT_EQ(tiles->left_out.cut_by_events, 2u);
}

TEST(ReadTraceTiles, LeavesOutWhatWasDropped) {
  const auto tiles = Read({{0, Record::BlockStart(0, 0, 0)},
                           {0, Record::Pop(0, 0)},
                           {0, Record::TileEnd(10, 0)},
                           {0, Record::Drop(50, 8)},
                           {0, Record::Pop(55, 5)},
                           {0, Record::TileEnd(65, 5)},
                           {0, Record::Pop(66, 6)},
                           {0, Record::TileEnd(76, 6)},
                           {0, Record::BlockExit(77)}});
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  EXPECT_EQ(Durations(tiles->blocks[0]), std::vector<int64_t>({11}));
  EXPECT_EQ(tiles->left_out.lost, 1u);
}

TEST(ReadTraceTiles, KeepsOnlyTheTimeInWhichAllBlocksOfTheSmAreThere) {
  const auto tiles =
      Read(Script{{0, Record::BlockStart(0, 7, 0)}} + Tiles(0, 10) +
               Script{{0, Record::BlockExit(110)},
                      {1, Record::BlockStart(12, 7, 1)},
                      {1, Record::Pop(12, 50)},
                      {1, Record::TileEnd(40, 50)},
                      {1, Record::Pop(41, 51)},
                      {1, Record::TileEnd(70, 51)},
                      {1, Record::BlockExit(71)}},
           2);
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  // From 12 to 71: pops of block 0 at 22, 33, 44, 55, 66.
  EXPECT_EQ(Durations(tiles->blocks[0]),
            std::vector<int64_t>({11, 11, 11, 11}));
  EXPECT_EQ(Durations(tiles->blocks[1]), std::vector<int64_t>({29}));
  EXPECT_EQ(tiles->left_out.residency_changing, 5u);
  EXPECT_EQ(tiles->blocks_per_sm, 2u);
  EXPECT_EQ(tiles->blocks[1].slot, 1u);
}

TEST(ReadTraceTiles, LeavesOutTilesBesideABlockOfTheUrgentKernel) {
  const auto tiles =
      Read(Script{{0, Record::BlockStart(0, 0, 0)}} + Tiles(0, 6) +
           Script{{0, Record::BlockExit(66)},
                  {1, Record::BlockStart(24, 0, 1)},
                  {1, Record::UrgentBegin(25, 1, 0)},
                  {1, Record::UrgentEnd(34, 1, 0)},
                  {1, Record::BlockExit(35)}});
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  EXPECT_EQ(tiles->left_out.cut_by_events, 2u);
  EXPECT_EQ(tiles->blocks[0].tiles.size(), 3u);
}

TEST(ReadTraceTiles, RefusesSlotsThatCannotBeToldApart) {
  const auto tiles = Read({{0, Record::BlockStart(0, 3, 0)},
                           {1, Record::BlockStart(0, 3, 0)},
                           {0, Record::BlockExit(10)},
                           {1, Record::BlockExit(10)}},
                          2);
  EXPECT_THAT(tiles.status().message(),
              HasSubstr("t.tbtrace: blocks 0 and 1 both start in slot 0 of SM "
                        "3, so slots cannot be told apart"));
}

TEST(ReadTraceTiles, RefusesABlockThatNobodySawStart) {
  const auto tiles =
      Read({{0, Record::BlockStart(0, 3, 0)}, {0, Record::BlockExit(10)}}, 2);
  EXPECT_THAT(tiles.status().message(),
              HasSubstr("block 1 of 2 has no block_start"));
}

TEST(ReadTraceTiles, SaysThatATraceWasCutShortAndKeepsTheRest) {
  std::string bytes = PlantedTraceBytes({.slot_us = {10, 14}, .sms = 2});
  // The index and the last few bytes of the last block.
  bytes.resize(bytes.size() - 40);
  const auto reader = TraceReader::FromBytes(bytes, "cut.tbtrace");
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto tiles = ReadTraceTiles(*reader, 0);
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  EXPECT_FALSE(tiles->end.whole);
  EXPECT_NE(tiles->end.why, "");
  EXPECT_GT(tiles->blocks[0].tiles.size(), 1000u);
}

}  // namespace
}  // namespace tilebound::model
