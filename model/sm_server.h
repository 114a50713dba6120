// One SM under load: its resident blocks run tiles forever, and whoever is in a
// service phase shares the SM by weight.
//
//   SmServer server(timing, GeometricWeights(4, 0.494), random, 1);
//   SmServer::Passing next = server.NextPassing();   // time, slot, mark
//
// Weighted processor sharing: a block of weight w in service is served at rate
// w / W. W are the weights of the blocks in service, and the timing's
// unclaimed_share of the weights of those that wait: 0 is a server that hands
// all of a waiting block's turn to the others, 1 one that hands on nothing.
// Instead of taking each block's remaining work down at every event, the server
// keeps one virtual clock that runs at 1 / W: a block that enters service at
// virtual time V with work S ends at V + S / w, whatever comes and goes
// meanwhile. (The virtual time of
// weighted fair queueing: Demers, Keshav and Shenker, SIGCOMM 1989; Parekh and
// Gallager, 1993.) All clocks are integers, so a run of hours is as exact as
// its first tile: a service phase ends less than a picosecond late.
#ifndef TILEBOUND_MODEL_SM_SERVER_H_
#define TILEBOUND_MODEL_SM_SERVER_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/clock_sag.h"
#include "model/random.h"
#include "model/tile_timing.h"

namespace tilebound::model {

// Weights are whole numbers in units of 1 / kWeightOne.
inline constexpr int64_t kWeightOne = int64_t{1} << 20;

// Blocks that one SM can hold; the hardware's limit is 32.
inline constexpr uint32_t kMostServerBlocks = 64;

class SmServer {
 public:
  // A block comes to a mark of its tile: 0 is the tile's start.
  struct Passing {
    int64_t time_ps;
    uint32_t slot;
    uint32_t mark;
  };

  // `timing` comes from MakeTileTiming, which keeps to what the clocks hold:
  // with `scale` and the largest draw of its service a tile takes at most
  // kMostTilePs. `weights` has one entry per resident block (1 to
  // kMostServerBlocks), oldest first, each at least 1 and at most kWeightOne.
  // `scale` multiplies every duration: a slower SM has a scale over 1. Each
  // block starts its first tile at a random time, as late as all blocks' tiles
  // in turn take.
  SmServer(const TileTiming& timing, std::vector<int64_t> weights,
           Random random, double scale);

  // Tiles that start in a sag of the clock are served more slowly, all of them.
  void SetClock(const ClockSagSchedule& clock) { clock_ = clock; }

  // Runs until a block comes to a mark and says which and when. Times never
  // decrease; passings within the same picosecond come in the order of service,
  // the same in every run. Which program a tile runs is drawn by weight at its
  // start.
  Passing NextPassing() { return *NextPassingBy(kForever); }
  // The same if it comes by `limit_ps`; else runs up to there and stays.
  std::optional<Passing> NextPassingBy(int64_t limit_ps);
  // When a phase ends next; nothing happens before.
  int64_t NextEventPs() const;
  // The same, past all marks but the start of a tile.
  Passing NextBoundary() {
    Passing at = NextPassing();
    while (at.mark != 0) at = NextPassing();
    return at;
  }

  // The block gives its tile up and starts another one at `time_ps`, which is
  // not before the last passing. Only for a block in a latency phase, as one is
  // that has just come to a mark that decides.
  void RestartAt(uint32_t slot, int64_t time_ps);

  // The block runs no tile from here on, and the others share what it leaves,
  // until it is restarted. Only for a block that has just come to the start of
  // a tile, or has not been at one yet.
  void Leave(uint32_t slot);

  // The longest that a block in `slot` can take for phase `phase` of the
  // timing: with the largest draw, and all other blocks in service throughout,
  // the clock not sagging.
  int64_t LongestPs(uint32_t slot, uint32_t phase) const;

  uint32_t blocks() const { return static_cast<uint32_t>(slots_.size()); }
  // Phases finished so far, by all blocks: what a run costs.
  uint64_t phase_events() const { return phase_events_; }

 private:
  // A phase as one slot runs it.
  struct SlotPhase {
    // Latency: how long, in ps. Service: how long in virtual time, before the
    // tile's own factor.
    int64_t length;
    bool service;
    // Whether the tile ends with it.
    bool last;
    uint32_t mark;
    // What the slot's weight counts for in W during the phase.
    int64_t counts;
  };
  struct Slot {
    uint32_t phase = 0;
    // The tile's work relative to the mean, in 1/2^16.
    int64_t factor = 1 << 16;
  };

  static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
  // The phase that ends next.
  struct Next {
    int64_t time_ps;
    uint32_t slot;
    bool service;
  };

  Next FindNext() const;
  // For kBlocks blocks; 0: for any number.
  template <uint32_t kBlocks>
  Next FindNextOf() const;
  void Enter(uint32_t slot, uint32_t phase);
  // Starts a tile; returns its first phase.
  uint32_t DrawTile(Slot& slot);
  void SetVirtualClockBack();
  // What a slot's turn counts for while it waits for memory.
  int64_t WaitingWeight(uint32_t slot) const;
  void Count(uint32_t slot, int64_t weight) {
    sharing_weight_ += weight - counts_[slot];
    counts_[slot] = weight;
  }
  void TabulateInverses();
  // Virtual time that passes in `elapsed_ps` with the blocks now in service.
  int64_t VirtualFromReal(int64_t elapsed_ps) const;

  // SlotPhase of (slot, phase) at slot * phases_ + phase.
  std::vector<SlotPhase> slot_phases_;
  uint32_t phases_;
  // Deviation of a tile's factor, in 1/2^16.
  double factor_deviation_;
  std::vector<int64_t> weights_;
  double unclaimed_share_;
  std::vector<Slot> slots_;
  std::optional<ClockSagSchedule> clock_;
  Random random_;
  // First phase of each program, the weights of programs up to and with each,
  // and draws of their own, so that they do not shift those of the tiles.
  std::vector<uint32_t> program_first_;
  std::vector<double> program_weight_;
  Random programs_;
  // By slot. A block waits (wake_ps) or is served (finish_tag), never both; the
  // other one is kNever.
  std::vector<int64_t> wake_ps_;
  std::vector<int64_t> finish_tag_;
  int64_t now_ps_ = 0;
  int64_t virtual_now_ = 0;
  // W of the opening comment, and each slot's part of it.
  int64_t sharing_weight_ = 0;
  std::vector<int64_t> counts_;
  // Bit per slot in service, and the inverse of each set's W, where that is all
  // that W depends on and there are few enough blocks for a table: a division
  // an event is what a run would otherwise spend its time on.
  uint64_t in_service_ = 0;
  std::vector<uint64_t> inverse_weight_;
  uint64_t phase_events_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_SM_SERVER_H_
