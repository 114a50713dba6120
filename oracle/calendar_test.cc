#include "oracle/calendar.h"

#include <set>
#include <utility>
#include <vector>

#include "data/io/split_mix.h"
#include "gtest/gtest.h"

namespace tilebound::oracle {
namespace {

using Entries = std::vector<std::pair<int64_t, uint32_t>>;

// Each thing is put back `rounds` times, `least` to `least + span` later.
template <typename Put, typename Take>
Entries Play(uint32_t things, int rounds, int64_t least, uint64_t span, Put put,
             Take take) {
  SplitMix64 random(things + span);
  std::vector<int> left(things, rounds);
  for (uint32_t t = 0; t < things; ++t) put(t, random.Below(span));
  Entries taken;
  for (auto next = take(); next.has_value(); next = take()) {
    taken.push_back({next->time_ps, next->thing});
    if (--left[next->thing] == 0) continue;
    put(next->thing,
        next->time_ps + least + static_cast<int64_t>(random.Below(span)));
  }
  return taken;
}

Entries PlayCalendar(uint32_t things, int64_t least, uint64_t span,
                     uint64_t bucket) {
  Calendar calendar(things, bucket);
  return Play(
      things, 50, least, span,
      [&](uint32_t thing, int64_t time) { calendar.Put(thing, time); },
      [&] { return calendar.Take(); });
}

// The same with an ordered set.
Entries PlaySet(uint32_t things, int64_t least, uint64_t span) {
  std::set<std::pair<int64_t, uint32_t>> set;
  return Play(
      things, 50, least, span,
      [&](uint32_t thing, int64_t time) {
        set.insert({time, thing});
      },
      [&]() -> absl::optional<Calendar::Entry> {
        if (set.empty()) return absl::nullopt;
        const auto [time, thing] = *set.begin();
        set.erase(set.begin());
        return Calendar::Entry{thing, time};
      });
}

TEST(Calendar, GivesOutWhatAnOrderedSetGives) {
  for (const uint32_t things : {1u, 2u, 70u, 528u}) {
    for (const uint64_t span :
         {uint64_t{1}, uint64_t{1000}, uint64_t{1'000'000'000'000}}) {
      // From one bucket for all to far more buckets than the ring has.
      for (const uint64_t bucket :
           {uint64_t{0}, uint64_t{1}, uint64_t{64}, uint64_t{1} << 40}) {
        // Finding what is far beyond the ring takes a turn for each ring.
        if (span > (bucket + 1) << 24) continue;
        for (const int64_t least : {0, 100}) {
          EXPECT_EQ(PlayCalendar(things, least, span, bucket),
                    PlaySet(things, least, span))
              << things << " things, span " << span << ", bucket " << bucket;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tilebound::oracle
