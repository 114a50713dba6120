#include "model/arm_trace.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "data/trace/record.h"
#include "model/arrivals.h"
#include "model/random.h"
#include "model/sm_server.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kArmStream = uint64_t{3} << 32;
constexpr uint64_t kArmArrivalStream = 96;
constexpr int64_t kTilesBeforeFirstEvent = 50;

class ArmSimulation {
 public:
  ArmSimulation(const Background& background, const pb::CellKey& key,
                int64_t newcomer_ps)
      : cell_(background.cell),
        key_(key),
        newcomer_ps_(newcomer_ps),
        launch_ps_(background.launch_ps),
        shared_(background.total_free() > 0) {
    const Placement& at = cell_.placement;
    for (uint32_t sm = 0; sm < at.sm_count(); ++sm) {
      const uint32_t workers = at.BlocksOn(sm);
      const uint32_t size = workers + background.free_slots[sm];
      present_.push_back(workers);
      occupants_.emplace_back();
      sms_.push_back(size == 0 ? kNoServer
                               : static_cast<uint32_t>(servers_.size()));
      if (size == 0) continue;
      servers_.push_back(
          cell_.MakeServer(size, kArmStream + sm, cell_.SmScale(sm)));
      occupants_[sm].resize(size);
      for (uint32_t slot = 0; slot < size; ++slot) {
        Occupant& occupant = occupants_[sm][slot];
        if (slot < workers) {
          occupant = {.kind = Occupant::kWorker,
                      .stream = at.BlockAt(sm, slot)};
        } else {
          servers_.back().Leave(slot);
          guest_slots_.push_back({slot, sm});
        }
      }
    }
    workers_ = key.blocks();
    history_.blocks.resize(workers_);
    for (uint32_t block = 0; block < workers_; ++block) {
      Note(block, Record::BlockStart(0, at.SmOf(block), at.SlotOf(block)));
    }
  }

