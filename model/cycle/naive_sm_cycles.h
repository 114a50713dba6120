// The rule of sm_cycles.h a second time, as plainly as can be: every cycle is
// stepped, every warp asked whether it can issue, every pending result looked
// at. Random numbers are drawn in the same order, so that the two can be
// compared start by start.
#ifndef TILEBOUND_MODEL_CYCLE_NAIVE_SM_CYCLES_H_
#define TILEBOUND_MODEL_CYCLE_NAIVE_SM_CYCLES_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/cycle/sm_cycles.h"
#include "model/cycle/sm_program.h"
#include "model/random.h"

namespace tilebound::model {

class NaiveSm {
 public:
  NaiveSm(const SmProgram& program, const SmRunOptions& options)
      : program_(program),
        options_(options),
        pipe_random_(StreamSeed({options.seed, kPipeStream})) {
    for (uint64_t s = 0; s < 4; ++s) {
      random_.emplace_back(StreamSeed({options.seed, s}));
      queues_.emplace_back();
      places_.push_back(Places());
      fma_free_.push_back(0);
      tensor_free_.push_back(0);
    }
    for (uint32_t b = 0; b < options.blocks; ++b) {
      const auto start =
          static_cast<int64_t>(pipe_random_.Below(kStartSpreadCycles));
      for (uint32_t i = 0; i < options.warps_per_block; ++i) {
        Warp warp;
        warp.block = b;
        warp.first = i == 0 ? 0 : program.fetch_begin;
        warp.pc = warp.first;
        warp.ready = 1 + start;
        warps_.push_back(warp);
      }
    }
    run_.tile_starts.resize(options.blocks);
  }

  SmRun Run() {
    int64_t t = 0;
    for (; run_.tile_starts.back().size() < options_.tiles &&
           t < options_.most_cycles;
         ++t) {
      Complete(t);
      while (pipe_free_ < (t + 1) * kCostUnit && Serve(t)) {
      }
      for (size_t s = 0; s < 4; ++s) Issue(s, t);
    }
    run_.cycles = t;
    run_.pipe_busy_cycles = static_cast<double>(busy_) / kCostUnit;
    return run_;
  }

 private:
  struct Warp {
    uint32_t block = 0;
    uint32_t first = 0;
    uint32_t pc = 0;
    uint32_t chunk = 0;
    int64_t ready = 0;
    bool at_barrier = false;
    // Pending results by scoreboard.
    int64_t pending[kScoreboards] = {};
    // Copies of each committed group that are on their way, oldest first; the
    // last entry is the group that is still open.
    std::vector<int64_t> copies = {0};
    uint8_t group_board = 0;
  };
  struct Result {
    int64_t time;
    size_t warp;
    // A scoreboard, or -1 for a copy.
    int board;
  };
  struct Waiting {
    size_t warp;
    uint32_t op;
  };

  uint32_t Places() {
    if (program_.queue_extra == 0) return program_.queue_places;
    const bool more = pipe_random_.Below(kCostUnit) < program_.queue_extra;
    return program_.queue_places + (more ? 1 : 0);
  }

  void FinishGroups(Warp& warp) {
    while (warp.copies.size() > 1 && warp.copies[0] == 0) {
      warp.copies.erase(warp.copies.begin());
      --warp.pending[warp.group_board];
    }
  }

  void Complete(int64_t t) {
    for (const Result& result : results_) {
      if (result.time != t) continue;
      Warp& warp = warps_[result.warp];
      if (result.board >= 0) {
        --warp.pending[result.board];
      } else {
        --warp.copies[0];
        FinishGroups(warp);
      }
    }
    std::erase_if(results_, [&](const Result& r) { return r.time == t; });
  }

  bool Serve(int64_t t) {
    std::vector<size_t> filled;
    for (size_t s = 0; s < 4; ++s) {
      if (!queues_[s].empty()) filled.push_back(s);
    }
    if (filled.empty()) return false;
    const size_t s =
        filled[filled.size() == 1 ? 0 : pipe_random_.Below(filled.size())];
    const Waiting waiting = queues_[s].front();
    queues_[s].erase(queues_[s].begin());
    places_[s] = Places();
    const SmOp& op = program_.ops[waiting.op];
    int64_t latency = op.latency;
    if (op.jitter > 0) {
      latency -= op.jitter;
      latency += static_cast<int64_t>(
          pipe_random_.Below(2 * static_cast<uint64_t>(op.jitter) + 1));
    }
    pipe_free_ = std::max(pipe_free_, t * kCostUnit) + op.cost;
    busy_ += op.cost;
    int64_t end = pipe_free_ / kCostUnit;
    if (end * kCostUnit < pipe_free_) ++end;
    if (op.kind == InstructionKind::kAsyncCopy) {
      results_.push_back({end + latency, waiting.warp, -1});
    }
    if (op.write != kNoScoreboard) {
      results_.push_back({end + latency, waiting.warp, op.write});
    }
    if (op.read != kNoScoreboard) {
      results_.push_back(
          {end + program_.operand_read_cycles, waiting.warp, op.read});
    }
    return true;
  }

