// Joins the files of a sharded sweep into one surface: what //data:merge does.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       pb::Surface whole, MergeSurfaceFiles({"1.binpb", "2.binpb"}));
#ifndef TILEBOUND_DATA_SCHEMA_MERGE_FILES_H_
#define TILEBOUND_DATA_SCHEMA_MERGE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

// MergeSurfaces of the files' surfaces. The first file's name, conditions and
// provenance stay, with these changes: started_utc and finished_utc span all
// shards, and `inputs` holds each input of any shard once, then every shard by
// file name (without folder) and content hash.
// Errors name the file: no file at all, one that is no surface, two with the
// same content, shards that do not fit together.
absl::StatusOr<pb::Surface> MergeSurfaceFiles(
    const std::vector<std::string>& paths);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_MERGE_FILES_H_
