// Joins the shards of a sweep into one surface.
#include <iostream>

#include "absl/flags/flag.h"
#include "data/io/atomic_file.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"
#include "data/schema/merge_files.h"

ABSL_FLAG(std::string, out, "", "Surface to write, .textproto or .binpb.");

namespace tilebound {
namespace {

absl::StatusOr<ExitCode> Merge(const std::vector<std::string>& paths) {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (out.empty()) {
    return absl::InvalidArgumentError(
        "--out is not given; --out=FILE.textproto or --out=FILE.binpb is "
        "needed");
  }
  TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(out));
  TILEBOUND_RETURN_IF_ERROR(CheckDistinct(out, paths));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Surface merged,
                             MergeSurfaceFiles(paths));
  TILEBOUND_RETURN_IF_ERROR(WriteContent(out, merged));
  std::cout << out << ": " << merged.cells_size() << " cells from "
            << paths.size() << " shards, sha256 "
            << ContentSha256(MakeFile(merged)) << "\n";
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "merge",
       .summary = "Joins the shards of a predicted or measured surface.",
       .usage = "merge --out=FILE SHARD...",
       .flags = {"out"},
       .takes_files = true,
       .examples = {"merge --out=surface.binpb shard1.binpb shard2.binpb"}},
      argc, argv, tilebound::Merge);
}
