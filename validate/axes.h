// The axes of a cell key as columns: names in canonical order, values as text
// or number, and which of them vary among given cells.
#ifndef TILEBOUND_VALIDATE_AXES_H_
#define TILEBOUND_VALIDATE_AXES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "data/io/table.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound::validate {

struct Axis {
  std::string name;
  // uint64_t for counts, else std::string.
  TableValue (*value)(const pb::CellKey& key);
};

// "part", "kernel", "k", "blocks", ... "cluster_size".
const std::vector<Axis>& Axes();
// nullptr if there is none of that name.
const Axis* FindAxis(absl::string_view name);

// The value as it stands in flags and CSV.
std::string AxisText(const Axis& axis, const pb::CellKey& key);

// The axes on which at least two of `keys` differ.
std::vector<Axis> VaryingAxes(const std::vector<const pb::CellKey*>& keys);

// "blocks=288 period=1" over `axes`.
std::string ShortKey(const std::vector<Axis>& axes, const pb::CellKey& key);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_AXES_H_
