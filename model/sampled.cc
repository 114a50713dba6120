#include "model/sampled.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "model/arrivals.h"
#include "model/claim.h"
#include "model/parallel.h"
#include "model/random.h"
#include "model/stationary.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kTraceStream = 16;
constexpr uint64_t kEventStream = 17;
constexpr uint64_t kArrivalStream = 18;

// Steady state is reached within a few tiles; the stretch that events look at
// is at least so long, and so many tiles.
constexpr int64_t kWarmupPs = 5'000'000'000;
constexpr int64_t kLengthPs = 400'000'000'000;
constexpr int64_t kWarmupTiles = 100;
constexpr int64_t kTiles = 10'000;
// Events that share a random stream, and so the unit of parallel work.
constexpr uint64_t kChunk = 1000;

// SMs with equally many blocks share a trace, and one more for when the clock
// sags, if it does.
struct SmGroup {
  uint32_t first_sm;
  uint32_t end_sm;
  std::vector<StationaryTrace> traces;
};

class Sampler {
 public:
  explicit Sampler(const CellModel& cell) : cell_(cell), claim_delays_(cell) {
    const uint32_t sms = cell.placement.busy_sms();
    // Tiles that an event can need after the stretch: a whole period, what the
    // setter adds, and the urgent tiles.
    const uint32_t margin =
        cell.period * (1 + cell.timing.stale_looks) + cell.urgent_tiles + 3;
    const int64_t warmup_ps =
        std::max(kWarmupPs, kWarmupTiles * cell.FairTilePs());
    length_ps_ = std::max(kLengthPs, kTiles * cell.FairTilePs());
    // An event late in the stretch becomes visible after it.
    const int64_t traced_ps = length_ps_ + cell.setter_delay_ps;
    CellModel sagging = cell;
    sagging.timing = ScaleService(cell.timing, cell.clock_sag.slowdown);
    std::vector<const CellModel*> clocks = {&cell};
    if (cell.clock_sag.happens()) clocks.push_back(&sagging);
    for (uint32_t sm = 0; sm < sms;) {
      const uint32_t blocks = cell.placement.BlocksOn(sm);
      uint32_t end = sm;
      while (end < sms && cell.placement.BlocksOn(end) == blocks) ++end;
      SmGroup group = {sm, end, {}};
      for (const CellModel* clock : clocks) {
        group.traces.push_back(
            cell.sharing == Sharing::kIid
                ? StationaryTrace(clock->MakeIidServer(blocks, kTraceStream, 1),
                                  cell.timing.marks, warmup_ps, traced_ps,
                                  margin)
                : StationaryTrace(clock->MakeServer(blocks, kTraceStream, 1),
                                  cell.timing.marks, warmup_ps, traced_ps,
                                  margin));
      }
      groups_.push_back(std::move(group));
      sm = end;
    }
    for (uint32_t sm = 0; sm < sms; ++sm) scale_.push_back(cell.SmScale(sm));
  }

  HandoffMetrics RunChunk(uint64_t chunk, uint64_t events) const {
    HandoffMetrics metrics(cell_.quantum_ps);
    Random random(StreamSeed({cell_.stream, kEventStream, chunk}));
    Scratch scratch;
    // Sets come when they are due; a block's own next look, which a device's
    // set waits for, is some microseconds later.
    Arrivals arrivals(
        cell_.arrivals,
        Random(StreamSeed({cell_.stream, kArrivalStream, chunk})));
    int64_t due = arrivals.First(0);
    for (uint64_t event = 0; event < events; ++event) {
      const HandoffEvent result = RunEvent(random, scratch);
      metrics.Add(result);
      const int64_t busy =
          std::max({result.last_ps, result.setter_ps, result.urgent_end_ps}) -
          result.set_ps;
      const int64_t next = arrivals.Next(due, due + busy);
      metrics.AddTime(busy, next - due);
      due = next;
    }
    return metrics;
  }

 private:
  // Where an observation stands in a trace, to find the tiles that follow.
  struct Place {
    const StationaryTrace* trace;
    uint32_t slot;
    size_t look;
    int64_t origin_ps;
    double scale;
  };
  struct Scratch {
    std::vector<int64_t> observe_ps;
    // When the block gets to the urgent queue: a tile in hand makes it take its
    // place there at the look already (model/exact.cc).
    std::vector<int64_t> ask_ps;
    std::vector<int64_t> claim_ps;
    std::vector<Place> places;
  };

  // Time in the trace as the SM of the place takes it.
  static int64_t Scaled(const Place& place, int64_t ps) {
    return static_cast<int64_t>(static_cast<double>(ps) * place.scale);
  }

