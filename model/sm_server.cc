#include "model/sm_server.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilebound::model {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// Virtual time is kept in 1/64 ps: fine enough that the rounding of an event
// (under 1/64 ps) is far below the picosecond that real time is rounded to.
constexpr int kVirtualBits = 6;
constexpr int kWeightBits = 20;
constexpr int kFixedBits = kVirtualBits + kWeightBits;
// Extra bits of a tabulated inverse.
constexpr int kInverseBits = 32;
constexpr int kFactorBits = 16;
// Tables grow as 2^blocks.
constexpr uint32_t kMostBlocksInTable = 8;

static_assert(kWeightOne == int64_t{1} << kWeightBits);
// One bit for each in `in_service_`.
static_assert(kMostServerBlocks <= 64);

// With one unit of weight the virtual clock runs 2^26 times as fast
// as real time, so that it would overflow within a second: it is set back to 0
// from here on. A tag is ahead of it by at most kMostTilePs of service at
// weight 1, so that tags stay within 2^62.
constexpr int64_t kVirtualSetBack = int64_t{1} << 61;
static_assert(kMostTilePs <= kVirtualSetBack >> kFixedBits);

using Wide = unsigned __int128;

constexpr uint64_t kProgramStream = 48;

// Real time until the virtual clock has gone `ahead`, rounded up.
int64_t RealFromVirtual(int64_t ahead, int64_t sharing_weight) {
  const Wide product =
      static_cast<Wide>(ahead) * static_cast<uint64_t>(sharing_weight);
  return static_cast<int64_t>((product + ((uint64_t{1} << kFixedBits) - 1)) >>
                              kFixedBits);
}

}  // namespace

SmServer::SmServer(const TileTiming& timing, std::vector<int64_t> weights,
                   Random random, double scale)
    : phases_(static_cast<uint32_t>(timing.phases.size())),
      factor_deviation_(timing.service_spread * (1 << kFactorBits)),
      weights_(std::move(weights)),
      unclaimed_share_(timing.unclaimed_share),
      slots_(weights_.size()),
      random_(random),
      programs_(StreamSeed({random.Next(), kProgramStream})),
      wake_ps_(weights_.size(), kNever),
      finish_tag_(weights_.size(), kNever) {
  counts_.assign(blocks(), 0);
  for (uint32_t slot = 0; slot < blocks(); ++slot) {
    Count(slot, WaitingWeight(slot));
  }
  if (std::none_of(timing.phases.begin(), timing.phases.end(),
                   [](const Phase& phase) { return phase.hands_on; })) {
    TabulateInverses();
  }
  double weight = 0;
  std::vector<bool> last(phases_, false);
  for (const ProgramSpan& span : timing.Spans()) {
    program_first_.push_back(span.first);
    program_weight_.push_back(weight += span.weight);
    last[span.end - 1] = true;
  }
  int64_t tile_ps = 0;
  for (uint32_t slot = 0; slot < blocks(); ++slot) {
    for (uint32_t i = 0; i < phases_; ++i) {
      const Phase& phase = timing.phases[i];
      const int64_t ps = std::llround(phase.duration_ps * scale);
      if (slot == 0) tile_ps += ps;
      const int64_t virtual_work =
          static_cast<int64_t>((static_cast<Wide>(ps) << kFixedBits) /
                               static_cast<uint64_t>(weights_[slot]));
      slot_phases_.push_back({phase.service ? virtual_work : ps, phase.service,
                              last[i], phase.mark,
                              phase.service    ? weights_[slot]
                              : phase.hands_on ? 0
                                               : WaitingWeight(slot)});
    }
  }
  for (uint32_t slot = 0; slot < blocks(); ++slot) {
    // The last phase of a tile that began before time 0.
    slots_[slot].phase = phases_ - 1;
    wake_ps_[slot] = static_cast<int64_t>(
        random_.Below(static_cast<uint64_t>(tile_ps) * blocks() + 1));
  }
}

int64_t SmServer::WaitingWeight(uint32_t slot) const {
  return static_cast<int64_t>(unclaimed_share_ *
                              static_cast<double>(weights_[slot]));
}

void SmServer::TabulateInverses() {
  if (blocks() > kMostBlocksInTable) return;
  inverse_weight_.assign(size_t{1} << blocks(), 0);
  for (size_t set = 1; set < inverse_weight_.size(); ++set) {
    uint64_t sum = 0;
    for (uint32_t slot = 0; slot < blocks(); ++slot) {
      sum += static_cast<uint64_t>(set >> slot & 1 ? weights_[slot]
                                                   : WaitingWeight(slot));
    }
    inverse_weight_[set] = (uint64_t{1} << (kFixedBits + kInverseBits)) / sum;
  }
}

uint32_t SmServer::DrawTile(Slot& slot) {
  if (factor_deviation_ != 0) {
    // A tile never takes no time, however wide the spread.
    slot.factor = std::max<int64_t>(
        1 << (kFactorBits - 3),
        (1 << kFactorBits) +
            static_cast<int64_t>(factor_deviation_ * random_.Late()));
  } else if (clock_.has_value()) {
    slot.factor = 1 << kFactorBits;
  }
  if (clock_.has_value()) {
    slot.factor = std::llround(static_cast<double>(slot.factor) *
                               clock_->FactorAt(now_ps_));
  }
  if (program_first_.size() == 1) return 0;
  const double at = programs_.Unit() * program_weight_.back();
  const size_t program = static_cast<size_t>(
      std::upper_bound(program_weight_.begin(), program_weight_.end(), at) -
      program_weight_.begin());
  return program_first_[std::min(program, program_first_.size() - 1)];
}

