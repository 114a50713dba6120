// The cells that a recommendation chooses among.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       std::vector<pb::CellKey> keys,
//       RecommendKeys(experiment, catalog, resolvers, /*end_to_end=*/true));
#ifndef TILEBOUND_MODEL_RECOMMEND_KEYS_H_
#define TILEBOUND_MODEL_RECOMMEND_KEYS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/experiment.h"

namespace tilebound::model {

// The product of the axes that `experiment` gives; those that it does not:
//   blocks   as many on every SM, one to as many as are resident
//   site     those that every tile program of the kernel has
//   period   1, 2, 4, 8
//   arm      cooperative, and for `end_to_end` reserved and none
//   reserve  1, 4, 8, 16, in a grid that leaves just so many slots free
// Arms reserved and none look at no flag, so they get one site and period. One
// part, one kernel and one k are needed.
absl::StatusOr<std::vector<pb::CellKey>> RecommendKeys(
    const pb::Experiment& experiment, const Catalog& catalog,
    const NameResolvers& resolvers, bool end_to_end);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RECOMMEND_KEYS_H_