  // End of the n-th urgent tile in a row, since the event: a tile that a look
  // at a boundary precedes is the urgent one; inside, urgent tiles take as long
  // as those that follow the abandoned one.
  int64_t UrgentEnd(const Place& place, uint32_t nth) const {
    const std::vector<int64_t>& starts = place.trace->Starts(place.slot);
    const size_t next = place.trace->NextTile(place.slot, place.look);
    if (!place.trace->InsideTile(place.slot, place.look)) {
      return Scaled(place, starts[next - 1 + nth] - place.origin_ps);
    }
    return Scaled(place, place.trace->ObservePs(place.slot, place.look) +
                             cell_.timing.drain_ps + starts[next + nth] -
                             starts[next] - place.origin_ps);
  }

  HandoffEvent RunEvent(Random& random, Scratch& scratch) const {
    // The event's time on the part's clock matters only for flooring.
    const int64_t set_ps = static_cast<int64_t>(random.Below(cell_.quantum_ps));
    scratch.observe_ps.clear();
    scratch.ask_ps.clear();
    scratch.claim_ps.clear();
    scratch.places.clear();
    // A handoff is short beside a sag.
    const size_t clock =
        cell_.clock_sag.happens() && random.Unit() < cell_.clock_sag.share ? 1
                                                                           : 0;
    for (const SmGroup& group : groups_) {
      for (uint32_t sm = group.first_sm; sm < group.end_sm; ++sm) {
        ObserveSm(group.traces[clock], sm, set_ps, random, scratch);
      }
    }
    // The setter's block, if a block is the setter, was looked at first.
    HandoffEvent event;
    event.set_ps = set_ps;
    event.has_setter = !cell_.host_setter;
    event.setter_ps = event.has_setter ? scratch.observe_ps[0] : set_ps;
    event.has_others = scratch.observe_ps.size() > 1 || !event.has_setter;
    const auto others = scratch.observe_ps.begin() +
                        (event.has_others && event.has_setter ? 1 : 0);
    const auto [first, last] =
        std::minmax_element(others, scratch.observe_ps.end());
    event.first_ps = *first;
    event.last_ps = *last;
    event.urgent_end_ps = set_ps;
    for (const UrgentTile& tile :
         DealUrgentTiles(cell_.urgent_tiles, scratch.ask_ps,
                         [&](uint32_t block, uint32_t nth) {
                           return set_ps + scratch.claim_ps[block] +
                                  UrgentEnd(scratch.places[block], nth);
                         })) {
      // Counting the tile as done takes an atomic of its own.
      event.urgent_end_ps = std::max(event.urgent_end_ps,
                                     tile.end_ps + cell_.claim_round_trip_ps);
    }
    return event;
  }

  void ObserveSm(const StationaryTrace& trace, uint32_t sm, int64_t set_ps,
                 Random& random, Scratch& scratch) const {
    // The setter acts at a look of its own; other SMs are anywhere.
    size_t setter_look = 0;
    int64_t origin;
    const bool setter = sm == 0 && !cell_.host_setter;
    if (setter) {
      do {
        setter_look = random.Below(trace.Looks(0));
        origin = SetPs(trace, setter_look);
      } while (origin >= length_ps_);
    } else {
      origin =
          static_cast<int64_t>(random.Below(static_cast<uint64_t>(length_ps_)));
    }
    const size_t period = cell_.period;
    const size_t stale = cell_.timing.stale_looks;
    for (uint32_t slot = 0; slot < trace.blocks(); ++slot) {
      // A look sees the flag if it samples after the flag is visible.
      size_t look =
          trace.FirstLookAtOrAfter(slot, origin + cell_.setter_delay_ps);
      // The setter looked before it raised the flag, and what it looked at was
      // read before.
      if (setter && slot == 0) look = std::max(look, setter_look + 1);
      look += (period > 1 ? random.Below(period) : 0) + stale * period;
      const Place place = {&trace, slot, look, origin, scale_[sm]};
      scratch.observe_ps.push_back(
          set_ps + Scaled(place, trace.ObservePs(slot, look) - origin));
      scratch.places.push_back(place);
      const int64_t claim = claim_delays_.DrawPs(trace.blocks(), slot, random);
      scratch.claim_ps.push_back(claim);
      scratch.ask_ps.push_back(scratch.observe_ps.back() +
                               (trace.InsideTile(slot, look) ? 0 : claim));
    }
  }

  // The flag goes up at the boundary; at a site inside the tile, once the look
  // there is over.
  int64_t SetPs(const StationaryTrace& trace, size_t look) const {
    return cell_.at_boundaries() ? trace.Starts(0)[look]
                                 : trace.ObservePs(0, look);
  }

  const CellModel& cell_;
  ClaimDelays claim_delays_;
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
