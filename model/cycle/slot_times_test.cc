#include "model/cycle/slot_times.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/io/atomic_file.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

namespace fs = std::filesystem;

TileStream SmallStream(const std::string& chunk = "8*lds.2,w0 16*fma,m0 bar") {
  pb::InstructionStream text;
  text.set_elect("atom,w0");
  text.set_fetch("int,m0 bar");
  text.set_chunk(chunk);
  text.set_epilogue("4*stg");
  return *ParseStream(text);
}

class SlotTimes : public ::testing::Test {
 protected:
  SlotTimes()
      : folder_(
            fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
  }

  std::vector<CycleSlotTime> Compute(const std::string& folder) const {
    const auto slots =
        ComputeCycleSlotTimes(SmallStream(), {}, kOptions, folder);
    EXPECT_TRUE(slots.ok()) << slots.status();
    return *slots;
  }

  std::string CacheFile() const {
    return folder_ / (CycleSlotKey(SmallStream(), {}, kOptions) + ".slots");
  }

  const fs::path folder_;
  static constexpr CycleSlotOptions kOptions = {
      .blocks = 3, .chunks = 4, .tiles = 30};
};

TEST_F(SlotTimes, AFixedTileHasItsLengthAndNoSpread) {
  pb::InstructionStream text;
  text.set_elect("int");
  text.set_chunk("100*int,s10");
  CycleParameters parameters;
  parameters.clock_mhz = 1000;
  const auto slots = ComputeCycleSlotTimes(*ParseStream(text), parameters,
                                           {.warps_per_block = 1, .chunks = 2});
  ASSERT_TRUE(slots.ok()) << slots.status();
  ASSERT_EQ(slots->size(), 1u);
  EXPECT_DOUBLE_EQ((*slots)[0].mean_us, 2.001);
  EXPECT_EQ((*slots)[0].spread, 0);
  EXPECT_EQ((*slots)[0].mean_error_us, 0);
  EXPECT_EQ((*slots)[0].tiles, 100u);
}

TEST_F(SlotTimes, OlderSlotsAreFasterAndRatesAddUpToTheMean) {
  const std::vector<CycleSlotTime> slots = Compute("");
  ASSERT_EQ(slots.size(), 3u);
  EXPECT_LT(slots[0].mean_us, slots[2].mean_us);
  EXPECT_NEAR(
      MeanCycleTileUs(slots),
      3 / (1 / slots[0].mean_us + 1 / slots[1].mean_us + 1 / slots[2].mean_us),
      1e-12);
}

TEST_F(SlotTimes, ErrorsCoverTheDifferenceToALongRun) {
  CycleSlotOptions longer = kOptions;
  longer.tiles = 3000;
  longer.seed = 99;
  const std::vector<CycleSlotTime> slots = Compute("");
  const auto truth = ComputeCycleSlotTimes(SmallStream(), {}, longer);
  ASSERT_TRUE(truth.ok());
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_NEAR(slots[i].mean_us, (*truth)[i].mean_us,
                4 * slots[i].mean_error_us);
    EXPECT_NEAR(slots[i].spread, (*truth)[i].spread, 4 * slots[i].spread_error);
  }
}

TEST_F(SlotTimes, TheCacheGivesTheSameToTheBit) {
  const std::vector<CycleSlotTime> fresh = Compute("");
  EXPECT_EQ(Compute(folder_), fresh);
  ASSERT_TRUE(fs::exists(CacheFile()));
  EXPECT_EQ(Compute(folder_), fresh);
}

TEST_F(SlotTimes, TheCacheIsWhatASecondCallReads) {
  Compute(folder_);
  CycleSlotOptions other = kOptions;
  other.seed = 2;
  const auto planted = ComputeCycleSlotTimes(SmallStream(), {}, other);
  ASSERT_TRUE(planted.ok());
  // Another seed's file under this one's name: its key does not fit.
  ASSERT_TRUE(ComputeCycleSlotTimes(SmallStream(), {}, other, folder_).ok());
  fs::copy_file(folder_ / (CycleSlotKey(SmallStream(), {}, other) + ".slots"),
                CacheFile(), fs::copy_options::overwrite_existing);
  EXPECT_EQ(Compute(folder_), Compute(""));
  EXPECT_NE(Compute(folder_), *planted);
}

TEST_F(SlotTimes, ACorruptFileIsPassedOverAndWrittenAnew) {
  const std::vector<CycleSlotTime> fresh = Compute(folder_);
  const std::string whole = *ReadWholeFile(CacheFile());
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string& text : {std::string(), std::string("nonsense\n"),
                                  whole.substr(0, 100), flipped}) {
    std::ofstream(CacheFile(), std::ios::trunc) << text;
    EXPECT_EQ(Compute(folder_), fresh);
    EXPECT_EQ(*ReadWholeFile(CacheFile()), whole);
  }
}

TEST_F(SlotTimes, AFolderThatCannotBeWrittenIsNoError) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_EQ(Compute(folder_ / "file" / "below"), Compute(""));
}

TEST_F(SlotTimes, EveryInputIsInTheKey) {
  const std::string key = CycleSlotKey(SmallStream(), {}, kOptions);
  EXPECT_EQ(key.size(), 64u);
  EXPECT_NE(CycleSlotKey(SmallStream("fma"), {}, kOptions), key);
  for (const CycleParameterInfo& info : CycleParameterRegistry()) {
    CycleParameters moved;
    moved.*info.member += 1e-9;
    EXPECT_NE(CycleSlotKey(SmallStream(), moved, kOptions), key) << info.name;
  }
  const auto key_of = [](auto change) {
    CycleSlotOptions options = kOptions;
    change(options);
    return CycleSlotKey(SmallStream(), {}, options);
  };
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.blocks; }), key);
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.warps_per_block; }), key);
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.chunks; }), key);
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.tiles; }), key);
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.warm_up_tiles; }), key);
  EXPECT_NE(key_of([](CycleSlotOptions& o) { ++o.seed; }), key);
}

TEST_F(SlotTimes, TheFolderFollowsTheXdgRule) {
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/x/tilebound");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "/h", 1);
  EXPECT_EQ(DefaultCacheFolder(), "/h/.cache/tilebound");
  unsetenv("HOME");
  EXPECT_EQ(DefaultCacheFolder(), "");
}

}  // namespace
}  // namespace tilebound::model
