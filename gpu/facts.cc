// Describes this machine's GPU as a part file.
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"
#include "gpu/harness/device_facts.h"
#include "gpu/harness/part_from_device.h"

ABSL_FLAG(std::string, name, "this_gpu", "Catalog name to give the part.");
ABSL_FLAG(int, device, 0, "CUDA device number.");
ABSL_FLAG(std::string, out, "", "Part file to write; else stdout.");

namespace tilebound::gpu {
namespace {

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (!out.empty()) TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(out));
  const DeviceFacts facts = ReadDeviceFacts(absl::GetFlag(FLAGS_device));
  if (!facts.error.empty()) {
    return absl::UnavailableError(absl::StrCat(
        "device ", absl::GetFlag(FLAGS_device), ": ", facts.error));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Part part,
                             PartFromDevice(facts, absl::GetFlag(FLAGS_name)));
  if (out.empty()) {
    std::cout << FileToText(MakeFile(part));
  } else {
    TILEBOUND_RETURN_IF_ERROR(WriteContent(out, part));
    std::cerr << "wrote " << out << std::endl;
  }
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::gpu

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "facts",
       .summary = "Describes this machine's GPU as a part: limits as CUDA "
                  "reports them, timer tick as measured.",
       .usage = "facts [flags]",
       .flags = {"name", "device", "out"},
       .examples = {"facts --name=my_gpu --out=my_gpu.textproto"}},
      argc, argv, tilebound::gpu::Run);
}
