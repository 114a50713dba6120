// When urgent work comes: the process that a cell's key names, as times of
// sets. Every fidelity and arm draws from here.
//
//   Arrivals arrivals(key.arrivals(), Random(StreamSeed({stream, 32})));
//   int64_t due = arrivals.First(start_ps);
//   due = arrivals.Next(set_ps, end_ps);      // after each event
#ifndef TILEBOUND_MODEL_ARRIVALS_H_
#define TILEBOUND_MODEL_ARRIVALS_H_

#include <cstdint>

#include "data/schema/cell_key.pb.h"
#include "model/random.h"

namespace tilebound::model {

// One event at a time: the flag is not raised again before everybody has let go
// and the urgent work is done. Work that arrives meanwhile waits for that.
class Arrivals {
 public:
  // `arrivals` is one that ValidateArrivals accepts.
  Arrivals(const pb::Arrivals& arrivals, Random random);

  // The first event is due at `start_ps`, when the grid is in steady state.
  int64_t First(int64_t start_ps);

  // When the next event is due, at `end_ps` or later. `set_ps` and `end_ps` are
  // when the present one was set and over: everybody has let go, and the urgent
  // work is done.
  //   uniform  a gap after end_ps
  //   poisson  an exponential gap after the arrival before, which may have
  //            waited
  //   closed   as soon as the time spent in events, over all time since the
  //            first set, is down to the utilization
  int64_t Next(int64_t set_ps, int64_t end_ps);

  // Work that had to wait for the event before it, out of all so far.
  uint64_t waited() const { return waited_; }

  // Of the time from the first set to the next due, the share spent in events;
  // 0 before the first event is over.
  double Utilization() const;

 private:
  pb::Arrivals process_;
  Random random_;
  int64_t first_ps_ = 0;
  int64_t arrival_ps_ = 0;
  int64_t due_ps_ = 0;
  int64_t busy_ps_ = 0;
  uint64_t waited_ = 0;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_ARRIVALS_H_