void SmServer::RestartAt(uint32_t slot, int64_t time_ps) {
  // Waits for a tile to begin, and has no turn until then.
  slots_[slot].phase = phases_ - 1;
  wake_ps_[slot] = time_ps;
  Count(slot, 0);
  // The table is of slots that wait for memory or are in service.
  if (unclaimed_share_ > 0) inverse_weight_.clear();
}

void SmServer::Leave(uint32_t slot) {
  wake_ps_[slot] = kForever;
  Count(slot, 0);
  if (unclaimed_share_ > 0) inverse_weight_.clear();
}

void SmServer::Enter(uint32_t slot, uint32_t phase) {
  slots_[slot].phase = phase;
  const SlotPhase& entered = slot_phases_[slot * phases_ + phase];
  Count(slot, entered.counts);
  if (!entered.service) {
    wake_ps_[slot] = now_ps_ + entered.length;
    return;
  }
  const Wide work = static_cast<Wide>(entered.length) *
                    static_cast<uint64_t>(slots_[slot].factor);
  finish_tag_[slot] = virtual_now_ + static_cast<int64_t>(work >> kFactorBits);
  in_service_ |= uint64_t{1} << slot;
}

void SmServer::SetVirtualClockBack() {
  for (int64_t& tag : finish_tag_) {
    if (tag != kNever) tag -= virtual_now_;
  }
  virtual_now_ = 0;
}

int64_t SmServer::VirtualFromReal(int64_t elapsed_ps) const {
  if (!inverse_weight_.empty()) {
    return static_cast<int64_t>(
        (static_cast<Wide>(elapsed_ps) * inverse_weight_[in_service_]) >>
        kInverseBits);
  }
  const auto weight = static_cast<uint64_t>(sharing_weight_);
  if (elapsed_ps <= std::numeric_limits<int64_t>::max() >> kFixedBits) {
    return static_cast<int64_t>(
        (static_cast<uint64_t>(elapsed_ps) << kFixedBits) / weight);
  }
  return static_cast<int64_t>((static_cast<Wide>(elapsed_ps) << kFixedBits) /
                              weight);
}

// The search is most of what an event costs; with the number of blocks known to
// the compiler it is free of branches.
template <uint32_t kBlocks>
inline SmServer::Next SmServer::FindNextOf() const {
  const uint32_t n = kBlocks == 0 ? blocks() : kBlocks;
  uint32_t waking = 0, finishing = 0;
  int64_t wake = wake_ps_[0], tag = finish_tag_[0];
#pragma GCC unroll 8
  for (uint32_t slot = 1; slot < n; ++slot) {
    const bool sooner = wake_ps_[slot] < wake;
    wake = sooner ? wake_ps_[slot] : wake;
    waking = sooner ? slot : waking;
    const bool nearer = finish_tag_[slot] < tag;
    tag = nearer ? finish_tag_[slot] : tag;
    finishing = nearer ? slot : finishing;
  }
  const int64_t finish =
      tag == kNever
          ? kNever
          : now_ps_ + RealFromVirtual(std::max<int64_t>(0, tag - virtual_now_),
                                      sharing_weight_);
  return finish <= wake ? Next{finish, finishing, true}
                        : Next{wake, waking, false};
}

inline SmServer::Next SmServer::FindNext() const {
  switch (blocks()) {
    case 1:
      return FindNextOf<1>();
    case 2:
      return FindNextOf<2>();
    case 3:
      return FindNextOf<3>();
    case 4:
      return FindNextOf<4>();
    default:
      return FindNextOf<0>();
  }
}

int64_t SmServer::LongestPs(uint32_t slot, uint32_t phase) const {
  const SlotPhase& longest = slot_phases_[slot * phases_ + phase];
  if (!longest.service) return longest.length;
  int64_t weight = 0;
  for (int64_t of_slot : weights_) weight += of_slot;
  const double factor =
      1 + factor_deviation_ / (1 << kFactorBits) * Random::kMostLate;
  return RealFromVirtual(static_cast<int64_t>(std::ceil(
                             static_cast<double>(longest.length) * factor)),
                         weight);
}

int64_t SmServer::NextEventPs() const { return FindNext().time_ps; }

std::optional<SmServer::Passing> SmServer::NextPassingBy(int64_t limit_ps) {
  while (true) {
    const auto [time, slot, service] = FindNext();
    if (time > limit_ps) return std::nullopt;
    if (service) {
      virtual_now_ = std::max(virtual_now_, finish_tag_[slot]);
      finish_tag_[slot] = kNever;
      in_service_ &= ~(uint64_t{1} << slot);
    } else {
      if (in_service_ != 0) virtual_now_ += VirtualFromReal(time - now_ps_);
      wake_ps_[slot] = kNever;
    }
    now_ps_ = time;
    ++phase_events_;
    if (virtual_now_ >= kVirtualSetBack) SetVirtualClockBack();
    const uint32_t phase = slots_[slot].phase;
    if (slot_phases_[phase].last) {
      Enter(slot, DrawTile(slots_[slot]));
      return Passing{now_ps_, slot, 0};
    }
    Enter(slot, phase + 1);
    const uint32_t mark = slot_phases_[phase + 1].mark;
    if (mark != 0) return Passing{now_ps_, slot, mark};
  }
}

}  // namespace tilebound::model
