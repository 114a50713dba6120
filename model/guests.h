// Urgent work as a kernel of its own: its blocks are guests in the slots that
// the workers leave free, each the youngest block of its SM, one tile each.
//
//   Guests guests(background, newcomer_ps, seed);
//   int64_t end = guests.Run(begin_ps, urgent_tiles);
#ifndef TILEBOUND_MODEL_GUESTS_H_
#define TILEBOUND_MODEL_GUESTS_H_

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "data/schema/histogram.h"
#include "model/background.h"
#include "model/background_end.h"
#include "model/predict_options.h"
#include "model/sm_server.h"

namespace tilebound::model {

// The SMs that can hold guests, simulated through all of their time: a guest
// slows the workers beside it down, and they it.
class Guests {
 public:
  // Up to `slots` guests at a time, on the emptiest SMs first, in those of
  // `background.free_slots`. A guest begins its tile `newcomer_ps` after it has
  // its slot. `stream` names the random streams.
  Guests(const Background& background, uint32_t slots, int64_t newcomer_ps,
         uint64_t stream);

  // Launches `blocks` guests, all waiting from `begin_ps` on, which is not
  // before the last end returned; a free slot takes the next one at once.
  // Returns when the last of them ends.
  int64_t Run(int64_t begin_ps, uint32_t blocks);

 private:
  struct Sm {
    SmServer server;
    uint32_t workers;
    uint32_t guests = 0;
    // By slot after the workers: whether its guest has begun its tile.
    std::vector<bool> begun;
  };
  struct Slot {
    uint32_t sm;
    uint32_t slot;
  };
  using End = std::tuple<int64_t, uint32_t, uint32_t>;  // time, sm, slot

  void Admit(const Slot& slot, int64_t time_ps);
  // Runs an SM to the next end of a guest, who leaves.
  End NextEnd(uint32_t sm);

  int64_t newcomer_ps_;
  std::vector<Sm> sms_;
  // In the order in which they are filled.
  std::vector<Slot> slots_;
};

// From `set` to the last end of `urgent_tiles` guests, launched
// background.launch_ps after the set, over `events` events; host time, so in
// kHostQuantumPs. Where they would be done sooner once the background is over,
// `end` (may be null: it never is) says so. The same for any `threads`.
Histogram GuestTimes(const Background& background, const pb::CellKey& key,
                     uint32_t slots, int64_t newcomer_ps,
                     const BackgroundEnd* end, const PredictOptions& options,
                     uint32_t threads);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_GUESTS_H_