  RunHistory Run(uint64_t events) {
    Arrivals arrivals(key_.arrivals(),
                      Random(StreamSeed({cell_.stream, kArmArrivalStream})));
    int64_t set = arrivals.First(kTilesBeforeFirstEvent * cell_.FairTilePs());
    OpenLanes();
    for (uint64_t event = 1; event <= events; ++event) {
      AdvanceAll(set);
      history_.host.push_back(Record::FlagSet(set, event));
      ++history_.events;
      if (shared_) Serve(event, set + launch_ps_);
      if (event < events) set = arrivals.Next(set, std::max(set, end_ps_));
    }
    LetWorkersGo();
    if (!shared_) {
      for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
        for (uint32_t slot = 0; slot < occupants_[sm].size(); ++slot) {
          guest_slots_.push_back({slot, sm});
        }
      }
      OpenLanes();
      for (uint64_t event = 1; event <= events; ++event) {
        Serve(event, end_ps_ + launch_ps_);
      }
    }
    return std::move(history_);
  }

 private:
  static constexpr uint32_t kNoServer = std::numeric_limits<uint32_t>::max();

  struct Occupant {
    enum Kind { kNobody, kWorker, kGuest } kind = kNobody;
    uint32_t stream = 0;
    // Tiles begun: a worker's, or a guest's one.
    uint64_t tiles = 0;
    uint64_t event = 0;
    uint32_t urgent_tile = 0;
  };
  // Slots first, so that guests are spread over SMs.
  struct GuestSlot {
    uint32_t slot;
    uint32_t sm;
  };

  // One stream for each slot that urgent blocks can have.
  void OpenLanes() {
    std::sort(guest_slots_.begin(), guest_slots_.end(),
              [](const GuestSlot& a, const GuestSlot& b) {
                return std::pair(a.slot, a.sm) < std::pair(b.slot, b.sm);
              });
    if (shared_ && key_.reserve() > 0 && guest_slots_.size() > key_.reserve()) {
      guest_slots_.resize(key_.reserve());
    }
    history_.urgent_streams = static_cast<uint32_t>(guest_slots_.size());
    history_.blocks.resize(workers_ + guest_slots_.size());
  }

  SmServer& Server(uint32_t sm) { return servers_[sms_[sm]]; }
  void Note(uint32_t stream, const Record& record) {
    history_.blocks[stream].push_back(record);
  }

  void AdvanceAll(int64_t limit_ps) {
    for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
      if (sms_[sm] == kNoServer) continue;
      while (const auto at = Server(sm).NextPassingBy(limit_ps)) Pass(sm, *at);
    }
  }

  // A block comes to the start of a tile, which ends the one before it.
  void Pass(uint32_t sm, const SmServer::Passing& at) {
    if (at.mark != 0) return;
    Occupant& block = occupants_[sm][at.slot];
    if (block.kind == Occupant::kGuest) {
      PassGuest(sm, at, block);
      return;
    }
    if (block.tiles > 0) {
      Note(block.stream, Record::TileEnd(at.time_ps, block.tiles - 1));
    }
    if (leaving_) {
      Note(block.stream, Record::BlockExit(at.time_ps));
      Free(sm, at);
      return;
    }
    Note(block.stream, Record::Pop(at.time_ps, block.tiles++));
  }

  void PassGuest(uint32_t sm, const SmServer::Passing& at, Occupant& block) {
    if (block.tiles++ == 0) {
      Note(block.stream,
           Record::UrgentBegin(at.time_ps, block.event, block.urgent_tile));
      return;
    }
    Note(block.stream,
         Record::UrgentEnd(at.time_ps, block.event, block.urgent_tile));
    Note(block.stream, Record::BlockExit(at.time_ps));
    ++ended_;
    Free(sm, at);
    Admit(at.time_ps);
  }

  void Free(uint32_t sm, const SmServer::Passing& at) {
    occupants_[sm][at.slot].kind = Occupant::kNobody;
    Server(sm).Leave(at.slot);
    --present_[sm];
    end_ps_ = std::max(end_ps_, at.time_ps);
  }

  // Gives free slots to urgent blocks that wait.
  void Admit(int64_t time_ps) {
    for (uint32_t i = 0; i < guest_slots_.size(); ++i) {
      if (started_ == key_.urgent_tiles()) return;
      const auto [slot, sm] = guest_slots_[i];
      Occupant& place = occupants_[sm][slot];
      if (place.kind != Occupant::kNobody) continue;
      place = {.kind = Occupant::kGuest,
               .stream = workers_ + i,
               .event = event_,
               .urgent_tile = started_++};
      Note(place.stream, Record::BlockStart(time_ps, sm, present_[sm]++));
      Server(sm).RestartAt(slot, time_ps + newcomer_ps_);
    }
  }

  // Runs one event's urgent blocks, launched at `time_ps`, to their end.
  void Serve(uint64_t event, int64_t time_ps) {
    AdvanceAll(time_ps);
    event_ = event;
    started_ = ended_ = 0;
    Admit(time_ps);
    // A slot that gets free goes to a block that may have waited on another SM:
    // all run in the order of time.
    using Next = std::pair<int64_t, uint32_t>;
    while (ended_ < key_.urgent_tiles()) {
      Next first = {std::numeric_limits<int64_t>::max(), 0};
      for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
        if (sms_[sm] == kNoServer) continue;
        first = std::min(first, Next(Server(sm).NextEventPs(), sm));
      }
      const auto at = Server(first.second).NextPassingBy(first.first);
      if (at.has_value()) Pass(first.second, *at);
    }
  }

  // Every worker ends the tile in hand and exits.
  void LetWorkersGo() {
    leaving_ = true;
    for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
      if (sms_[sm] == kNoServer) continue;
      while (present_[sm] > 0) Pass(sm, Server(sm).NextPassing());
    }
  }

  const CellModel& cell_;
  const pb::CellKey& key_;
  int64_t newcomer_ps_;
  int64_t launch_ps_;
  // Whether urgent blocks run beside workers.
  bool shared_;
  uint32_t workers_ = 0;
  // By SM: index into servers_, blocks there, who is in each slot.
  std::vector<uint32_t> sms_;
  std::vector<uint32_t> present_;
  std::vector<std::vector<Occupant>> occupants_;
  std::vector<SmServer> servers_;
  std::vector<GuestSlot> guest_slots_;
  RunHistory history_;
  bool leaving_ = false;
  uint64_t event_ = 0;
  uint32_t started_ = 0;
  uint32_t ended_ = 0;
  int64_t end_ps_ = 0;
};

}  // namespace

RunHistory TraceArm(const Background& background, const pb::CellKey& key,
                    int64_t newcomer_ps, uint64_t events) {
  return ArmSimulation(background, key, newcomer_ps).Run(events);
}

}  // namespace tilebound::model
