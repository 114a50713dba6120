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

// Real time until the virtual clock has gone `ahead`, rounded up.
int64_t RealFromVirtual(int64_t ahead, int64_t weight_in_service) {
  constexpr int kShift = kVirtualBits + kWeightBits;
  const auto product = static_cast<unsigned __int128>(ahead) *
                       static_cast<uint64_t>(weight_in_service);
  return static_cast<int64_t>(
      (product + ((uint64_t{1} << kShift) - 1)) >> kShift);
}

// Virtual time that passes in `elapsed_ps`.
int64_t VirtualFromReal(int64_t elapsed_ps, int64_t weight_in_service) {
  return static_cast<int64_t>(
      (static_cast<uint64_t>(elapsed_ps) << (kVirtualBits + kWeightBits)) /
      static_cast<uint64_t>(weight_in_service));
}

// Work of a block, S / w in virtual time.
int64_t VirtualWork(int64_t service_ps, int64_t weight) {
  return static_cast<int64_t>(
      (static_cast<unsigned __int128>(service_ps)
       << (kVirtualBits + kWeightBits)) /
      static_cast<uint64_t>(weight));
}

}  // namespace

SmServer::SmServer(TileTiming timing, std::vector<int64_t> weights,
                   Random random, double scale)
    : phases_(std::move(timing.phases)),
      service_spread_(timing.service_spread),
      weights_(std::move(weights)),
      random_(random),
      wake_ps_(weights_.size(), kNever),
      finish_tag_(weights_.size(), kNever),
      phase_(weights_.size(), 0),
      tile_factor_(weights_.size(), 1) {
  for (Phase& phase : phases_) {
    phase.duration_ps = std::llround(phase.duration_ps * scale);
  }
  int64_t tile_ps = 0;
  for (const Phase& phase : phases_) tile_ps += phase.duration_ps;
  for (uint32_t slot = 0; slot < blocks(); ++slot) {
    // The last phase of a tile that began before time 0.
    phase_[slot] = static_cast<uint32_t>(phases_.size()) - 1;
    wake_ps_[slot] = static_cast<int64_t>(
        random_.Below(static_cast<uint64_t>(tile_ps) * blocks() + 1));
  }
}

void SmServer::DrawTile(uint32_t slot) {
  if (service_spread_ == 0) return;
  // Truncated at three deviations: a tile never takes no time.
  const double z = std::clamp(random_.Normal(), -3.0, 3.0);
  tile_factor_[slot] = std::max(0.1, 1 + service_spread_ * z);
}

void SmServer::Enter(uint32_t slot, uint32_t phase) {
  phase_[slot] = phase;
  const Phase& entered = phases_[phase];
  if (!entered.service) {
    wake_ps_[slot] = now_ps_ + entered.duration_ps;
    return;
  }
  const int64_t work_ps =
      service_spread_ == 0
          ? entered.duration_ps
          : std::llround(entered.duration_ps * tile_factor_[slot]);
  finish_tag_[slot] = virtual_now_ + VirtualWork(work_ps, weights_[slot]);
  weight_in_service_ += weights_[slot];
}

void SmServer::Leave(uint32_t slot) {
  if (finish_tag_[slot] != kNever) weight_in_service_ -= weights_[slot];
  wake_ps_[slot] = kNever;
  finish_tag_[slot] = kNever;
}

SmServer::Boundary SmServer::NextBoundary() {
  const uint32_t n = blocks();
  while (true) {
    uint32_t waking = 0, finishing = 0;
    int64_t wake = wake_ps_[0], tag = finish_tag_[0];
    for (uint32_t slot = 1; slot < n; ++slot) {
      if (wake_ps_[slot] < wake) wake = wake_ps_[waking = slot];
      if (finish_tag_[slot] < tag) tag = finish_tag_[finishing = slot];
    }
    uint32_t slot = waking;
    const int64_t finish =
        tag == kNever
            ? kNever
            : now_ps_ + RealFromVirtual(std::max<int64_t>(0, tag - virtual_now_),
                                        weight_in_service_);
    if (finish <= wake) {
      slot = finishing;
      now_ps_ = finish;
      virtual_now_ = std::max(virtual_now_, tag);
    } else {
      if (weight_in_service_ > 0) {
        virtual_now_ += VirtualFromReal(wake - now_ps_, weight_in_service_);
      }
      now_ps_ = wake;
    }
    ++phase_events_;
    Leave(slot);
    const uint32_t next = phase_[slot] + 1;
    if (next < phases_.size()) {
      Enter(slot, next);
      continue;
    }
    DrawTile(slot);
    Enter(slot, 0);
    return {now_ps_, slot};
  }
}

}  // namespace tilebound::model
