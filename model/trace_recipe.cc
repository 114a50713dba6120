#include "model/trace_recipe.h"

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::model {
namespace {

absl::StatusOr<pb::FitRecipe> Find(const Catalog& catalog,
                                   const std::string& own,
                                   const std::string& name_or_path) {
  if (!name_or_path.empty()) return catalog.FindRecipe(name_or_path);
  absl::StatusOr<pb::FitRecipe> recipe = catalog.FindRecipe(own);
  return recipe.ok() ? recipe : catalog.FindRecipe(kStandInRecipe);
}

}  // namespace

absl::StatusOr<pb::FitRecipe> TraceRecipe(const Catalog& catalog,
                                          const std::string& part,
                                          const pb::Kernel& kernel,
                                          const std::string& name_or_path,
                                          double sm_clock_mhz) {
  TILEBOUND_ASSIGN_OR_RETURN(
      const pb::FitRecipe from,
      Find(catalog, absl::StrCat(part, ".", kernel.name()), name_or_path));
  const bool own = from.part() == part && from.kernel() == kernel.name();
  pb::FitRecipe recipe;
  recipe.set_part(part);
  recipe.set_kernel(kernel.name());
  recipe.set_build("recorded in traces");
  if (sm_clock_mhz > 0) {
    recipe.set_sm_clock_mhz(sm_clock_mhz);
  } else if (from.part() == part) {
    recipe.set_sm_clock_mhz(from.sm_clock_mhz());
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "--sm_clock_mhz is ", sm_clock_mhz, " and no recipe of part ", part,
        " was found; the clock that the traces were recorded at is needed"));
  }
  *recipe.mutable_declared() = from.declared();
  if (own) return recipe;
  const uint32_t k = kernel.programs(0).reference_k();
  for (pb::CalibrationValue& value : *recipe.mutable_declared()) {
    std::string how = "unchanged";
    // What holds for a tile of one depth grows with the chunks of another.
    if (value.k() != 0 && value.k() != k) {
      value.set_value(value.value() * k / value.k());
      value.set_k(k);
      how = "in proportion to k";
    }
    value.set_source(absl::StrCat("recipe of ", from.kernel(), " on ",
                                  from.part(), ", taken over ", how, ": ",
                                  value.source()));
  }
  return recipe;
}

}  // namespace tilebound::model
