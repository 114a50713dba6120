// Urgent work that waits until a background launch of a stated number of tiles
// is over, and then has the device to itself: the only way where no urgent
// block fits beside the workers, and the shorter one where a few reserved slots
// would take longer.
//
//   BackgroundEnd end(background, key, threads);
//   int64_t wait_ps = end.UrgentEndPs(event, newcomer_ps);
#ifndef TILEBOUND_MODEL_BACKGROUND_END_H_
#define TILEBOUND_MODEL_BACKGROUND_END_H_

#include <cstdint>
#include <vector>

#include "data/schema/cell_key.pb.h"
#include "model/background.h"

namespace tilebound::model {

class BackgroundEnd {
 public:
  // Simulates some launches of background.tasks tiles, at least 1.
  BackgroundEnd(const Background& background, const pb::CellKey& key,
                uint32_t threads);

  double MeanMakespanUs() const;
  uint64_t launches() const { return makespans_ps_.size(); }

  // From the set to the end of the urgent work, which comes as long after the
  // start of a launch as the cell's arrivals say. `event` names the draw. A
  // block begins its tile `newcomer_ps` after it has its slot.
  int64_t UrgentEndPs(uint64_t event, int64_t newcomer_ps) const;

 private:
  pb::Arrivals arrivals_;
  uint64_t stream_;
  int64_t launch_ps_;
  int64_t tile_ps_;
  // Tiles in a row that the work takes on an empty device.
  int64_t rounds_;
  std::vector<int64_t> makespans_ps_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_BACKGROUND_END_H_
