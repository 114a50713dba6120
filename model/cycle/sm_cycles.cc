#include "model/cycle/sm_cycles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "model/cycle/sm_program.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint32_t kSubpartitions = 4;
constexpr uint32_t kMostWarps = 64;
// Stalls and barriers are shorter than this.
constexpr uint32_t kWakeSlots = 32;
constexpr uint32_t kQueueRing = 64;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// What happens later than a stall: a bucket for each cycle of the near future,
// events of a bucket in a list. The order within a bucket does not matter,
// since all that they do is count down.
class EventWheel {
 public:
  struct Event {
    uint8_t warp;
    uint8_t what;
    int32_t next;
  };

  explicit EventWheel(int64_t reach) {
    const auto size = std::bit_ceil(static_cast<uint64_t>(reach) + 64);
    heads_.assign(size, -1);
    used_.assign(size / 64, 0);
    mask_ = size - 1;
  }

  void Add(int64_t time, uint32_t warp, uint32_t what) {
    int32_t node = free_;
    if (node < 0) {
      node = static_cast<int32_t>(events_.size());
      events_.emplace_back();
    } else {
      free_ = events_[node].next;
    }
    const uint64_t bucket = static_cast<uint64_t>(time) & mask_;
    events_[node] = {static_cast<uint8_t>(warp), static_cast<uint8_t>(what),
                     heads_[bucket]};
    heads_[bucket] = node;
    used_[bucket >> 6] |= uint64_t{1} << (bucket & 63);
  }

  // Calls act(warp, what) for all events of `time`.
  template <typename Act>
  void Take(int64_t time, Act act) {
    const uint64_t bucket = static_cast<uint64_t>(time) & mask_;
    int32_t node = heads_[bucket];
    if (node < 0) return;
    heads_[bucket] = -1;
    used_[bucket >> 6] &= ~(uint64_t{1} << (bucket & 63));
    while (node >= 0) {
      const Event event = events_[node];
      events_[node].next = free_;
      free_ = node;
      node = event.next;
      act(event.warp, event.what);
    }
  }

  // The first time after `time` that has an event; kNever without any.
  int64_t NextAfter(int64_t time) const {
    const uint64_t words = used_.size();
    const uint64_t first = static_cast<uint64_t>(time + 1) & mask_;
    uint64_t word = first >> 6;
    uint64_t bits = used_[word] & (~uint64_t{0} << (first & 63));
    for (uint64_t i = 0; i <= words; ++i) {
      if (bits != 0) {
        const uint64_t bucket =
            word << 6 | static_cast<uint64_t>(std::countr_zero(bits));
        return time + 1 + static_cast<int64_t>((bucket - first) & mask_);
      }
      word = (word + 1) & (words - 1);
      bits = used_[word];
    }
    return kNever;
  }

 private:
  std::vector<int32_t> heads_;
  std::vector<uint64_t> used_;
  std::vector<Event> events_;
  int32_t free_ = -1;
  uint64_t mask_ = 0;
};

// Event kinds beside the scoreboards 0 to 5.
constexpr uint32_t kCopyDone = 6;
constexpr uint32_t kStart = 7;

struct Warp {
  uint32_t pc = 0;
  uint32_t chunks_left = 0;
  uint8_t subpartition = 0;
  uint8_t block = 0;
  bool is_elected = false;
  // Stall over, but a scoreboard is not clear.
  bool is_blocked = false;
  uint32_t bit = 0;
  // Bit i: scoreboard i is not clear.
  uint8_t busy = 0;
  std::array<uint16_t, kScoreboards> pending{};
  // Copies on their way by committed group, oldest first, and not committed.
  std::deque<uint32_t> groups;
  uint32_t open_copies = 0;
  uint8_t group_board = kNoScoreboard;
};

struct Subpartition {
  explicit Subpartition(uint64_t seed) : random(seed) {}

  // Warps, bit 0 the oldest, whose next instruction only waits for its unit.
  uint32_t plain = 0;
  uint32_t fma = 0;
  uint32_t tensor = 0;
  uint32_t memory = 0;
  int64_t fma_free = 0;
  int64_t tensor_free = 0;
  // Warps whose stall ends at a cycle, by cycle modulo kWakeSlots.
  std::array<uint32_t, kWakeSlots> wake{};
  uint32_t wake_slots = 0;
  // The queue before the load-store pipe.
  struct Entry {
    uint8_t warp;
    uint32_t op;
  };
  std::array<Entry, kQueueRing> queue{};
  uint32_t head = 0;
  uint32_t size = 0;
  uint32_t places = 0;
  Random random;
};

