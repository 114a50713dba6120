// A surface as a wide table, one row a cell: the columns of docs/design.md
// section 5, defined here and nowhere else.
#ifndef TILEBOUND_DATA_SCHEMA_SURFACE_TABLE_H_
#define TILEBOUND_DATA_SCHEMA_SURFACE_TABLE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/io/table.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

// The columns of the CSV, in order.
const std::vector<std::string>& SurfaceColumns();

// The cells with exactly those columns; absent metrics are absent values.
Table SurfaceTable(const pb::Surface& surface);

// The same, followed by a column for every other metric that any cell carries
// (NAME_pNN_UNIT, NAME_max_UNIT or NAME_UNIT, by slot NAME_slotN_...), the
// arrivals and the cluster size: what --format=json prints.
Table FullSurfaceTable(const pb::Surface& surface);

// For people: the CSV's columns, and the bound and the error band of a predicted
// latency beside it. Columns that are the same in every row go into one line
// above the table, columns that are absent everywhere are left out.
std::string SurfaceText(const pb::Surface& surface);

// Dispatches on --format: table -> SurfaceText, csv -> SurfaceTable, json ->
// FullSurfaceTable.
absl::StatusOr<std::string> RenderSurface(const pb::Surface& surface,
                                          absl::string_view format);

// "OK", or the worst status among the cell's metrics with its reason. A metric
// that is NOT_MODELLED counts only when it is the cell's latency, or when every
// metric is: the empty fields of the row show the others.
std::string CellStatus(const pb::Cell& cell);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_SURFACE_TABLE_H_
