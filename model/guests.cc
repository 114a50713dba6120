#include "model/guests.h"

#include <algorithm>
#include <mutex>

#include "model/arrivals.h"
#include "model/parallel.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kGuestStream = 48;
constexpr uint64_t kGapStream = 49;

// Events that share a simulation, and so the unit of parallel work.
constexpr uint64_t kChunk = 500;
// Steady state before the first event, in tiles.
constexpr int64_t kTilesBeforeFirstEvent = 50;

// When the next event begins. `exact` waits as long as the arrivals say;
// `sampled` only until the SMs have forgotten the last event, a few tiles.
class Gaps {
 public:
  Gaps(const Background& background, const pb::CellKey& key, Fidelity fidelity,
       uint64_t chunk)
      : fair_tile_ps_(background.cell.FairTilePs()),
        exact_(fidelity == Fidelity::kExact),
        random_(StreamSeed({background.cell.stream, kGapStream, chunk})),
        arrivals_(key.arrivals(), random_) {
    arrivals_.First(0);
  }

  int64_t Next(int64_t set_ps, int64_t end_ps) {
    if (exact_) return arrivals_.Next(set_ps, end_ps);
    return end_ps + fair_tile_ps_ +
           static_cast<int64_t>(
               random_.Below(2 * static_cast<uint64_t>(fair_tile_ps_)));
  }

 private:
  int64_t fair_tile_ps_;
  bool exact_;
  Random random_;
  Arrivals arrivals_;
};

}  // namespace

Guests::Guests(const Background& background, uint32_t slots,
               int64_t newcomer_ps, uint64_t stream)
    : newcomer_ps_(newcomer_ps) {
  const CellModel& cell = background.cell;
  std::vector<std::tuple<uint32_t, uint32_t>> order;  // workers, SM
  for (uint32_t sm = 0; sm < background.free_slots.size(); ++sm) {
    if (background.free_slots[sm] > 0) {
      order.emplace_back(cell.placement.BlocksOn(sm), sm);
    }
  }
  std::sort(order.begin(), order.end());
  // Guests are spread like any grid: one on each SM, then a second round.
  std::vector<uint32_t> taken(background.free_slots.size(), 0);
  std::vector<std::tuple<uint32_t, uint32_t>> filled;  // SM, how many before
  while (slots > filled.size() && !order.empty()) {
    std::erase_if(order, [&](const auto& entry) {
      return taken[std::get<1>(entry)] ==
             background.free_slots[std::get<1>(entry)];
    });
    for (const auto& [workers, sm] : order) {
      if (filled.size() == slots) break;
      filled.emplace_back(sm, taken[sm]++);
    }
  }
  std::vector<uint32_t> position(background.free_slots.size(), 0);
  for (uint32_t sm = 0; sm < taken.size(); ++sm) {
    if (taken[sm] == 0) continue;
    position[sm] = static_cast<uint32_t>(sms_.size());
    const uint32_t workers = cell.placement.BlocksOn(sm);
    sms_.push_back(
        {.server = cell.MakeServer(workers + taken[sm],
                                   StreamSeed({stream, sm}), cell.SmScale(sm)),
         .workers = workers,
         .begun = std::vector<bool>(taken[sm], false)});
    for (uint32_t guest = 0; guest < taken[sm]; ++guest) {
      sms_.back().server.Leave(workers + guest);
    }
  }
  for (const auto& [sm, before] : filled) {
    slots_.push_back({position[sm], sms_[position[sm]].workers + before});
  }
}

void Guests::Admit(const Slot& slot, int64_t time_ps) {
  Sm& sm = sms_[slot.sm];
  sm.server.RestartAt(slot.slot, time_ps + newcomer_ps_);
  sm.begun[slot.slot - sm.workers] = false;
  ++sm.guests;
}

Guests::End Guests::NextEnd(uint32_t index) {
  Sm& sm = sms_[index];
  while (true) {
    const SmServer::Passing at = sm.server.NextBoundary();
    if (at.slot < sm.workers) continue;
    const uint32_t guest = at.slot - sm.workers;
    if (!sm.begun[guest]) {
      sm.begun[guest] = true;
      continue;
    }
    sm.server.Leave(at.slot);
    --sm.guests;
    return {at.time_ps, index, at.slot};
  }
}

int64_t Guests::Run(int64_t begin_ps, uint32_t blocks) {
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  const size_t first = std::min<size_t>(blocks, slots_.size());
  for (size_t i = 0; i < first; ++i) Admit(slots_[i], begin_ps);
  uint32_t waiting = blocks - static_cast<uint32_t>(first);
  for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
    if (sms_[sm].guests > 0) ends.push(NextEnd(sm));
  }
  int64_t last = begin_ps;
  while (!ends.empty()) {
    const auto [time, sm, slot] = ends.top();
    ends.pop();
    last = time;
    if (waiting > 0) {
      --waiting;
      Admit({sm, slot}, time);
    }
    if (sms_[sm].guests > 0) ends.push(NextEnd(sm));
  }
  return last;
}

Histogram GuestTimes(const Background& background, const pb::CellKey& key,
                     uint32_t slots, int64_t newcomer_ps,
                     const BackgroundEnd* end, const PredictOptions& options,
                     uint32_t threads) {
  const uint64_t chunks = (options.events + kChunk - 1) / kChunk;
  Histogram times(kHostQuantumPs);
  std::mutex merging;
  ParallelFor(chunks, threads, [&](size_t chunk) {
    Guests guests(background, slots, newcomer_ps,
                  StreamSeed({background.cell.stream, kGuestStream, chunk}));
    Gaps gaps(background, key, options.fidelity, chunk);
    Histogram result(kHostQuantumPs);
    int64_t set = kTilesBeforeFirstEvent * background.cell.FairTilePs();
    const uint64_t events =
        std::min<uint64_t>(kChunk, options.events - chunk * kChunk);
    for (uint64_t event = 0; event < events; ++event) {
      const int64_t last =
          guests.Run(set + background.launch_ps, key.urgent_tiles());
      int64_t time = last - set;
      if (end != nullptr) {
        time = std::min(time,
                        end->UrgentEndPs(chunk * kChunk + event, newcomer_ps));
      }
      result.Add(static_cast<uint64_t>(time) / kHostQuantumPs);
      set = gaps.Next(set, last);
    }
    const std::lock_guard<std::mutex> lock(merging);
    // The quanta are equal by construction, so merging cannot fail.
    times.Merge(result).IgnoreError();
  });
  return times;
}

}  // namespace tilebound::model
