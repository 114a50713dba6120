// Measures cells on this machine's GPU.
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_split.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_flags.h"
#include "gpu/sweep_run.h"

ABSL_FLAG(std::string, suite, "all",
          "calibrate, handoff, baseline, visibility, safety, reserve, oracle.");
ABSL_FLAG(std::string, code, "ptx80",
          "ptx80: compute_80 PTX; native: this GPU's own machine code.");
ABSL_FLAG(uint64_t, events, 0, "Events a cell; 0: the suite's own number.");
ABSL_FLAG(uint64_t, seed, 1, "Seed of operands and gaps.");
ABSL_FLAG(int, device, 0, "CUDA device number.");
ABSL_FLAG(std::string, shard, "", "I/N: do every N-th cell, from the I-th.");
ABSL_FLAG(std::string, out, "", "Folder for SUITE.binpb; else only shown.");
ABSL_FLAG(bool, resume, false, "Go on from what --out has.");
ABSL_FLAG(std::string, trace_out, "", "Suite oracle: trace to record.");
ABSL_FLAG(bool, list, false, "Show suites, cells and instantiations; no run.");
ABSL_FLAG(std::string, format, "table", "table, csv or json.");

namespace tilebound::gpu {
namespace {

std::vector<std::string> FlagNames() {
  std::vector<std::string> names = {"suite", "code"};
  for (const std::string& name : CellFlagNames()) names.push_back(name);
  for (const char* name : {"events", "seed", "device", "shard", "out", "resume",
                           "trace_out", "list", "format"}) {
    names.push_back(name);
  }
  return names;
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  SweepOptions options;
  options.suites = absl::StrSplit(absl::GetFlag(FLAGS_suite), ',');
  options.code = absl::GetFlag(FLAGS_code);
  TILEBOUND_ASSIGN_OR_RETURN(options.experiment, ExperimentFromFlags());
  options.events = absl::GetFlag(FLAGS_events);
  options.seed = absl::GetFlag(FLAGS_seed);
  options.device = absl::GetFlag(FLAGS_device);
  options.shard = absl::GetFlag(FLAGS_shard);
  options.out = absl::GetFlag(FLAGS_out);
  options.resume = absl::GetFlag(FLAGS_resume);
  options.trace_out = absl::GetFlag(FLAGS_trace_out);
  options.list = absl::GetFlag(FLAGS_list);
  options.format = absl::GetFlag(FLAGS_format);
  return RunSweep(options);
}

}  // namespace
}  // namespace tilebound::gpu

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "sweep",
       .summary = "Measures cells on this machine's GPU: each suite's own, or "
                  "those that the cell flags give.",
       .usage = "sweep [--suite=NAMES] [--out=FOLDER] [flags]",
       .flags = tilebound::gpu::FlagNames(),
       .examples = {"sweep --out=results",
                    "sweep --suite=handoff --kernel=sgemm64 --k=64 "
                    "--blocks=saturation --period=1,2,4,8 --out=results"}},
      argc, argv, tilebound::gpu::Run);
}