uint32_t NthBit(uint32_t bits, uint64_t n) {
  for (; n > 0; --n) bits &= bits - 1;
  return bits & -bits;
}

class Simulation {
 public:
  Simulation(const SmProgram& program, const SmRunOptions& options)
      : program_(program),
        options_(options),
        wheel_(program.most_latency + program.most_cost +
               static_cast<int64_t>(kStartSpreadCycles)),
        pipe_random_(StreamSeed({options.seed, kPipeStream})) {
    for (uint32_t s = 0; s < kSubpartitions; ++s) {
      subpartitions_.emplace_back(StreamSeed({options.seed, s}));
      subpartitions_[s].places = DrawPlaces();
    }
    arrived_.assign(options.blocks, 0);
    run_.tile_starts.resize(options.blocks);
    for (uint32_t b = 0; b < options.blocks; ++b) {
      const auto start =
          static_cast<int64_t>(pipe_random_.Below(kStartSpreadCycles));
      for (uint32_t i = 0; i < options.warps_per_block; ++i) {
        const auto index = static_cast<uint32_t>(warps_.size());
        Warp warp;
        warp.block = static_cast<uint8_t>(b);
        warp.subpartition = static_cast<uint8_t>(index % kSubpartitions);
        warp.bit = 1u << (index / kSubpartitions);
        warp.is_elected = i == 0;
        warp.pc = warp.is_elected ? 0 : program.fetch_begin;
        warp.chunks_left = options.chunks;
        warps_.push_back(std::move(warp));
        // Time 0 is skipped so that every start lies ahead.
        wheel_.Add(1 + start, index, kStart);
      }
    }
  }

  SmRun Run() {
    const std::vector<int64_t>& youngest = run_.tile_starts.back();
    int64_t t = 0;
    while (youngest.size() < options_.tiles && t < options_.most_cycles) {
      wheel_.Take(t, [&](uint32_t warp, uint32_t what) { Happen(warp, what); });
      if (queued_ > 0 && pipe_free_ < (t + 1) * kCostUnit) ServePipe(t);
      bool issued = false;
      for (uint32_t s = 0; s < kSubpartitions; ++s) issued |= IssueFrom(s, t);
      t = issued ? t + 1 : NextTime(t);
    }
    run_.cycles = std::min(t, options_.most_cycles);
    run_.pipe_busy_cycles = static_cast<double>(busy_) / kCostUnit;
    return std::move(run_);
  }

 private:
  uint32_t DrawPlaces() {
    if (program_.queue_extra == 0) return program_.queue_places;
    return program_.queue_places +
           (pipe_random_.Below(kCostUnit) < program_.queue_extra ? 1 : 0);
  }

  const SmOp& NextOp(const Warp& warp) const { return program_.ops[warp.pc]; }

  static bool IsLeftOut(const Warp& warp, const SmOp& op) {
    return op.not_in_last_chunk && warp.chunks_left == 1;
  }

  // The warp's stall is over: into the set of its unit, unless a scoreboard
  // holds it.
  void Consider(Warp& warp) {
    const SmOp& op = NextOp(warp);
    if ((warp.busy & op.waits) != 0 ||
        (op.kind == InstructionKind::kWaitGroup &&
         warp.pending[op.write] > op.argument)) {
      warp.is_blocked = true;
      return;
    }
    warp.is_blocked = false;
    Subpartition& sub = subpartitions_[warp.subpartition];
    IssueGroup group = op.group;
    if (IsLeftOut(warp, op)) group = IssueGroup::kPlain;
    switch (group) {
      case IssueGroup::kPlain:
        sub.plain |= warp.bit;
        break;
      case IssueGroup::kFma:
        sub.fma |= warp.bit;
        break;
      case IssueGroup::kTensor:
        sub.tensor |= warp.bit;
        break;
      case IssueGroup::kMemory:
        sub.memory |= warp.bit;
        break;
    }
  }

  void Set(Warp& warp, uint8_t board) {
    if (board >= kScoreboards) return;
    ++warp.pending[board];
    warp.busy |= static_cast<uint8_t>(1u << board);
  }

  void Clear(Warp& warp, uint8_t board) {
    if (--warp.pending[board] == 0) {
      warp.busy &= static_cast<uint8_t>(~(1u << board));
    }
  }

