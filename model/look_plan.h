// Where a block of a cell looks at the flag, how it reads it, and what that
// costs.
//
//   TILEBOUND_ASSIGN_OR_RETURN(LookPlan plan, ReadLookPlan(calibration, key));
//   MakeTileTiming(program, parameters, k, rate, plan)
//
// Sites: boundary, between tiles; stage, after the wait of each chunk and
// before its compute; issue, before that wait; folded, where the flag is read
// at the start of a chunk's compute, the barrier that releases the chunk's
// buffer decides, and the barrier of the task fetch votes too.
//
// Variants, by when the value that a look uses was read:
//   default, volatile_flag   in the look. At a boundary it is read beside the
//                            ticket, so nobody waits for it; inside a tile the
//                            round trip is exposed
//   pipelined_flag           in the look before: one look stale, nothing
//                            exposed
//   sync_flag,               in the look, the round trip exposed everywhere
//   sync_flag_hoisted
#ifndef TILEBOUND_MODEL_LOOK_PLAN_H_
#define TILEBOUND_MODEL_LOOK_PLAN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound::model {

struct LookPlan {
  // SITE_UNSPECIFIED: nobody looks, and nothing is paid.
  pb::Site site = pb::SITE_UNSPECIFIED;
  // Looked at is every period-th site. The cost of a look is spread over the
  // sites of a period.
  uint32_t period = 1;
  uint32_t stale_looks = 0;
  bool exposed_round_trip = false;
  // Urgent work inside a tile waits for the copies in flight.
  bool drains = false;
  double round_trip_us = 0;
  // Barrier and decision of a site inside a tile, and how much of that is
  // service.
  double site_us = 0;
  double site_service_us = 0;
  // What a tile pays at its start: a boundary's barrier and decision, or what
  // makes a tile one that can be abandoned.
  double tile_us = 0;
  double tile_service_us = 0;
  // Whether the calibration says what the sites cost.
  bool cost_known = false;

  bool looks_at_boundary() const {
    return site == pb::BOUNDARY || site == pb::FOLDED;
  }
  bool looks_inside() const {
    return site == pb::STAGE || site == pb::ISSUE || site == pb::FOLDED;
  }
};

// "" if the plan of such a cell is known, else what is not: "variant x".
std::string NoLookPlanReason(const pb::CellKey& key);

// The plan of a cell for which NoLookPlanReason is "". Costs come from the
// calibration's site_cost and site_service (site boundary; stage, which serves
// issue too) and flag_round_trip (boundary_time where there is none); a folded
// site rides on barriers that the tile has anyway and costs nothing. Error if
// the service of a site is over its cost.
absl::StatusOr<LookPlan> ReadLookPlan(const pb::Calibration& calibration,
                                      const pb::CellKey& key);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_LOOK_PLAN_H_
