// An SM clock that gives way under load: for a part of the time it runs lower,
// and what the SM serves takes longer. All SMs have one clock, so it sags for
// all of them at once, and a handoff that falls into a sag is late as a whole:
// a tail that longer periods do not average away.
//
//   ClockSagSchedule clock({.slowdown = 1.143, .share = 0.05}, random);
//   double factor = clock.FactorAt(now_ps);  // 1 or 1.143; now never goes back
#ifndef TILEBOUND_MODEL_CLOCK_SAG_H_
#define TILEBOUND_MODEL_CLOCK_SAG_H_

#include <cmath>
#include <cstdint>

#include "model/random.h"

namespace tilebound::model {

struct ClockSag {
  // Usual clock over the clock in a sag; 1 = no sag.
  double slowdown = 1;
  // Part of the time.
  double share = 0;

  bool happens() const { return slowdown > 1 && share > 0; }
};

// Power management acts within milliseconds: long beside a tile, short beside a
// run. Assumed: the published figures do not tell, and only `exact` knows it;
// `sampled` takes a handoff to fall into a sag or not.
inline constexpr double kMeanSagPs = 2e9;

// Sags and the time between them, both exponential. Copies of a schedule go the
// same way, so that servers of different SMs agree.
class ClockSagSchedule {
 public:
  ClockSagSchedule(const ClockSag& sag, Random random)
      : sag_(sag), random_(random), sagging_(random_.Unit() < sag.share) {
    until_ps_ = Length();
  }

  // Factor on the time that service takes. Times must not decrease.
  double FactorAt(int64_t time_ps) {
    while (time_ps >= until_ps_) {
      sagging_ = !sagging_;
      until_ps_ += Length();
    }
    return sagging_ ? sag_.slowdown : 1;
  }

 private:
  int64_t Length() {
    const double mean =
        sagging_ ? kMeanSagPs : kMeanSagPs * (1 - sag_.share) / sag_.share;
    return 1 + static_cast<int64_t>(-std::log1p(-random_.Unit()) * mean);
  }

  ClockSag sag_;
  Random random_;
  bool sagging_;
  int64_t until_ps_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CLOCK_SAG_H_
