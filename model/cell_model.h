// Everything that simulating one cell needs, worked out once: placement, tile
// timing at the grid's own load, weights, checkpoints and arrivals.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       CellModel cell, MakeCellModel(part, kernel, calibration, key,
//       options));
//   HandoffMetrics metrics = SampleHandoff(cell, events, threads);
#ifndef TILEBOUND_MODEL_CELL_MODEL_H_
#define TILEBOUND_MODEL_CELL_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "model/clock_sag.h"
#include "model/iid_server.h"
#include "model/look_plan.h"
#include "model/placement.h"
#include "model/sharing.h"
#include "model/slot_sharing.h"
#include "model/sm_server.h"
#include "model/tile_timing.h"

namespace tilebound::model {

struct CellModel {
  Placement placement{1, 1};
  Sharing sharing = Sharing::kSlot;
  TileTiming timing;
  // Where and how blocks look, and what they pay for it.
  LookPlan plan;
  // How blocks share an SM, by residency; empty for the baselines.
  SlotSharing slot_sharing;
  // Tile times of the iid baseline by residency (index blocks per SM).
  std::vector<LognormalTile> iid_tiles;
  uint32_t period = 1;
  uint32_t urgent_tiles = 1;
  int64_t setter_delay_ps = 0;
  // What the SMs' clock does; nothing unless all of them are busy.
  ClockSag clock_sag;
  // The host raises the flag, not a block.
  bool host_setter = false;
  pb::Arrivals arrivals;
  // What a claim is made of (model/claim.h): an atomic's round trip, and the
  // service of one barrier.
  int64_t claim_round_trip_ps = 0;
  int64_t claim_barrier_ps = 0;
  uint64_t quantum_ps = 1;
  // Tiles per microsecond of the whole grid, with the looks and without them
  // (the same tiles, the same draws).
  double tile_rate = 0;
  double base_tile_rate = 0;
  // Names the cell's random streams: seed and fingerprint.
  uint64_t stream = 0;

  // Whether all looks are at the start of a tile, with no tile in hand.
  bool at_boundaries() const { return plan.site == pb::BOUNDARY; }
  // By how much the looks lengthen the time that a number of tiles takes.
  double OverheadPercent() const {
    return 100 * (base_tile_rate / tile_rate - 1);
  }
  // A tile's time if its SM shared fairly, on the fullest SM: what run lengths
  // are counted in, so that slow tiles get long runs.
  int64_t FairTilePs() const;
  // Speed of an SM relative to the mean, over 1 = slower.
  double SmScale(uint32_t sm) const;
  SmServer MakeServer(uint32_t blocks, uint64_t name, double scale) const;
  // The clock as all SMs have it.
  ClockSagSchedule MakeClock() const;
  IidServer MakeIidServer(uint32_t blocks, uint64_t name, double scale) const;
};

// Bounds on what a cell may ask for, far above any use, so that a typing error
// does not run for days.
inline constexpr uint32_t kMostPeriod = 100'000;
inline constexpr uint32_t kMostUrgentTiles = 100'000;

// What stamps are floored to on a part: its timer's tick, or 1 ns where nobody
// has measured that, which is as good as not flooring.
uint64_t StampQuantumPs(const pb::Part& part);

// "" if the model has a law for the cooperative cell, else what it lacks: a
// variant, a cluster, ...
std::string NotModelledReason(const pb::CellKey& key, Sharing sharing);

// In the arms none and reserved it is the workers' cell: nobody looks, and
// nothing is paid for it.
//
// Errors: blocks over residency, k or site that the kernel does not have,
// period or urgent tiles over the bounds above, a quantity that the calibration
// lacks, a part whose timer tick is not known, a load that does not settle.
absl::StatusOr<CellModel> MakeCellModel(const pb::Part& part,
                                        const pb::Kernel& kernel,
                                        const pb::Calibration& calibration,
                                        const pb::CellKey& key, Sharing sharing,
                                        uint64_t seed);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CELL_MODEL_H_
