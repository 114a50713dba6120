// SmServer as a textbook event simulation would have it: events in two
// std::priority_queue, one in real time and one in the server's virtual time.
// The same integers to the picosecond, so that a benchmark compares nothing but
// how the next event is found.
#ifndef TILEBOUND_MODEL_HEAP_SM_SERVER_H_
#define TILEBOUND_MODEL_HEAP_SM_SERVER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "model/random.h"
#include "model/sm_server.h"
#include "model/tile_timing.h"

namespace tilebound::model {

// One program, no marks, up to 8 blocks, runs of under an hour.
class HeapSmServer {
 public:
  HeapSmServer(const TileTiming& timing, std::vector<int64_t> weights,
               Random random)
      : timing_(timing),
        weights_(std::move(weights)),
        random_(random),
        phase_(weights_.size(), timing.phases.size() - 1),
        factor_(weights_.size(), kOne) {
    const auto most = static_cast<uint64_t>(timing.SoloPs()) * weights_.size();
    for (uint32_t slot = 0; slot < weights_.size(); ++slot) {
      weight_ += Waiting(slot);
      waiting_.emplace(static_cast<int64_t>(random_.Below(most + 1)), slot);
    }
  }

  SmServer::Passing NextBoundary() {
    while (true) {
      const int64_t wake = waiting_.empty() ? INT64_MAX : waiting_.top().first;
      const int64_t finish =
          served_.empty()
              ? INT64_MAX
              : now_ps_ + RealFromVirtual(std::max<int64_t>(
                              0, served_.top().first - virtual_now_));
      uint32_t slot;
      if (finish <= wake) {
        slot = served_.top().second;
        virtual_now_ = std::max(virtual_now_, served_.top().first);
        served_.pop();
        weight_ -= weights_[slot] - Waiting(slot);
        now_ps_ = finish;
      } else {
        slot = waiting_.top().second;
        waiting_.pop();
        if (!served_.empty()) virtual_now_ += VirtualFromReal(wake - now_ps_);
        now_ps_ = wake;
      }
      ++phase_events_;
      if (++phase_[slot] < timing_.phases.size()) {
        Enter(slot);
        continue;
      }
      phase_[slot] = 0;
      if (timing_.service_spread > 0) {
        factor_[slot] = std::max<int64_t>(
            kOne / 8, kOne + static_cast<int64_t>(timing_.service_spread *
                                                  kOne * random_.Late()));
      }
      Enter(slot);
      return {now_ps_, slot, 0};
    }
  }

  uint64_t phase_events() const { return phase_events_; }

 private:
  using Wide = unsigned __int128;
  using Event = std::pair<int64_t, uint32_t>;
  using Queue = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

  static constexpr int64_t kOne = 1 << 16;
  static constexpr int kFixedBits = 26;

  void Enter(uint32_t slot) {
    const Phase& phase = timing_.phases[phase_[slot]];
    if (!phase.service) {
      waiting_.emplace(now_ps_ + phase.duration_ps, slot);
      return;
    }
    const auto length = static_cast<int64_t>(
        (static_cast<Wide>(phase.duration_ps) << kFixedBits) /
        static_cast<uint64_t>(weights_[slot]));
    const Wide work =
        static_cast<Wide>(length) * static_cast<uint64_t>(factor_[slot]);
    served_.emplace(virtual_now_ + static_cast<int64_t>(work >> 16), slot);
    weight_ += weights_[slot] - Waiting(slot);
  }
  int64_t Waiting(uint32_t slot) const {
    return static_cast<int64_t>(timing_.unclaimed_share *
                                static_cast<double>(weights_[slot]));
  }
  int64_t RealFromVirtual(int64_t ahead) const {
    const Wide product =
        static_cast<Wide>(ahead) * static_cast<uint64_t>(weight_);
    return static_cast<int64_t>((product + ((uint64_t{1} << kFixedBits) - 1)) >>
                                kFixedBits);
  }
  int64_t VirtualFromReal(int64_t elapsed_ps) const {
    const uint64_t inverse =
        (uint64_t{1} << (kFixedBits + 32)) / static_cast<uint64_t>(weight_);
    return static_cast<int64_t>((static_cast<Wide>(elapsed_ps) * inverse) >>
                                32);
  }

  TileTiming timing_;
  std::vector<int64_t> weights_;
  Random random_;
  std::vector<size_t> phase_;
  std::vector<int64_t> factor_;
  Queue waiting_;
  Queue served_;
  int64_t now_ps_ = 0;
  int64_t virtual_now_ = 0;
  int64_t weight_ = 0;
  uint64_t phase_events_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_HEAP_SM_SERVER_H_
