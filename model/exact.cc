#include "model/exact.h"

#include <algorithm>
#include <utility>

#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSmStream = uint64_t{1} << 32;
constexpr uint64_t kArrivalStream = 32;
constexpr uint64_t kPollStream = 33;

// The grid is in steady state before the first event: so late, and so many
// tiles.
constexpr int64_t kFirstEventPs = 2'000'000'000;
constexpr int64_t kTilesBeforeFirstEvent = 50;

// What the simulation keeps of a block besides its server.
struct BlockState {
  // Boundaries until the next one that is looked at; 1 = the next.
  uint32_t until_poll;
  int64_t last_start_ps = -1;
  bool last_polled = false;
  bool observed = true;
  int64_t observe_ps = 0;
  // Tile starts after the present observation, as many as urgent tiles can use.
  std::vector<int64_t> starts_after;
};

template <typename Server>
class Simulation {
 public:
  Simulation(const CellModel& cell, std::vector<Server> servers,
             RunHistory* history)
      : cell_(cell),
        servers_(std::move(servers)),
        history_(history),
        arrivals_(StreamSeed({cell.stream, kArrivalStream})) {
    Random polls(StreamSeed({cell.stream, kPollStream}));
    for (const Server& server : servers_) {
      auto& blocks = blocks_.emplace_back(server.blocks());
      for (BlockState& block : blocks) {
        block.until_poll = 1 + static_cast<uint32_t>(polls.Below(cell.period));
      }
      total_blocks_ += server.blocks();
    }
    if (history_ != nullptr) history_->blocks.resize(total_blocks_);
  }

  HandoffMetrics Run(uint64_t events, uint64_t warmup_events) {
    HandoffMetrics metrics(cell_.quantum_ps);
    int64_t due =
        std::max(kFirstEventPs, kTilesBeforeFirstEvent * cell_.FairTilePs());
    for (uint64_t event = 0; event < warmup_events + events; ++event) {
      RaiseFlag(due);
      for (uint32_t sm = 0; sm < servers_.size(); ++sm) RunUntilObserved(sm);
      const HandoffEvent result = Summarize();
      if (event >= warmup_events) metrics.Add(result);
      // Gaps count from when everybody has let go and the work is done.
      due = std::max({result.last_ps, result.setter_ps, result.urgent_end_ps}) +
            Gap();
    }
    if (history_ != nullptr) FinishTiles();
    return metrics;
  }

 private:
  int64_t Gap() {
    return cell_.min_gap_ps +
           static_cast<int64_t>(arrivals_.Below(
               static_cast<uint64_t>(cell_.max_gap_ps - cell_.min_gap_ps + 1)));
  }

