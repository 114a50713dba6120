// Prints any file of Tilebound.
#include <iostream>

#include "absl/flags/flag.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/schema/describe.h"
#include "data/schema/file.h"

ABSL_FLAG(std::string, format, "table", "table, csv (one file) or json.");

namespace tilebound {
namespace {

absl::StatusOr<ExitCode> Show(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return absl::InvalidArgumentError(
        "no file is given; one or more .textproto or .binpb files are needed");
  }
  const std::string format = absl::GetFlag(FLAGS_format);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(format));
  std::vector<std::pair<std::string, Description>> files;
  for (const std::string& path : paths) {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::File file, ReadFile(path));
    files.emplace_back(path, DescribeFile(file));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text,
                             RenderDescriptions(files, format));
  std::cout << text;
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "show",
       .summary = "Prints a part, kernel, calibration, surface or experiment.",
       .usage = "show [flags] FILE...",
       .flags = {"format"},
       .takes_files = true,
       .examples = {"show data/gpus/a10.textproto",
                    "show --format=csv surface.binpb",
                    "show --format=json a.binpb b.binpb"}},
      argc, argv, tilebound::Show);
}
