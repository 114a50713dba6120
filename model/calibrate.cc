// Makes a calibration from the values that a recipe allows it to read, or from
// recorded traces of a kernel.
#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "data/io/atomic_file.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/calibration.h"
#include "data/schema/catalog.h"
#include "data/schema/file.h"
#include "data/trace/reader.h"
#include "model/calibration_table.h"
#include "model/cycle/slot_times.h"
#include "model/cycle_calibration.h"
#include "model/fit.h"
#include "model/occupancy.h"
#include "model/trace_calibration.h"
#include "model/trace_recipe.h"
#include "model/trace_tiles.h"

ABSL_FLAG(std::string, recipe, "",
          "Recipe: a catalog name or a file. With --trace: what is declared.");
ABSL_FLAG(std::string, surfaces, "",
          "Folder of surfaces (.textproto); default data/published.");
ABSL_FLAG(std::string, trace, "",
          "Trace of a run of the kernel; one for each residency and k.");
ABSL_FLAG(std::string, part, "", "With --trace: part, a name or a file.");
ABSL_FLAG(std::string, kernel, "", "With --trace: kernel, a name or a file.");
ABSL_FLAG(std::string, k, "",
          "Depth of the traces: one for all or one each; default: theirs.");
ABSL_FLAG(double, sm_clock_mhz, 0, "Clock of the traces; default: recipe's.");
ABSL_FLAG(uint64_t, warmup_tiles, 10,
          "Tiles that each block ran first and that do not count.");
ABSL_FLAG(bool, partial, false,
          "Write what the traces determine though something is missing.");
ABSL_FLAG(std::string, out, "", "Calibration to write.");
ABSL_FLAG(std::string, format, "table", "table, csv or json.");

namespace tilebound::model {
namespace {

absl::Status Finish(const pb::Calibration& calibration, const Table& table) {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (!out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(WriteContent(out, calibration));
    std::cerr << "wrote " << out << std::endl;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text,
                             table.Render(absl::GetFlag(FLAGS_format)));
  std::cout << text;
  return absl::OkStatus();
}

absl::Status FromRecipe(const Catalog& catalog) {
  TILEBOUND_ASSIGN_OR_RETURN(const pb::FitRecipe recipe,
                             catalog.FindRecipe(absl::GetFlag(FLAGS_recipe)));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Part part,
                             catalog.FindPart(recipe.part()));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel kernel,
                             catalog.FindKernel(recipe.kernel()));
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::Surface> surfaces,
                             catalog.Surfaces(absl::GetFlag(FLAGS_surfaces)));
  pb::Calibration source;
  if (recipe.has_transfer()) {
    TILEBOUND_ASSIGN_OR_RETURN(
        source, catalog.FindCalibration(recipe.transfer().part(),
                                        recipe.transfer().kernel().empty()
                                            ? recipe.kernel()
                                            : recipe.transfer().kernel()));
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      const pb::Calibration calibration,
      FitCalibration(part, kernel, recipe, surfaces,
                     recipe.has_transfer() ? &source : nullptr,
                     {.cycle = {.cache_folder = DefaultCacheFolder()}}));
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<FitResidual> residuals,
      FitResiduals(part, kernel, recipe, surfaces, calibration));
  Table table = CalibrationTable(calibration);
  AddResiduals(residuals, table);
  return Finish(calibration, table);
}

// The depth of each of `count` traces as --k says; 0 where it does not.
absl::StatusOr<std::vector<uint32_t>> Depths(size_t count) {
  const std::string flag = absl::GetFlag(FLAGS_k);
  std::vector<uint32_t> depths;
  for (absl::string_view word : absl::StrSplit(flag, ',', absl::SkipEmpty())) {
    uint32_t depth = 0;
    if (!absl::SimpleAtoi(word, &depth) || depth == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--k=", flag, ": depths over 0 are accepted"));
    }
    depths.push_back(depth);
  }
  if (depths.empty()) depths.push_back(0);
  if (depths.size() == 1) depths.resize(count, depths[0]);
  if (depths.size() != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("--k=", flag, " has ", depths.size(), " depths for ",
                     count, " traces; one for all or one each is accepted"));
  }
  return depths;
}

absl::StatusOr<std::vector<CalibrationTrace>> ReadTraces() {
  const std::vector<std::string> paths =
      absl::StrSplit(absl::GetFlag(FLAGS_trace), ',');
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<uint32_t> depths,
                             Depths(paths.size()));
  std::vector<CalibrationTrace> traces;
  for (size_t i = 0; i < paths.size(); ++i) {
    TILEBOUND_ASSIGN_OR_RETURN(const TraceReader reader,
                               TraceReader::Open(paths[i]));
    TILEBOUND_ASSIGN_OR_RETURN(
        TraceTiles tiles,
        ReadTraceTiles(reader, absl::GetFlag(FLAGS_warmup_tiles)));
    const uint32_t k = depths[i] != 0 ? depths[i] : tiles.k;
    if (k == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          paths[i], ": its header does not say the k; give it with --k"));
    }
    traces.push_back({std::move(tiles), k});
  }
  return traces;
}

