// Turns saved recordings into traces.
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/trace/jsonl_header.h"
#include "gpu/recorder/collector.h"
#include "gpu/recorder/ring_file.h"

ABSL_FLAG(std::string, out, "", "Trace to write.");
ABSL_FLAG(std::string, header, "",
          "What the kernel promised, in JSON as in docs/trace-format.md; "
          "instead of what was saved with the recording.");

namespace tilebound::gpu {
namespace {

absl::StatusOr<pb::TraceHeader> HeaderOf(const RingFile& file) {
  std::string text = absl::GetFlag(FLAGS_header);
  if (text.empty()) text = file.header_json();
  // In the JSON form the number of blocks is required; here the rings have it.
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("trace header '", text,
                     "': accepted: an object as in docs/trace-format.md"));
  }
  if (!json.contains("blocks")) json["blocks"] = file.blocks().size();
  return HeaderFromJson(json);
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>& files) {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (files.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(files.size(), " recordings given; accepted: one"));
  }
  if (out.empty()) {
    return absl::InvalidArgumentError("--out is missing: the trace to write");
  }
  TILEBOUND_RETURN_IF_ERROR(CheckDistinct(out, files));
  TILEBOUND_ASSIGN_OR_RETURN(RingFile file, RingFile::Open(files[0]));
  TILEBOUND_ASSIGN_OR_RETURN(pb::TraceHeader header, HeaderOf(file));
  TILEBOUND_ASSIGN_OR_RETURN(const CollectSummary summary,
                             CollectTrace(file, header, {}, out));
  std::cerr << "wrote " << out << ": " << summary.records << " records of "
            << file.blocks().size() << " blocks, " << summary.dropped
            << " dropped in " << summary.blocks_that_dropped << " blocks, "
            << summary.unfinished_blocks << " blocks without an exit"
            << std::endl;
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::gpu

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "collect",
       .summary = "Turns a recording (gpu/protocol/recorder.cuh) into a trace "
                  "that check reads.",
       .usage = "collect [flags] RECORDING",
       .flags = {"out", "header"},
       .takes_files = true,
       .examples = {"collect run.tbrings --out=run.tbtrace"}},
      argc, argv, tilebound::gpu::Run);
}
