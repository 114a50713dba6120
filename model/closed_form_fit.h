// The part of a fit that needs no simulation: a tile that has its SM to itself
// shares nothing, so its times are sums.
//
//   TILEBOUND_ASSIGN_OR_RETURN(calibration,
//                              FitTileLine(inputs, std::move(calibration)));
//   TILEBOUND_ASSIGN_OR_RETURN(calibration,
//                              FitSiteCosts(inputs, std::move(calibration)));
#ifndef TILEBOUND_MODEL_CLOSED_FORM_FIT_H_
#define TILEBOUND_MODEL_CLOSED_FORM_FIT_H_

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "model/fit_inputs.h"

namespace tilebound::model {

// service_time and memory_latency from the measured tile times of one block per
// SM at two or more depths, through which a line is drawn (least squares):
//   slope      chunk_service_share x service_time, a chunk
//   intercept  memory_latency + load + epilogue_service_share x service_time
// This holds for a tile of several pipeline stages, whose copies hide behind
// its compute. Errors: fewer than two depths, one pipeline stage, no
// memory_latency_load, an intercept that leaves no latency.
absl::StatusOr<pb::Calibration> FitTileLine(const FitInputs& inputs,
                                            pb::Calibration calibration);

// What the recipe observes of the cost of sites: overheads of cells with one
// block per SM, which hide nothing. Quantity site_cost, a cell of stage or
// issue sites: what a tile pays once, beside the site_cost that the calibration
// has for each of them; of boundary sites: what a boundary costs. Quantity
// flag_round_trip, a cell of sync_flag: what waiting for the flag adds at each
// site. Errors: an observation whose tile time or site_cost the calibration
// lacks, an overhead that is smaller than its sites.
absl::StatusOr<pb::Calibration> FitSiteCosts(const FitInputs& inputs,
                                             pb::Calibration calibration);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_CLOSED_FORM_FIT_H_
