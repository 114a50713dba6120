#include "validate/comparison.h"

#include "absl/strings/str_cat.h"

namespace tilebound::validate {

std::optional<double> Comparison::RelativeError() const {
  if (!predicted || !measured || *measured == 0) return std::nullopt;
  if (metric->unit == "percent") return std::nullopt;
  return (*predicted - *measured) / *measured;
}

std::string Comparison::Name() const {
  std::string name = metric->name;
  if (metric->name == kTileTime) absl::StrAppend(&name, " slot ", slot);
  if (q > 0) absl::StrAppend(&name, " ", QuantileName(q));
  return name;
}

bool IsBaseline(const pb::Surface& surface) {
  const std::string& sharing = surface.conditions().sharing();
  return surface.provenance().kind() == pb::Provenance::PREDICTED &&
         (sharing == "fair" || sharing == "iid");
}

std::string QuantileName(double q) {
  if (q <= 0) return "";
  if (q >= 1) return "max";
  return absl::StrCat("p", 100 * q);
}

}  // namespace tilebound::validate