  // Runs the setter's SM to the first boundary of the setter at or after `due`;
  // the flag goes up there, after the look of that boundary.
  void RaiseFlag(int64_t due) {
    while (true) {
      const SmServer::Boundary at = Advance(0);
      if (at.slot == 0 && at.time_ps >= due) {
        set_ps_ = at.time_ps;
        break;
      }
    }
    visible_ps_ = set_ps_ + cell_.setter_delay_ps;
    ++generation_;
    if (history_ != nullptr) history_->sets_ps.push_back(set_ps_);
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        BlockState& block = blocks_[sm][slot];
        block.observed = false;
        block.starts_after.clear();
        // A boundary that began before the set may sample after it.
        const bool setter = sm == 0 && slot == 0;
        if (!setter && block.last_polled) Look(sm, slot, block.last_start_ps);
      }
    }
  }

  // The next boundary on an SM, with the block's poll counter kept.
  SmServer::Boundary Advance(uint32_t sm) {
    const SmServer::Boundary at = servers_[sm].NextBoundary();
    BlockState& block = blocks_[sm][at.slot];
    block.last_start_ps = at.time_ps;
    block.last_polled = --block.until_poll == 0;
    if (block.last_polled) block.until_poll = cell_.period;
    if (block.observed && block.starts_after.size() < cell_.urgent_tiles) {
      block.starts_after.push_back(at.time_ps);
    }
    if (history_ != nullptr)
      History(sm, at.slot).starts_ps.push_back(at.time_ps);
    return at;
  }

  // A look of a block whose boundary began at `start_ps`.
  void Look(uint32_t sm, uint32_t slot, int64_t start_ps) {
    BlockState& block = blocks_[sm][slot];
    if (block.observed ||
        start_ps + cell_.timing.sample_offset_ps < visible_ps_) {
      return;
    }
    block.observed = true;
    block.observe_ps = start_ps + cell_.timing.observe_offset_ps;
    if (history_ != nullptr) {
      BlockHistory& history = History(sm, slot);
      history.observations.push_back(
          {generation_, block.observe_ps, history.starts_ps.size() - 1});
    }
  }

  void RunUntilObserved(uint32_t sm) {
    while (!AllObserved(sm)) {
      const SmServer::Boundary at = Advance(sm);
      if (blocks_[sm][at.slot].last_polled) Look(sm, at.slot, at.time_ps);
    }
  }

  bool AllObserved(uint32_t sm) const {
    for (const BlockState& block : blocks_[sm]) {
      if (!block.observed) return false;
    }
    return true;
  }

  // The n-th tile start of a block after its observation; runs its SM as far as
  // that takes. Polls on the way see no new flag: the next event is later.
  int64_t StartAfter(uint32_t sm, uint32_t slot, uint32_t nth) {
    while (blocks_[sm][slot].starts_after.size() < nth) Advance(sm);
    return blocks_[sm][slot].starts_after[nth - 1];
  }

  HandoffEvent Summarize() {
    HandoffEvent event;
    event.set_ps = set_ps_;
    event.setter_ps = blocks_[0][0].observe_ps;
    event.has_others = total_blocks_ > 1;
    std::vector<int64_t> observe_ps(total_blocks_);
    event.first_ps = event.has_others ? INT64_MAX : event.setter_ps;
    event.last_ps = event.has_others ? 0 : event.setter_ps;
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        const int64_t time = blocks_[sm][slot].observe_ps;
        observe_ps[cell_.placement.BlockAt(sm, slot)] = time;
        if (sm == 0 && slot == 0) continue;
        event.first_ps = std::min(event.first_ps, time);
        event.last_ps = std::max(event.last_ps, time);
      }
    }
    const Placement& at = cell_.placement;
    std::vector<UrgentTile> urgent = DealUrgentTiles(
        cell_.urgent_tiles, observe_ps, [&](uint32_t block, uint32_t nth) {
          return StartAfter(at.SmOf(block), at.SlotOf(block), nth);
        });
    event.urgent_end_ps = set_ps_;
    for (const UrgentTile& tile : urgent) {
      event.urgent_end_ps = std::max(event.urgent_end_ps, tile.end_ps);
    }
    if (history_ != nullptr) history_->urgent.push_back(std::move(urgent));
    return event;
  }

  // A history ends with whole tiles: every block finishes the one that follows
  // its last observation.
  void FinishTiles() {
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        StartAfter(sm, slot, 1);
      }
    }
  }

  BlockHistory& History(uint32_t sm, uint32_t slot) {
    return history_->blocks[cell_.placement.BlockAt(sm, slot)];
  }

  const CellModel& cell_;
  std::vector<Server> servers_;
  std::vector<std::vector<BlockState>> blocks_;
  RunHistory* history_;
  Random arrivals_;
  uint32_t total_blocks_ = 0;
  uint64_t generation_ = 0;
  int64_t set_ps_ = 0;
  int64_t visible_ps_ = 0;
};

}  // namespace

HandoffMetrics SimulateHandoff(const CellModel& cell, uint64_t events,
                               uint64_t warmup_events, RunHistory* history) {
  const auto run = [&](auto make) {
    using Server = decltype(make(uint32_t{0}));
    std::vector<Server> servers;
    for (uint32_t sm = 0; sm < cell.placement.busy_sms(); ++sm) {
      servers.push_back(make(sm));
    }
    return Simulation<Server>(cell, std::move(servers), history)
        .Run(events, warmup_events);
  };
  if (cell.sharing == Sharing::kIid) {
    return run([&](uint32_t sm) {
      return cell.MakeIidServer(cell.placement.BlocksOn(sm), kSmStream + sm,
                                cell.SmScale(sm));
    });
  }
  return run([&](uint32_t sm) {
    return cell.MakeServer(cell.placement.BlocksOn(sm), kSmStream + sm,
                           cell.SmScale(sm));
  });
}

}  // namespace tilebound::model