absl::Status FromTraces(const Catalog& catalog) {
  for (const auto& [name, value] :
       {std::pair("part", absl::GetFlag(FLAGS_part)),
        std::pair("kernel", absl::GetFlag(FLAGS_kernel))}) {
    if (value.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", name,
                       " is not given; --trace needs it, a name "
                       "of the catalog or a file"));
    }
  }
  TraceCalibrationInput input;
  TILEBOUND_ASSIGN_OR_RETURN(input.part,
                             catalog.FindPart(absl::GetFlag(FLAGS_part)));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel kernel,
                             catalog.FindKernel(absl::GetFlag(FLAGS_kernel)));
  input.kernel = kernel.name();
  TILEBOUND_ASSIGN_OR_RETURN(input.recipe,
                             TraceRecipe(catalog, input.part.name(), kernel,
                                         absl::GetFlag(FLAGS_recipe),
                                         absl::GetFlag(FLAGS_sm_clock_mhz)));
  input.partial = absl::GetFlag(FLAGS_partial);
  TILEBOUND_ASSIGN_OR_RETURN(input.traces, ReadTraces());
  TILEBOUND_ASSIGN_OR_RETURN(TraceCalibration result,
                             CalibrateFromTraces(input));
  const bool alone = std::all_of(
      input.traces.begin(), input.traces.end(),
      [](const auto& trace) { return trace.tiles.blocks_per_sm == 1; });
  const uint32_t most = ComputeOccupancy(input.part, kernel).blocks_per_sm;
  if (alone && most > 1 && !input.partial) {
    return absl::InvalidArgumentError(
        absl::StrCat("one block per SM alone does not tell ", kServiceTime,
                     " from ", kMemoryLatency, "; record a run with two to ",
                     most, " blocks per SM too, or take --partial"));
  }
  // What the server needs besides slot tile times follows from them.
  const auto server =
      ComputeServerParameters(input.part, kernel, result.calibration);
  if (server.ok()) {
    result.calibration.mutable_computed()->Add(server->begin(), server->end());
  } else if (input.partial) {
    result.missing.push_back(std::string(server.status().message()));
  } else {
    return server.status();
  }
  for (const std::string& missing : result.missing) {
    std::cerr << "calibrate: not determined: " << missing << std::endl;
  }
  for (const CalibrationTrace& trace : input.traces) {
    if (trace.tiles.end.whole) continue;
    std::cerr << "calibrate: " << trace.tiles.name
              << " is cut short or damaged, what is there was used: "
              << trace.tiles.end.why << std::endl;
  }
  Table table = CalibrationTable(result.calibration);
  AddTraceResults(result, input.traces, table);
  return Finish(result.calibration, table);
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(absl::GetFlag(FLAGS_format)));
  if (const std::string out = absl::GetFlag(FLAGS_out); !out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(out));
    std::vector<std::string> inputs =
        absl::StrSplit(absl::GetFlag(FLAGS_trace), ',', absl::SkipEmpty());
    for (const auto& input :
         {absl::GetFlag(FLAGS_recipe), absl::GetFlag(FLAGS_part),
          absl::GetFlag(FLAGS_kernel)}) {
      inputs.push_back(input);
    }
    TILEBOUND_RETURN_IF_ERROR(CheckDistinct(out, inputs));
  }
  const double clock_mhz = absl::GetFlag(FLAGS_sm_clock_mhz);
  if (!(clock_mhz == 0 || (clock_mhz >= 1 && clock_mhz <= 10'000))) {
    return absl::InvalidArgumentError(
        absl::StrCat("--sm_clock_mhz=", clock_mhz,
                     ": 1 to 10000 is accepted, or 0 for the recipe's"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const Catalog catalog, Catalog::Open());
  if (!absl::GetFlag(FLAGS_trace).empty()) {
    TILEBOUND_RETURN_IF_ERROR(FromTraces(catalog));
  } else if (!absl::GetFlag(FLAGS_recipe).empty()) {
    TILEBOUND_RETURN_IF_ERROR(FromRecipe(catalog));
  } else {
    return absl::InvalidArgumentError(
        "neither --recipe nor --trace is given; --recipe=a10.sgemm64 or a "
        "file is accepted, or --trace=RUN.tbtrace --part=... --kernel=...");
  }
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::model

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "calibrate",
       .summary =
           "Makes a calibration: from the values that a recipe lists and "
           "no others,\nor from recorded traces of a kernel.",
       .usage = "calibrate --recipe=PART.KERNEL [flags]\n       calibrate "
                "--trace=RUN.tbtrace... --part=P --kernel=K [flags]",
       .flags = {"recipe", "surfaces", "trace", "part", "kernel", "k",
                 "sm_clock_mhz", "warmup_tiles", "partial", "out", "format"},
       .repeatable = {"trace", "k"},
       .examples = {"calibrate --recipe=a10.sgemm64",
                    "calibrate --recipe=my/recipe.textproto "
                    "--surfaces=my/surfaces --out=calibration.textproto",
                    "calibrate --trace=one.tbtrace --trace=two.tbtrace "
                    "--part=a10 --kernel=my.textproto \\\n      --k=64 "
                    "--out=calibration.textproto"}},
      argc, argv, tilebound::model::Run);
}
