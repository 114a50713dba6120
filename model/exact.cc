#include "model/exact.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "model/arrivals.h"
#include "model/claim.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kSmStream = uint64_t{1} << 32;
constexpr uint64_t kArrivalStream = 32;
constexpr uint64_t kPollStream = 33;
constexpr uint64_t kClaimStream = 34;

// The grid is in steady state before the first event: so late, and so many
// tiles.
constexpr int64_t kFirstEventPs = 2'000'000'000;
constexpr int64_t kTilesBeforeFirstEvent = 50;

constexpr int64_t kLongAgo = std::numeric_limits<int64_t>::min();

// What the simulation keeps of a block besides its server.
struct BlockState {
  // Sites until the next one that is looked at; 1 = the next.
  uint32_t until_look = 1;
  // When the flag was read last, and the time before that.
  int64_t sample_ps = kLongAgo;
  int64_t sample_before_ps = kLongAgo;
  // The last look: when what it used was read, when it had its answer, and
  // whether a tile was in hand.
  int64_t used_sample_ps = kLongAgo;
  int64_t look_ps = 0;
  bool look_inside = false;

  bool observed = true;
  int64_t observe_ps = 0;
  // What it runs: nothing yet, a task, or urgent work.
  enum class Work { kNone, kTask, kUrgent } work = Work::kNone;
  // The next start of a tile is that of urgent work already claimed.
  bool urgent_next = false;
  // It has seen the flag and is on its way to the urgent queue; the next start
  // of a tile is where it gets there.
  bool claiming = false;
  // A tile was given up and is to be started anew.
  bool abandoned = false;
  // The tile in hand is one that was given up before.
  bool restarted = false;
  uint32_t urgent_tile = 0;
  uint64_t tasks = 0;
};

template <typename Server>
class Simulation {
 public:
  using Passing = SmServer::Passing;

  Simulation(const CellModel& cell, std::vector<Server> servers,
             RunHistory* history)
      : cell_(cell),
        marks_(cell.timing.marks),
        servers_(std::move(servers)),
        history_(history),
        arrivals_(cell.arrivals,
                  Random(StreamSeed({cell.stream, kArrivalStream}))),
        claim_delays_(cell),
        claims_(StreamSeed({cell.stream, kClaimStream})),
        urgent_given_(cell.urgent_tiles) {
    Random looks(StreamSeed({cell.stream, kPollStream}));
    for (const Server& server : servers_) {
      auto& blocks = blocks_.emplace_back(server.blocks());
      for (BlockState& block : blocks) {
        block.until_look = 1 + static_cast<uint32_t>(looks.Below(cell.period));
      }
      total_blocks_ += server.blocks();
      busy_.push_back(0);
    }
    if (history_ == nullptr) return;
    history_->blocks.resize(total_blocks_);
    for (uint32_t block = 0; block < total_blocks_; ++block) {
      history_->blocks[block].push_back(Record::BlockStart(
          0, cell.placement.SmOf(block), cell.placement.SlotOf(block)));
    }
  }

