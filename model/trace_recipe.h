// What a calibration from traces takes as given: the values that no trace
// holds.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       pb::FitRecipe recipe,
//       TraceRecipe(catalog, "a10", kernel, /*name_or_path=*/"",
//                   /*sm_clock_mhz=*/1200));
#ifndef TILEBOUND_MODEL_TRACE_RECIPE_H_
#define TILEBOUND_MODEL_TRACE_RECIPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/catalog.h"
#include "data/schema/kernel.pb.h"

namespace tilebound::model {

// The recipe whose values stand in for those of a kernel and part that have no
// recipe of their own.
inline constexpr char kStandInRecipe[] = "a10.sgemm64";

// The declared values, clock and build for a calibration of `kernel` on `part`:
// those of the recipe `name_or_path`; if that is empty, of the catalog's recipe
// PART.KERNEL; if there is none, of kStandInRecipe, each source then saying
// that it was taken over; what holds for a tile of its depth is scaled to the
// kernel's reference_k in proportion. Observations and transfers are left out.
// `sm_clock_mhz` is the clock of the traces, 0 for the recipe's own. Errors: an
// unknown recipe; a clock that neither the caller nor a recipe of this part
// says.
absl::StatusOr<pb::FitRecipe> TraceRecipe(const Catalog& catalog,
                                          const std::string& part,
                                          const pb::Kernel& kernel,
                                          const std::string& name_or_path,
                                          double sm_clock_mhz);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_TRACE_RECIPE_H_
