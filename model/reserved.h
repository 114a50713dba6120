// The arm reserved: R slots are held free for urgent work, which the host
// launches as a kernel of its own. Nobody lets go; the price is the background
// rate that the held slots would have had.
//
// One event: launch, then each urgent block takes a free slot as soon as there
// is one (so ceil(U / R) waves), begins newcomer_delay later, runs one tile as
// the youngest block of its SM, and leaves; then the host learns of the end.
#ifndef TILEBOUND_MODEL_RESERVED_H_
#define TILEBOUND_MODEL_RESERVED_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"
#include "model/predict_options.h"

namespace tilebound::model {

// Metrics e2e (host time), rate_loss, tile_time_mean. The same for any
// `threads`. Errors: as MakeBackground, or more slots reserved than are free.
absl::StatusOr<pb::Cell> PredictReserved(const CellInputs& inputs,
                                         const pb::CellKey& key,
                                         const PredictOptions& options,
                                         uint32_t threads);

// e2e alone, with a newcomer's delay given: what a fit of that delay looks at.
absl::StatusOr<Histogram> ReservedE2e(const CellInputs& inputs,
                                      const pb::CellKey& key,
                                      double newcomer_us,
                                      const PredictOptions& options,
                                      uint32_t threads);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RESERVED_H_