  HandoffMetrics Run(uint64_t events, uint64_t warmup_events) {
    HandoffMetrics metrics(cell_.quantum_ps);
    int64_t due = arrivals_.First(
        std::max(kFirstEventPs, kTilesBeforeFirstEvent * cell_.FairTilePs()));
    int64_t since = due;
    for (uint64_t event = 0; event < warmup_events + events; ++event) {
      RaiseFlag(due);
      DealUrgentWork();
      for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
        while (busy_[sm] > 0) Pass(sm, servers_[sm].NextPassing());
      }
      const HandoffEvent result = Summarize();
      // An event is over when everybody has let go and the work is done.
      const int64_t end =
          std::max({result.last_ps, result.setter_ps, result.urgent_end_ps});
      due = arrivals_.Next(result.set_ps, end);
      if (event >= warmup_events) {
        metrics.Add(result);
        metrics.AddTime(end - result.set_ps, due - since);
      }
      since = due;
    }
    if (history_ != nullptr) FinishTiles();
    return metrics;
  }

 private:
  // The host raises the flag when it is due. Else runs the setter's SM to the
  // first look of the setter at or after `due`,
  // whether or not the period has it look there; the flag goes up after that
  // look: at a boundary at its beginning, inside a tile at its end. Then brings
  // all SMs to that time.
  void RaiseFlag(int64_t due) {
    set_ps_ = due;
    while (!cell_.host_setter) {
      const Passing at = servers_[0].NextPassing();
      Pass(0, at);
      const bool look =
          cell_.at_boundaries() ? at.mark == 0 : marks_[at.mark].decides;
      if (at.slot != 0 || !look || at.time_ps < due) continue;
      set_ps_ = at.time_ps +
                (cell_.at_boundaries() ? 0 : marks_[at.mark].observe_offset_ps);
      break;
    }
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      while (const auto at = servers_[sm].NextPassingBy(set_ps_)) Pass(sm, *at);
    }
    visible_ps_ = set_ps_ + cell_.setter_delay_ps;
    urgent_given_ = 0;
    urgent_end_ps_ = set_ps_;
    ++generation_;
    if (history_ != nullptr) {
      ++history_->events;
      std::vector<Record>& setter =
          cell_.host_setter ? history_->host : History(0, 0);
      setter.push_back(Record::FlagSet(set_ps_, generation_));
    }
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      busy_[sm] = servers_[sm].blocks();
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        blocks_[sm][slot].observed = false;
      }
    }
    SeeAtOnce();
  }

  // A look that began before the set may sample after it.
  void SeeAtOnce() {
    std::vector<std::tuple<int64_t, uint32_t, uint32_t>> looks;
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        if (IsSetter(sm, slot)) continue;
        const BlockState& block = blocks_[sm][slot];
        if (block.used_sample_ps < visible_ps_) continue;
        looks.emplace_back(block.look_ps, sm, slot);
      }
    }
    std::sort(looks.begin(), looks.end());
    for (const auto& [time, sm, slot] : looks) {
      const bool inside = blocks_[sm][slot].look_inside;
      if (!inside) TakeBackStart(sm, slot);
      Observe(sm, slot);
      if (!inside) Compete(sm, slot);
    }
  }

  // A block comes to a mark of its tile.
  void Pass(uint32_t sm, const Passing& at) {
    BlockState& block = blocks_[sm][at.slot];
    const Mark& mark = marks_[at.mark];
    const bool looked = PassSite(block, mark, at.time_ps);
    if (at.mark != 0) {
      if (looked && block.used_sample_ps >= visible_ps_ && !block.observed) {
        Observe(sm, at.slot);
      }
    } else if (block.urgent_next) {
      block.urgent_next = false;
      BeginUrgent(sm, at.slot, at.time_ps);
    } else if (block.claiming) {
      block.claiming = false;
      StartWork(sm, at.slot, at.time_ps + marks_[0].observe_offset_ps);
    } else {
      EndWork(sm, at.slot, at.time_ps);
      if (looked && block.used_sample_ps >= visible_ps_ && !block.observed) {
        Observe(sm, at.slot);
        Compete(sm, at.slot);
      } else {
        StartWork(sm, at.slot, at.time_ps);
      }
    }
  }

  // Keeps the block's count of sites and what it knows of the flag. True if it
  // looks here.
  bool PassSite(BlockState& block, const Mark& mark, int64_t time_ps) {
    if (mark.samples && block.until_look == 1) {
      block.sample_before_ps = block.sample_ps;
      block.sample_ps = time_ps + mark.sample_offset_ps;
    }
    if (!mark.decides) return false;
    if (--block.until_look > 0) return false;
    block.until_look = cell_.period;
    block.used_sample_ps =
        cell_.timing.stale_looks > 0 ? block.sample_before_ps : block.sample_ps;
    block.look_ps = time_ps + mark.observe_offset_ps;
    block.look_inside = mark.inside;
    return true;
  }

  // The block's look finds the flag moved on. With a tile in hand it gives that
  // up if there is urgent work left; without one, StartWork decides.
  void Observe(uint32_t sm, uint32_t slot) {
    BlockState& block = blocks_[sm][slot];
    block.observed = true;
    block.observe_ps = block.look_ps;
    --busy_[sm];
    Note(sm, slot, Record::Observe(block.look_ps, generation_));
    if (!block.look_inside || urgent_given_ == cell_.urgent_tiles) return;
    Claim(sm, slot, block.look_ps, cell_.plan.site);
    Note(sm, slot, Record::Abandon(block.look_ps, block.tasks - 1));
    block.abandoned = true;
    block.work = BlockState::Work::kNone;
    block.urgent_next = true;
    servers_[sm].RestartAt(
        slot, block.look_ps + ClaimPs(sm, slot) + cell_.timing.drain_ps);
  }

  // A block that has just seen the flag between tiles makes its way to the
  // urgent queue, if there is anything in it, which is where its next tile
  // starts.
  void Compete(uint32_t sm, uint32_t slot) {
    BlockState& block = blocks_[sm][slot];
    if (urgent_given_ == cell_.urgent_tiles) {
      StartWork(sm, slot, block.look_ps);
      return;
    }
    block.claiming = true;
    const int64_t queue_ps = block.look_ps + ClaimPs(sm, slot);
    servers_[sm].RestartAt(
        slot, std::max(set_ps_, queue_ps - marks_[0].observe_offset_ps));
  }

  int64_t ClaimPs(uint32_t sm, uint32_t slot) {
    return claim_delays_.DrawPs(cell_.placement.BlocksOn(sm), slot, claims_);
  }

  bool IsSetter(uint32_t sm, uint32_t slot) const {
    return sm == 0 && slot == 0 && !cell_.host_setter;
  }

  // What a block does that has no tile in hand: urgent work if it knows of
  // some, else the tile that it gave up, else the next task.
  void StartWork(uint32_t sm, uint32_t slot, int64_t time_ps) {
    BlockState& block = blocks_[sm][slot];
    if (block.observed && urgent_given_ < cell_.urgent_tiles) {
      Claim(sm, slot, time_ps, pb::BOUNDARY);
      BeginUrgent(sm, slot, time_ps);
      return;
    }
    block.work = BlockState::Work::kTask;
    block.restarted = block.abandoned;
    if (block.abandoned) {
      block.abandoned = false;
      Note(sm, slot, Record::Restart(time_ps, block.tasks - 1));
    } else {
      Note(sm, slot, Record::Pop(time_ps, block.tasks++));
    }
  }

  void Claim(uint32_t sm, uint32_t slot, int64_t time_ps, pb::Site site) {
    BlockState& block = blocks_[sm][slot];
    block.urgent_tile = urgent_given_++;
    ++busy_[sm];
    Note(sm, slot,
         Record::Claim(time_ps, generation_, block.urgent_tile, site));
  }

  void BeginUrgent(uint32_t sm, uint32_t slot, int64_t time_ps) {
    BlockState& block = blocks_[sm][slot];
    block.work = BlockState::Work::kUrgent;
    Note(sm, slot,
         Record::UrgentBegin(time_ps, generation_, block.urgent_tile));
  }

  void EndWork(uint32_t sm, uint32_t slot, int64_t time_ps) {
    BlockState& block = blocks_[sm][slot];
    if (block.work == BlockState::Work::kUrgent) {
      // Counting the tile as done takes an atomic of its own.
      urgent_end_ps_ =
          std::max(urgent_end_ps_, time_ps + cell_.claim_round_trip_ps);
      --busy_[sm];
      Note(sm, slot,
           Record::UrgentEnd(time_ps, generation_, block.urgent_tile));
    } else if (block.work == BlockState::Work::kTask) {
      Note(sm, slot, Record::TileEnd(time_ps, block.tasks - 1));
    }
    block.work = BlockState::Work::kNone;
  }

  // Who gets urgent work depends on all SMs, so while there is some they run in
  // the order of time. Afterwards they are strangers again.
  void DealUrgentWork() {
    using Next = std::pair<int64_t, uint32_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> queue;
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      queue.emplace(servers_[sm].NextEventPs(), sm);
    }
    while (urgent_given_ < cell_.urgent_tiles) {
      const auto [time, sm] = queue.top();
      queue.pop();
      if (const auto at = servers_[sm].NextPassingBy(time)) Pass(sm, *at);
      queue.emplace(servers_[sm].NextEventPs(), sm);
    }
  }

  HandoffEvent Summarize() const {
    HandoffEvent event;
    event.set_ps = set_ps_;
    event.has_setter = !cell_.host_setter;
    event.setter_ps = event.has_setter ? blocks_[0][0].observe_ps : set_ps_;
    event.urgent_end_ps = urgent_end_ps_;
    event.has_others = total_blocks_ > 1 || !event.has_setter;
    event.first_ps = event.has_others ? INT64_MAX : event.setter_ps;
    event.last_ps = event.has_others ? 0 : event.setter_ps;
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        if (IsSetter(sm, slot)) continue;
        const int64_t time = blocks_[sm][slot].observe_ps;
        event.first_ps = std::min(event.first_ps, time);
        event.last_ps = std::max(event.last_ps, time);
      }
    }
    return event;
  }

  // A history ends with whole tiles: every SM goes on until all its blocks have
  // ended the tile in hand, and those that were given up.
  void FinishTiles() {
    for (uint32_t sm = 0; sm < servers_.size(); ++sm) {
      std::vector<bool> done(servers_[sm].blocks(), false);
      while (std::count(done.begin(), done.end(), false) > 0) {
        const Passing at = servers_[sm].NextPassing();
        const BlockState& block = blocks_[sm][at.slot];
        const bool ends = at.mark == 0 && !block.urgent_next &&
                          !block.claiming && !block.abandoned;
        Pass(sm, at);
        done[at.slot] = done[at.slot] || ends;
      }
      for (uint32_t slot = 0; slot < servers_[sm].blocks(); ++slot) {
        TakeBackStart(sm, slot);
        std::vector<Record>& records = History(sm, slot);
        records.push_back(Record::BlockExit(records.back().time_ps));
      }
    }
  }

  // Undoes the start of a tile that has just begun.
  void TakeBackStart(uint32_t sm, uint32_t slot) {
    BlockState& block = blocks_[sm][slot];
    block.work = BlockState::Work::kNone;
    block.abandoned = block.restarted;
    if (!block.restarted) --block.tasks;
    if (history_ != nullptr) History(sm, slot).pop_back();
  }

  void Note(uint32_t sm, uint32_t slot, const Record& record) {
    if (history_ != nullptr) History(sm, slot).push_back(record);
  }
  std::vector<Record>& History(uint32_t sm, uint32_t slot) {
    return history_->blocks[cell_.placement.BlockAt(sm, slot)];
  }

  const CellModel& cell_;
  const std::vector<Mark>& marks_;
  std::vector<Server> servers_;
  // Blocks of each SM that have not observed, and urgent tiles in hand there.
  std::vector<uint32_t> busy_;
  std::vector<std::vector<BlockState>> blocks_;
  RunHistory* history_;
  Arrivals arrivals_;
  ClaimDelays claim_delays_;
  Random claims_;
  uint32_t total_blocks_ = 0;
  uint64_t generation_ = 0;
  uint32_t urgent_given_;
  int64_t urgent_end_ps_ = 0;
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
    SmServer server = cell.MakeServer(cell.placement.BlocksOn(sm),
                                      kSmStream + sm, cell.SmScale(sm));
    if (cell.clock_sag.happens()) server.SetClock(cell.MakeClock());
    return server;
  });
}

}  // namespace tilebound::model