  // Groups complete in order: an empty one behind an unfinished one waits.
  void CloseFinishedGroups(Warp& warp) {
    while (!warp.groups.empty() && warp.groups.front() == 0) {
      warp.groups.pop_front();
      Clear(warp, warp.group_board);
    }
  }

  void Happen(uint32_t index, uint32_t what) {
    Warp& warp = warps_[index];
    if (what == kStart) return Consider(warp);
    if (what == kCopyDone) {
      if (warp.groups.empty()) {
        --warp.open_copies;
      } else {
        --warp.groups.front();
        CloseFinishedGroups(warp);
      }
    } else {
      Clear(warp, static_cast<uint8_t>(what));
    }
    if (warp.is_blocked) Consider(warp);
  }

  void ServePipe(int64_t t) {
    while (queued_ > 0 && pipe_free_ < (t + 1) * kCostUnit) {
      std::array<uint32_t, kSubpartitions> waiting;
      uint32_t count = 0;
      for (uint32_t s = 0; s < kSubpartitions; ++s) {
        if (subpartitions_[s].size > 0) waiting[count++] = s;
      }
      const uint64_t pick = count == 1 ? 0 : pipe_random_.Below(count);
      Subpartition& sub = subpartitions_[waiting[pick]];
      const Subpartition::Entry entry = sub.queue[sub.head];
      sub.head = (sub.head + 1) % kQueueRing;
      --sub.size;
      --queued_;
      sub.places = DrawPlaces();
      const SmOp& op = program_.ops[entry.op];
      int64_t latency = op.latency;
      if (op.jitter > 0) {
        latency += static_cast<int64_t>(pipe_random_.Below(
                       2 * static_cast<uint64_t>(op.jitter) + 1)) -
                   op.jitter;
      }
      pipe_free_ = std::max(pipe_free_, t * kCostUnit) + op.cost;
      busy_ += op.cost;
      const int64_t end = (pipe_free_ + kCostUnit - 1) / kCostUnit;
      if (op.kind == InstructionKind::kAsyncCopy) {
        wheel_.Add(end + latency, entry.warp, kCopyDone);
      }
      if (op.write < kScoreboards) {
        wheel_.Add(end + latency, entry.warp, op.write);
      }
      if (op.read < kScoreboards) {
        wheel_.Add(end + program_.operand_read_cycles, entry.warp, op.read);
      }
    }
  }

  bool IssueFrom(uint32_t s, int64_t t) {
    Subpartition& sub = subpartitions_[s];
    const uint32_t slot = static_cast<uint32_t>(t) % kWakeSlots;
    if (sub.wake_slots >> slot & 1) {
      uint32_t woken = std::exchange(sub.wake[slot], 0);
      sub.wake_slots &= ~(1u << slot);
      for (; woken != 0; woken &= woken - 1) {
        Consider(warps_[s + kSubpartitions * static_cast<uint32_t>(
                                                 std::countr_zero(woken))]);
      }
    }
    uint32_t eligible = sub.plain;
    if (sub.fma_free <= t) eligible |= sub.fma;
    if (sub.tensor_free <= t) eligible |= sub.tensor;
    if (sub.size < sub.places) eligible |= sub.memory;
    if (eligible == 0) return false;
    uint32_t bit = eligible & -eligible;
    if ((sub.fma & bit) != 0 && sub.fma != bit) {
      bit = NthBit(sub.fma, sub.random.Below(
                                static_cast<uint64_t>(std::popcount(sub.fma))));
    }
    Issue(sub,
          s + kSubpartitions * static_cast<uint32_t>(std::countr_zero(bit)), t);
    return true;
  }

