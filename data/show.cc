// Prints any file of Tilebound.
#include <iostream>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/schema/describe.h"
#include "data/schema/file.h"
#include "data/trace/reader.h"

ABSL_FLAG(std::string, format, "table", "table, csv (one file) or json.");

namespace tilebound {
namespace {

// A trace is shown by its header: its records are for //oracle:check.
absl::StatusOr<Description> Describe(const std::string& path) {
  if (absl::EndsWith(path, ".tbtrace")) {
    TILEBOUND_ASSIGN_OR_RETURN(const TraceReader trace,
                               TraceReader::Open(path));
    return DescribeMessage("trace header", trace.header());
  }
  TILEBOUND_ASSIGN_OR_RETURN(const pb::File file, ReadFile(path));
  return DescribeFile(file);
}

absl::StatusOr<ExitCode> Show(const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return absl::InvalidArgumentError(
        "no file is given; one or more .textproto, .binpb or .tbtrace files "
        "are needed");
  }
  const std::string format = absl::GetFlag(FLAGS_format);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(format));
  std::vector<std::pair<std::string, Description>> files;
  for (const std::string& path : paths) {
    TILEBOUND_ASSIGN_OR_RETURN(Description file, Describe(path));
    files.emplace_back(path, std::move(file));
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
       .summary = "Prints a part, kernel, calibration, recipe, surface, "
                  "experiment, tolerances, or a trace's header.",
       .usage = "show [flags] FILE...",
       .flags = {"format"},
       .takes_files = true,
       .examples = {"show data/gpus/a10.textproto",
                    "show --format=csv surface.binpb",
                    "show --format=json a.binpb b.binpb"}},
      argc, argv, tilebound::Show);
}
