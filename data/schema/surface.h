// Checks on a Surface, and joining shards of one.
#ifndef TILEBOUND_DATA_SCHEMA_SURFACE_H_
#define TILEBOUND_DATA_SCHEMA_SURFACE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

// Errors name the cell (by index and canonical key), the field and what is
// accepted: invalid keys or metrics, the same key twice, provenance without
// kind, PUBLISHED without citation. A surface without cells is valid.
absl::Status ValidateSurface(const pb::Surface& surface);

// Joins shards of one surface: cells of a key that occurs in one shard only are
// copied; cells of the same key are merged histogram by histogram, and anything
// else that both carry must be equal. Cells come out in the order of
// CellKeyLess. Errors name the shard (from 1): nothing to merge, another
// provenance kind or condition than the first's, a cell that cannot be merged,
// a cell predicted twice from one seed (the same draws are no further events).
absl::StatusOr<pb::Surface> MergeSurfaces(
    const std::vector<pb::Surface>& shards);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_SURFACE_H_
