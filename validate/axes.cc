#include "validate/axes.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"

namespace tilebound::validate {
namespace {

TableValue Number(uint32_t value) { return uint64_t{value}; }

}  // namespace

const std::vector<Axis>& Axes() {
  using Key = const pb::CellKey&;
  static const auto* axes = new std::vector<Axis>{
      {"part", [](Key k) -> TableValue { return k.part(); }},
      {"kernel", [](Key k) -> TableValue { return k.kernel(); }},
      {"k", [](Key k) { return Number(k.k()); }},
      {"blocks", [](Key k) { return Number(k.blocks()); }},
      {"site", [](Key k) -> TableValue { return SiteName(k.site()); }},
      {"period", [](Key k) { return Number(k.period()); }},
      {"variant", [](Key k) -> TableValue { return k.variant(); }},
      {"discipline",
       [](Key k) -> TableValue { return DisciplineName(k.discipline()); }},
      {"arm", [](Key k) -> TableValue { return ArmName(k.arm()); }},
      {"reserve", [](Key k) { return Number(k.reserve()); }},
      {"urgent_tiles", [](Key k) { return Number(k.urgent_tiles()); }},
      {"setter", [](Key k) -> TableValue { return SetterName(k.setter()); }},
      {"arrivals",
       [](Key k) -> TableValue { return ArrivalsText(k.arrivals()); }},
      {"cluster_size", [](Key k) { return Number(k.cluster_size()); }},
  };
  return *axes;
}

const Axis* FindAxis(absl::string_view name) {
  for (const Axis& axis : Axes()) {
    if (axis.name == name) return &axis;
  }
  return nullptr;
}

std::string AxisText(const Axis& axis, const pb::CellKey& key) {
  const TableValue value = axis.value(key);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return absl::StrCat(std::get<uint64_t>(value));
}

std::vector<Axis> VaryingAxes(const std::vector<const pb::CellKey*>& keys) {
  std::vector<Axis> varying;
  if (keys.empty()) return varying;
  for (const Axis& axis : Axes()) {
    const TableValue first = axis.value(*keys[0]);
    const bool varies = std::any_of(
        keys.begin(), keys.end(),
        [&](const pb::CellKey* key) { return axis.value(*key) != first; });
    if (varies) varying.push_back(axis);
  }
  return varying;
}

std::string ShortKey(const std::vector<Axis>& axes, const pb::CellKey& key) {
  std::string text;
  for (const Axis& axis : axes) {
    absl::StrAppend(&text, text.empty() ? "" : " ", axis.name, "=",
                    AxisText(axis, key));
  }
  return text;
}

}  // namespace tilebound::validate