  void Issue(Subpartition& sub, uint32_t index, int64_t t) {
    Warp& warp = warps_[index];
    const SmOp& op = NextOp(warp);
    ++run_.instructions;
    sub.plain &= ~warp.bit;
    sub.fma &= ~warp.bit;
    sub.tensor &= ~warp.bit;
    sub.memory &= ~warp.bit;
    if (warp.pc == 0) run_.tile_starts[warp.block].push_back(t);
    bool waits_at_barrier = false;
    if (!IsLeftOut(warp, op)) {
      switch (op.group) {
        case IssueGroup::kMemory:
          sub.queue[(sub.head + sub.size) % kQueueRing] = {
              static_cast<uint8_t>(index), warp.pc};
          ++sub.size;
          ++queued_;
          Set(warp, op.write);
          Set(warp, op.read);
          if (op.kind == InstructionKind::kAsyncCopy) ++warp.open_copies;
          break;
        case IssueGroup::kFma:
          sub.fma_free = t + program_.fma_interval;
          if (program_.fma_extra > 0 &&
              sub.random.Below(kCostUnit) < program_.fma_extra) {
            ++sub.fma_free;
          }
          break;
        case IssueGroup::kTensor:
          sub.tensor_free = t + op.cost;
          break;
        case IssueGroup::kPlain:
          break;
      }
      if (op.kind == InstructionKind::kCommit) {
        Set(warp, op.write);
        warp.group_board = op.write;
        warp.groups.push_back(std::exchange(warp.open_copies, 0));
        CloseFinishedGroups(warp);
      } else if (op.kind == InstructionKind::kBarrier) {
        waits_at_barrier = true;
      } else if (op.group != IssueGroup::kMemory && op.write < kScoreboards &&
                 op.kind != InstructionKind::kWaitGroup) {
        Set(warp, op.write);
        wheel_.Add(t + op.latency, index, op.write);
      }
    }
    const uint32_t stall = op.stall;
    Advance(warp);
    if (!waits_at_barrier) {
      Wake(sub, warp.bit, t + stall);
    } else if (++arrived_[warp.block] == options_.warps_per_block) {
      arrived_[warp.block] = 0;
      const uint32_t first = warp.block * options_.warps_per_block;
      for (uint32_t i = 0; i < options_.warps_per_block; ++i) {
        Warp& other = warps_[first + i];
        Wake(subpartitions_[other.subpartition], other.bit,
             t + program_.barrier_cycles);
      }
    }
  }

  static void Wake(Subpartition& sub, uint32_t bit, int64_t time) {
    const uint32_t slot = static_cast<uint32_t>(time) % kWakeSlots;
    sub.wake[slot] |= bit;
    sub.wake_slots |= 1u << slot;
  }

  void Advance(Warp& warp) const {
    ++warp.pc;
    if (warp.pc == program_.epilogue_begin && --warp.chunks_left > 0) {
      warp.pc = program_.chunk_begin;
    }
    if (warp.pc == program_.ops.size()) {
      warp.chunks_left = options_.chunks;
      warp.pc = warp.is_elected ? 0 : program_.fetch_begin;
    }
  }

  // The next cycle in which anything can change.
  int64_t NextTime(int64_t t) const {
    int64_t next = wheel_.NextAfter(t);
    if (queued_ > 0) {
      next = std::min(next, pipe_free_ / kCostUnit);
    }
    for (const Subpartition& sub : subpartitions_) {
      if (sub.fma != 0) next = std::min(next, sub.fma_free);
      if (sub.tensor != 0) next = std::min(next, sub.tensor_free);
      if (sub.wake_slots != 0) {
        const int past =
            static_cast<int>(static_cast<uint32_t>(t + 1) % kWakeSlots);
        next = std::min(
            next, t + 1 + std::countr_zero(std::rotr(sub.wake_slots, past)));
      }
    }
    return std::max(next, t + 1);
  }

  const SmProgram& program_;
  const SmRunOptions& options_;
  EventWheel wheel_;
  Random pipe_random_;
  std::vector<Subpartition> subpartitions_;
  std::vector<Warp> warps_;
  std::vector<uint32_t> arrived_;
  uint32_t queued_ = 0;
  int64_t pipe_free_ = 0;
  int64_t busy_ = 0;
  SmRun run_;
};

}  // namespace

absl::StatusOr<SmRun> SimulateSm(const TileStream& stream,
                                 const CycleParameters& parameters,
                                 const SmRunOptions& options) {
  TILEBOUND_RETURN_IF_ERROR(ValidateStream(stream));
  TILEBOUND_RETURN_IF_ERROR(ValidateCycleParameters(parameters));
  if (options.blocks == 0 || options.warps_per_block == 0 ||
      options.blocks > kMostWarps ||
      options.warps_per_block > kMostWarps / options.blocks) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.blocks, " blocks of ", options.warps_per_block,
                     " warps; 1 to ", kMostWarps, " warps fit an SM"));
  }
  if (options.chunks == 0 || options.tiles == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(options.chunks, " chunks and ", options.tiles,
                     " tiles; at least 1 of each is needed"));
  }
  const SmProgram program = MakeSmProgram(stream, parameters);
  return Simulation(program, options).Run();
}

}  // namespace tilebound::model
