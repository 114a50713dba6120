#include "model/stationary.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

struct Passing {
  int64_t time_ps;
  uint32_t slot;
  uint32_t mark;
};

// Looks at every start, at once.
const std::vector<Mark> kLooksAtStarts = {{.samples = true, .decides = true}};

// Every slot starts tiles at multiples of its own length.
class Metronome {
 public:
  explicit Metronome(std::vector<int64_t> tile_ps)
      : tile_ps_(tile_ps), next_ps_(tile_ps) {}
  uint32_t blocks() const { return static_cast<uint32_t>(tile_ps_.size()); }
  Passing NextPassing() {
    const auto at = std::min_element(next_ps_.begin(), next_ps_.end());
    const uint32_t slot = static_cast<uint32_t>(at - next_ps_.begin());
    const Passing passing = {*at, slot, 0};
    *at += tile_ps_[slot];
    return passing;
  }

 private:
  std::vector<int64_t> tile_ps_;
  std::vector<int64_t> next_ps_;
};

// Tiles of random length, now and then one far longer than an index bucket.
class Irregular {
 public:
  explicit Irregular(uint64_t seed) : random_(seed), next_ps_(3, 0) {}
  uint32_t blocks() const { return 3; }
  Passing NextPassing() {
    const auto at = std::min_element(next_ps_.begin(), next_ps_.end());
    const Passing passing = {*at, static_cast<uint32_t>(at - next_ps_.begin()),
                             0};
    *at += 1 + static_cast<int64_t>(random_.Below(3'000'000));
    if (random_.Below(50) == 0) *at += 40'000'000;
    return passing;
  }

 private:
  Random random_;
  std::vector<int64_t> next_ps_;
};

size_t LinearSearch(const std::vector<int64_t>& starts, int64_t time_ps) {
  size_t at = 0;
  while (starts[at] < time_ps) ++at;
  return at;
}

TEST(StationaryTrace, CountsTimeFromTheEndOfTheWarmUp) {
  const StationaryTrace trace(Metronome({30, 70}), kLooksAtStarts, 100, 200, 1);
  EXPECT_EQ(trace.length_ps(), 200);
  EXPECT_EQ(trace.blocks(), 2u);
  EXPECT_EQ(trace.Starts(0),
            (std::vector<int64_t>{20, 50, 80, 110, 140, 170, 200, 230}));
  EXPECT_EQ(trace.Starts(1), (std::vector<int64_t>{40, 110, 180, 250}));
}

TEST(StationaryTrace, KeepsAStartThatFallsOnTheEndOfTheWarmUp) {
  const StationaryTrace trace(Metronome({50}), kLooksAtStarts, 100, 100, 1);
  EXPECT_EQ(trace.Starts(0), (std::vector<int64_t>{0, 50, 100}));
}

TEST(StationaryTrace, GoesOnUntilEveryBlockHasItsMargin) {
  for (uint32_t margin = 1; margin <= 5; ++margin) {
    const StationaryTrace trace(Metronome({10, 1000, 35}), kLooksAtStarts, 50,
                                2000, margin);
    for (uint32_t slot = 0; slot < 3; ++slot) {
      const auto& starts = trace.Starts(slot);
      EXPECT_GE(std::count_if(starts.begin(), starts.end(),
                              [](int64_t start) { return start >= 2000; }),
                margin)
          << slot;
    }
  }
}

TEST(StationaryTrace, CountsTheTilesOfTheStretchOnly) {
  // 20, 50, .. 170 and 40, 110, 180; 200 is outside.
  EXPECT_EQ(StationaryTrace(Metronome({30, 70}), kLooksAtStarts, 100, 200, 4)
                .TilesInStretch(),
            9u);
  EXPECT_EQ(StationaryTrace(Metronome({30, 70}), kLooksAtStarts, 100, 201, 4)
                .TilesInStretch(),
            10u);
}

TEST(StationaryTrace, FindsTheStartThatALinearSearchFinds) {
  constexpr int64_t kLength = 400'000'000;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const StationaryTrace trace(Irregular(seed), kLooksAtStarts, 10'000'000,
                                kLength, 2);
    Random random(seed + 100);
    for (int i = 0; i < 2000; ++i) {
      const auto time = static_cast<int64_t>(random.Below(kLength));
      for (uint32_t slot = 0; slot < trace.blocks(); ++slot) {
        ASSERT_EQ(trace.FirstLookAtOrAfter(slot, time),
                  LinearSearch(trace.Starts(slot), time))
            << "slot " << slot << " at " << time;
      }
    }
  }
}

// Starts, and the picosecond before and after, and the edges of the index.
TEST(StationaryTrace, FindsTheRightStartAtEveryEdge) {
  constexpr int64_t kLength = 40'000'000;
  const StationaryTrace trace(Irregular(7), kLooksAtStarts, 0, kLength, 1);
  std::vector<int64_t> times = {0, 1, kLength - 1};
  for (int64_t bucket = 0; bucket < kLength; bucket += int64_t{1} << 22) {
    times.insert(times.end(), {bucket - 1, bucket, bucket + 1});
  }
  for (uint32_t slot = 0; slot < trace.blocks(); ++slot) {
    for (int64_t start : trace.Starts(slot)) {
      times.insert(times.end(), {start - 1, start, start + 1});
    }
  }
  for (int64_t time : times) {
    if (time < 0 || time >= kLength) continue;
    for (uint32_t slot = 0; slot < trace.blocks(); ++slot) {
      ASSERT_EQ(trace.FirstLookAtOrAfter(slot, time),
                LinearSearch(trace.Starts(slot), time))
          << "slot " << slot << " at " << time;
    }
  }
}

// One block: tiles of 100, a look at 40 whose value is read 5 later and whose
// answer comes 8 later.
class Looker {
 public:
  uint32_t blocks() const { return 1; }
  Passing NextPassing() {
    const uint32_t mark = count_++ % 2;
    if (mark == 0) start_ += 100;
    return {start_ + (mark == 0 ? 0 : 40), 0, mark};
  }

 private:
  int64_t start_ = 0;
  uint32_t count_ = 0;
};

TEST(StationaryTrace, KeepsLooksInsideTilesWithWhatTheyReadAndSaw) {
  const std::vector<Mark> marks = {{},
                                   {.samples = true,
                                    .decides = true,
                                    .inside = true,
                                    .sample_offset_ps = 5,
                                    .observe_offset_ps = 8}};
  const StationaryTrace trace(Looker(), marks, 120, 500, 2);
  // Starts at 80, 180, ..; the tile that began at -20 has its look at 20.
  EXPECT_EQ(trace.Starts(0)[0], 80);
  EXPECT_EQ(trace.FirstLookAtOrAfter(0, 0), 0u);
  EXPECT_EQ(trace.ObservePs(0, 0), 28);
  EXPECT_EQ(trace.NextTile(0, 0), 0u);
  EXPECT_TRUE(trace.InsideTile(0, 0));
  EXPECT_EQ(trace.FirstLookAtOrAfter(0, 25), 0u);
  EXPECT_EQ(trace.FirstLookAtOrAfter(0, 26), 1u);
  EXPECT_EQ(trace.ObservePs(0, 1), 128);
  EXPECT_EQ(trace.NextTile(0, 1), 1u);
}

}  // namespace
}  // namespace tilebound::model