  bool IsLeftOut(const Warp& warp) const {
    return program_.ops[warp.pc].not_in_last_chunk &&
           warp.chunk + 1 == options_.chunks;
  }

  bool IsEligible(size_t s, const Warp& warp, int64_t t) const {
    const SmOp& op = program_.ops[warp.pc];
    if (warp.at_barrier || warp.ready > t) return false;
    for (int board = 0; board < kScoreboards; ++board) {
      if ((op.waits >> board & 1) && warp.pending[board] > 0) return false;
    }
    if (op.kind == InstructionKind::kWaitGroup &&
        warp.pending[op.write] > static_cast<int64_t>(op.argument)) {
      return false;
    }
    if (IsLeftOut(warp)) return true;
    if (op.group == IssueGroup::kMemory) return queues_[s].size() < places_[s];
    if (op.group == IssueGroup::kFma) return fma_free_[s] <= t;
    if (op.group == IssueGroup::kTensor) return tensor_free_[s] <= t;
    return true;
  }

  void Issue(size_t s, int64_t t) {
    std::vector<size_t> eligible;
    for (size_t w = s; w < warps_.size(); w += 4) {
      if (IsEligible(s, warps_[w], t)) eligible.push_back(w);
    }
    if (eligible.empty()) return;
    const auto is_fma = [&](size_t w) {
      return program_.ops[warps_[w].pc].group == IssueGroup::kFma;
    };
    size_t chosen = eligible[0];
    if (is_fma(chosen)) {
      std::erase_if(eligible, [&](size_t w) { return !is_fma(w); });
      if (eligible.size() > 1) {
        chosen = eligible[random_[s].Below(eligible.size())];
      }
    }
    Execute(s, chosen, t);
  }

  void Execute(size_t s, size_t w, int64_t t) {
    Warp& warp = warps_[w];
    const SmOp& op = program_.ops[warp.pc];
    ++run_.instructions;
    if (warp.pc == 0) run_.tile_starts[warp.block].push_back(t);
    warp.ready = t + op.stall;
    if (IsLeftOut(warp)) {
      // An issue slot and no more.
    } else if (op.group == IssueGroup::kMemory) {
      queues_[s].push_back({w, warp.pc});
      if (op.write != kNoScoreboard) ++warp.pending[op.write];
      if (op.read != kNoScoreboard) ++warp.pending[op.read];
      if (op.kind == InstructionKind::kAsyncCopy) ++warp.copies.back();
    } else if (op.kind == InstructionKind::kCommit) {
      ++warp.pending[op.write];
      warp.group_board = op.write;
      warp.copies.push_back(0);
      FinishGroups(warp);
    } else if (op.kind == InstructionKind::kBarrier) {
      warp.at_barrier = true;
    } else if (op.kind != InstructionKind::kWaitGroup) {
      if (op.group == IssueGroup::kFma) {
        fma_free_[s] = t + program_.fma_interval;
        if (program_.fma_extra > 0 &&
            random_[s].Below(kCostUnit) < program_.fma_extra) {
          ++fma_free_[s];
        }
      }
      if (op.group == IssueGroup::kTensor) tensor_free_[s] = t + op.cost;
      if (op.write != kNoScoreboard) {
        ++warp.pending[op.write];
        results_.push_back({t + op.latency, w, op.write});
      }
    }
    if (++warp.pc == program_.epilogue_begin &&
        ++warp.chunk < options_.chunks) {
      warp.pc = program_.chunk_begin;
    }
    if (warp.pc == program_.ops.size()) {
      warp.pc = warp.first;
      warp.chunk = 0;
    }
    OpenBarrier(warp.block, t);
  }

  void OpenBarrier(uint32_t block, int64_t t) {
    uint32_t arrived = 0;
    for (const Warp& warp : warps_) {
      if (warp.block == block && warp.at_barrier) ++arrived;
    }
    if (arrived < options_.warps_per_block) return;
    for (Warp& warp : warps_) {
      if (warp.block != block) continue;
      warp.at_barrier = false;
      warp.ready = t + program_.barrier_cycles;
    }
  }

  const SmProgram& program_;
  const SmRunOptions& options_;
  Random pipe_random_;
  std::vector<Random> random_;
  std::vector<std::vector<Waiting>> queues_;
  std::vector<uint32_t> places_;
  std::vector<int64_t> fma_free_;
  std::vector<int64_t> tensor_free_;
  std::vector<Warp> warps_;
  std::vector<Result> results_;
  int64_t pipe_free_ = 0;
  int64_t busy_ = 0;
  SmRun run_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CYCLE_NAIVE_SM_CYCLES_H_
