// The baseline that ignores the SM: every block draws its tile times
// independently from one lognormal distribution. Same interface as SmServer, so
// that only the sharing differs between a prediction and its baseline.
#ifndef TILEBOUND_MODEL_IID_SERVER_H_
#define TILEBOUND_MODEL_IID_SERVER_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/random.h"
#include "model/sm_server.h"

namespace tilebound::model {

// A lognormal distribution given by its mean and the standard deviation of the
// logarithm.
struct LognormalTile {
  int64_t mean_ps;
  double log_deviation;
};

// The log deviation of a lognormal distribution whose 99th percentile is
// `ratio` times its mean: the smaller root of s^2 / 2 - z s + ln(ratio) = 0,
// z = 2.3263 the normal's 99th percentile. Ratios over exp(z^2 / 2) = 14.97
// do not exist; they give the largest possible s = z. Ratios under 1 belong to
// tails heavier than any tile's; they give 0.
inline double LogDeviationFromP99(double ratio) {
  constexpr double kZ99 = 2.3263478740408408;
  const double discriminant = kZ99 * kZ99 - 2 * std::log(ratio);
  return std::max(0.0, kZ99 - std::sqrt(std::max(0.0, discriminant)));
}

class IidServer {
 public:
  IidServer(LognormalTile tile, uint32_t blocks, Random random, double scale)
      : tile_(tile), scale_(scale), random_(random), next_ps_(blocks) {
    for (int64_t& next : next_ps_) {
      next = static_cast<int64_t>(
          random_.Below(static_cast<uint64_t>(tile_.mean_ps) + 1));
    }
  }

  // Tiles only: a tile drawn whole has no sites inside.
  SmServer::Passing NextPassing() {
    const uint32_t slot = FirstSlot();
    const int64_t now = next_ps_[slot];
    const double s = tile_.log_deviation;
    const double factor = std::exp(s * random_.Normal() - s * s / 2);
    next_ps_[slot] = now + 1 + std::llround(tile_.mean_ps * factor * scale_);
    return {now, slot, 0};
  }

  std::optional<SmServer::Passing> NextPassingBy(int64_t limit_ps) {
    if (NextEventPs() > limit_ps) return std::nullopt;
    return NextPassing();
  }
  int64_t NextEventPs() const { return next_ps_[FirstSlot()]; }
  void RestartAt(uint32_t slot, int64_t time_ps) { next_ps_[slot] = time_ps; }

  uint32_t blocks() const { return static_cast<uint32_t>(next_ps_.size()); }

 private:
  uint32_t FirstSlot() const {
    return static_cast<uint32_t>(
        std::min_element(next_ps_.begin(), next_ps_.end()) - next_ps_.begin());
  }

  LognormalTile tile_;
  double scale_;
  Random random_;
  std::vector<int64_t> next_ps_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_IID_SERVER_H_
