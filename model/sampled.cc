#include "model/sampled.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "model/parallel.h"
#include "model/random.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kTraceStream = 16;
constexpr uint64_t kEventStream = 17;

// Steady state is reached within a few tiles; the stretch that events look at
// is at least so long, and so many tiles.
constexpr int64_t kWarmupPs = 5'000'000'000;
constexpr int64_t kLengthPs = 400'000'000'000;
constexpr int64_t kWarmupTiles = 100;
constexpr int64_t kTiles = 10'000;
// Events that share a random stream, and so the unit of parallel work.
constexpr uint64_t kChunk = 1000;

// SMs with equally many blocks share a trace.
struct SmGroup {
  uint32_t first_sm;
  uint32_t end_sm;
  StationaryTrace trace;
};

class Sampler {
 public:
  explicit Sampler(const CellModel& cell) : cell_(cell) {
    const uint32_t sms = cell.placement.busy_sms();
    // Tiles that an event can need after the stretch: a whole period, what the
    // setter adds, and the urgent tiles.
    const uint32_t margin = cell.period + cell.urgent_tiles + 3;
    const int64_t warmup_ps =
        std::max(kWarmupPs, kWarmupTiles * cell.FairTilePs());
    length_ps_ = std::max(kLengthPs, kTiles * cell.FairTilePs());
    // An event late in the stretch becomes visible after it.
    const int64_t traced_ps = length_ps_ + cell.setter_delay_ps;
    for (uint32_t sm = 0; sm < sms;) {
      const uint32_t blocks = cell.placement.BlocksOn(sm);
      uint32_t end = sm;
      while (end < sms && cell.placement.BlocksOn(end) == blocks) ++end;
      groups_.push_back(
          {sm, end,
           cell.sharing == Sharing::kIid
               ? StationaryTrace(cell.MakeIidServer(blocks, kTraceStream, 1),
                                 warmup_ps, traced_ps, margin)
               : StationaryTrace(cell.MakeServer(blocks, kTraceStream, 1),
                                 warmup_ps, traced_ps, margin)});
      sm = end;
    }
    for (uint32_t sm = 0; sm < sms; ++sm) scale_.push_back(cell.SmScale(sm));
  }

  HandoffMetrics RunChunk(uint64_t chunk, uint64_t events) const {
    HandoffMetrics metrics(cell_.quantum_ps);
    Random random(StreamSeed({cell_.stream, kEventStream, chunk}));
    Scratch scratch;
    for (uint64_t event = 0; event < events; ++event) {
      metrics.Add(RunEvent(random, scratch));
    }
    return metrics;
  }

 private:
  // Where an observation stands in a trace, to find the tiles that follow.
  struct Place {
    const std::vector<int64_t>* starts;
    size_t index;
    int64_t origin_ps;
    double scale;
  };
  struct Scratch {
    std::vector<int64_t> observe_ps;
    std::vector<Place> places;
  };

  // A time in the trace, seen from the event.
  static int64_t Since(const Place& place, size_t index) {
    return static_cast<int64_t>(
        static_cast<double>((*place.starts)[index] - place.origin_ps) *
        place.scale);
  }

  HandoffEvent RunEvent(Random& random, Scratch& scratch) const {
    // The event's time on the part's clock matters only for flooring.
    const int64_t set_ps = static_cast<int64_t>(random.Below(cell_.quantum_ps));
    scratch.observe_ps.clear();
    scratch.places.clear();
    for (const SmGroup& group : groups_) {
      for (uint32_t sm = group.first_sm; sm < group.end_sm; ++sm) {
        ObserveSm(group.trace, sm, set_ps, random, scratch);
      }
    }
    // Block 0, the setter, was looked at first.
    HandoffEvent event;
    event.set_ps = set_ps;
    event.setter_ps = scratch.observe_ps[0];
    event.has_others = scratch.observe_ps.size() > 1;
    const auto others = scratch.observe_ps.begin() + event.has_others;
    const auto [first, last] =
        std::minmax_element(others, scratch.observe_ps.end());
    event.first_ps = *first;
    event.last_ps = *last;
    event.urgent_end_ps = set_ps;
    for (const UrgentTile& tile :
         DealUrgentTiles(cell_.urgent_tiles, scratch.observe_ps,
                         [&](uint32_t block, uint32_t nth) {
                           const Place& place = scratch.places[block];
                           return set_ps + Since(place, place.index + nth);
                         })) {
      event.urgent_end_ps = std::max(event.urgent_end_ps, tile.end_ps);
    }
    return event;
  }

  void ObserveSm(const StationaryTrace& trace, uint32_t sm, int64_t set_ps,
                 Random& random, Scratch& scratch) const {
    const int64_t sample = cell_.timing.sample_offset_ps;
    const int64_t observe = cell_.timing.observe_offset_ps;
    // The setter acts at a boundary of its own; other SMs are anywhere.
    size_t setter_index = 0;
    int64_t origin;
    if (sm == 0) {
      const auto& starts = trace.Starts(0);
      do {
        setter_index = random.Below(starts.size());
      } while (starts[setter_index] >= length_ps_);
      origin = starts[setter_index];
    } else {
      origin =
          static_cast<int64_t>(random.Below(static_cast<uint64_t>(length_ps_)));
    }
    // A boundary sees the flag if it samples after the flag is visible.
    const int64_t earliest =
        std::max<int64_t>(0, origin + cell_.setter_delay_ps - sample);
    for (uint32_t slot = 0; slot < trace.blocks(); ++slot) {
      // The setter looked at its boundary before it raised the flag there.
      size_t next = trace.FirstAtOrAfter(slot, earliest);
      if (sm == 0 && slot == 0) next = std::max(next, setter_index + 1);
      const size_t poll =
          next + (cell_.period > 1 ? random.Below(cell_.period) : 0);
      const Place place = {&trace.Starts(slot), poll, origin, scale_[sm]};
      scratch.observe_ps.push_back(set_ps + Since(place, poll) + observe);
      scratch.places.push_back(place);
    }
  }

  const CellModel& cell_;
  int64_t length_ps_;
  std::vector<SmGroup> groups_;
  std::vector<double> scale_;
};

}  // namespace

HandoffMetrics SampleHandoff(const CellModel& cell, uint64_t events,
                             uint32_t threads) {
  const Sampler sampler(cell);
  const uint64_t chunks = (events + kChunk - 1) / kChunk;
  // Counts add up the same in any order, so memory need not grow with chunks.
  HandoffMetrics metrics(cell.quantum_ps);
  std::mutex merging;
  ParallelFor(chunks, threads, [&](size_t chunk) {
    const HandoffMetrics result =
        sampler.RunChunk(chunk, std::min(kChunk, events - chunk * kChunk));
    const std::lock_guard<std::mutex> lock(merging);
    metrics.Merge(result);
  });
  return metrics;
}

}  // namespace tilebound::model
