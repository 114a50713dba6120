// Predicts a latency surface on the CPU.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "data/io/atomic_file.h"
#include "data/io/build_info.h"
#include "data/io/command.h"
#include "data/io/progress.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/cell_flags.h"
#include "data/schema/cell_key.h"
#include "data/schema/experiment.h"
#include "data/schema/file.h"
#include "data/schema/shard.h"
#include "data/schema/surface_table.h"
#include "model/explain_cells.h"
#include "model/missing_metrics.h"
#include "model/predict_surface.h"
#include "model/recommend.h"
#include "model/recommend_keys.h"
#include "model/resources.h"
#include "model/trace_run.h"

ABSL_DECLARE_FLAG(std::string, experiment);
ABSL_FLAG(uint64_t, events, 0, "Events a cell; 0: the experiment's, or 10000.");
ABSL_FLAG(uint64_t, seed, 0, "Random seed; 0: the experiment's, or 1.");
ABSL_FLAG(uint32_t, threads, 0, "Threads; 0: all cores. Changes no result.");
ABSL_FLAG(std::string, fidelity, "sampled", "sampled or exact.");
ABSL_FLAG(std::string, sharing, "slot", "slot; fair and iid are baselines.");
ABSL_FLAG(uint64_t, background_tasks, 0,
          "Arms none and reserved: tiles of one launch of the background; 0: "
          "the calibration's.");
ABSL_FLAG(std::string, calibration, "",
          "Calibration files, comma separated, before the catalog's.");
ABSL_FLAG(std::string, shard, "", "I/N: do every N-th cell, from the I-th.");
ABSL_FLAG(std::string, name, "predicted", "Name of the surface.");
ABSL_FLAG(std::string, out, "", "Surface to write, .textproto or .binpb.");
ABSL_FLAG(std::string, trace_out, "",
          "Trace to write, .tbtrace: one cell, --fidelity=exact.");
ABSL_FLAG(bool, explain, false,
          "Print where each latency comes from and who observes last.");
ABSL_FLAG(double, slo_p99_us, 0,
          "Recommend: p99 to meet; with --urgent_tiles that of their end.");
ABSL_FLAG(std::string, max_overhead_pct, "",
          "Recommend: most overhead, against the fastest grid without sites.");
ABSL_FLAG(std::string, format, "table", "table, csv or json.");

namespace tilebound::model {
namespace {

std::vector<std::string> FlagNames() {
  std::vector<std::string> names = CellFlagNames();
  for (const char* name :
       {"events", "seed", "threads", "fidelity", "sharing", "background_tasks",
        "calibration", "shard", "name", "out", "trace_out", "explain",
        "slo_p99_us", "max_overhead_pct", "format"}) {
    names.push_back(name);
  }
  return names;
}

absl::StatusOr<PredictOptions> Options(const pb::Experiment& experiment) {
  PredictOptions options;
  const auto pick = [](uint64_t flag, uint64_t file, uint64_t fallback) {
    return flag != 0 ? flag : file != 0 ? file : fallback;
  };
  options.events =
      pick(absl::GetFlag(FLAGS_events), experiment.events(), options.events);
  options.seed =
      pick(absl::GetFlag(FLAGS_seed), experiment.seed(), options.seed);
  options.threads = absl::GetFlag(FLAGS_threads);
  constexpr uint32_t kMostThreads = 256;
  if (options.threads > kMostThreads) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--threads=", options.threads, ": accepted are 0 to ", kMostThreads));
  }
  if (options.threads == 0) {
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  }
  options.background_tasks = absl::GetFlag(FLAGS_background_tasks);
  if (options.background_tasks > kMostBackgroundTasks) {
    return absl::InvalidArgumentError(
        absl::StrCat("--background_tasks=", options.background_tasks,
                     ": accepted are 0 to ", kMostBackgroundTasks));
  }
  TILEBOUND_ASSIGN_OR_RETURN(options.fidelity,
                             ParseFidelity(absl::GetFlag(FLAGS_fidelity)));
  TILEBOUND_ASSIGN_OR_RETURN(options.sharing,
                             ParseSharing(absl::GetFlag(FLAGS_sharing)));
  return options;
}

// The goal of a recommendation; nullopt if none was asked for.
absl::StatusOr<std::optional<Goal>> GoalFromFlags(
    const pb::Experiment& experiment) {
  const double slo_us = absl::GetFlag(FLAGS_slo_p99_us);
  const std::string most = absl::GetFlag(FLAGS_max_overhead_pct);
  if (slo_us == 0 && most.empty()) return std::optional<Goal>();
  if (!(slo_us > 0) || !std::isfinite(slo_us)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--slo_p99_us=", slo_us,
                     ": a recommendation needs a p99 over 0 us to meet"));
  }
  Goal goal;
  goal.slo_p99_us = slo_us;
  goal.end_to_end = experiment.urgent_tiles_size() > 0;
  if (!most.empty()) {
    double pct = 0;
    if (!absl::SimpleAtod(most, &pct) || !(pct >= 0) || !std::isfinite(pct)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--max_overhead_pct=", most, ": a number of at least 0 is accepted"));
    }
    goal.max_overhead_pct = pct;
  }
  return std::optional<Goal>(goal);
}

// What goes to stdout: the surface, or what was asked for in its stead.
absl::StatusOr<std::string> Answer(const Resources& resources,
                                   const std::vector<pb::CellKey>& keys,
                                   const PredictOptions& options,
                                   const std::optional<Goal>& goal,
                                   const pb::Surface& surface) {
  const std::string format = absl::GetFlag(FLAGS_format);
  if (goal.has_value()) {
    const Recommendation best = Recommend(surface, *goal);
    TILEBOUND_ASSIGN_OR_RETURN(const std::string table,
                               RecommendationTable(best).Render(format));
    return format == "table" ? absl::StrCat(best.summary, "\n\n", table)
                             : table;
  }
  if (absl::GetFlag(FLAGS_explain)) {
    return ExplainCells(resources, keys, options, format);
  }
  return RenderSurface(surface, format);
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const absl::Time start = absl::Now();
  const std::string out = absl::GetFlag(FLAGS_out);
  const std::string trace_out = absl::GetFlag(FLAGS_trace_out);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(absl::GetFlag(FLAGS_format)));
  TILEBOUND_ASSIGN_OR_RETURN(const auto shard,
                             ParseShard(absl::GetFlag(FLAGS_shard)));
  if (!out.empty()) TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(out));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Experiment experiment,
                             ExperimentFromFlags());
  TILEBOUND_ASSIGN_OR_RETURN(PredictOptions options, Options(experiment));
  std::vector<std::string> inputs =
      absl::StrSplit(absl::GetFlag(FLAGS_calibration), ',', absl::SkipEmpty());
  const std::vector<std::string> calibrations = inputs;
  inputs.push_back(absl::GetFlag(FLAGS_experiment));
  inputs.insert(inputs.end(), experiment.part().begin(),
                experiment.part().end());
  inputs.insert(inputs.end(), experiment.kernel().begin(),
                experiment.kernel().end());
  for (const std::string& output : {out, trace_out}) {
    TILEBOUND_RETURN_IF_ERROR(CheckDistinct(output, inputs));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const Catalog catalog, Catalog::Open());
  ResourceLoader loader(catalog);
  TILEBOUND_ASSIGN_OR_RETURN(const std::optional<Goal> goal,
                             GoalFromFlags(experiment));
  std::vector<pb::CellKey> all;
  if (goal.has_value()) {
    options.keep_going = true;
    TILEBOUND_ASSIGN_OR_RETURN(
        all, RecommendKeys(experiment, catalog, loader.Resolvers(),
                           goal->end_to_end));
  } else {
    TILEBOUND_ASSIGN_OR_RETURN(
        all, ExpandExperiment(experiment, loader.Resolvers()));
  }
  const std::vector<pb::CellKey> keys = ShardOf(all, shard);
  TILEBOUND_ASSIGN_OR_RETURN(const Resources resources,
                             loader.Load(keys, calibrations));
  if (!trace_out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(CheckTraceRun(trace_out, keys, options));
  }

  absl::StatusOr<pb::Surface> surface;
  {
    Progress progress("cells", keys.size());
    options.on_cell = [&progress] { progress.Add(1); };
    surface = PredictSurface(resources, keys, options);
  }
  TILEBOUND_RETURN_IF_ERROR(surface.status());
  surface->set_name(absl::GetFlag(FLAGS_name));
  pb::Provenance* provenance = surface->mutable_provenance();
  provenance->set_tool(absl::StrCat("//model:predict ", ToolVersion()));
  provenance->set_commit(Commit());
  provenance->set_command(CommandLine());
  provenance->set_shard(absl::GetFlag(FLAGS_shard));
  provenance->set_started_utc(absl::FormatTime(start, absl::UTCTimeZone()));
  provenance->set_finished_utc(
      absl::FormatTime(absl::Now(), absl::UTCTimeZone()));
  if (!trace_out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(
        WriteTraceOf(resources, keys[0], options, trace_out, CommandLine()));
    std::cerr << "wrote " << trace_out << std::endl;
  }
  if (!out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(WriteContent(out, *surface));
    std::cerr << "wrote " << out << ": " << keys.size() << " cells, "
              << options.events << " events each, "
              << absl::ToDoubleSeconds(absl::Now() - start) << " s, sha256 "
              << ContentSha256(MakeFile(*surface)) << std::endl;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text,
                             Answer(resources, keys, options, goal, *surface));
  std::cout << text << std::flush;
  for (const auto& [key, calibration] : resources.calibrations) {
    if (absl::StartsWith(calibration.note(), "UNCALIBRATED")) {
      std::cerr << "predict: " << calibration.note() << std::endl;
    }
  }
  // A recommendation says itself why what it lists loses.
  for (const std::string& line :
       goal ? std::vector<std::string>() : MissingMetrics(*surface)) {
    std::cerr << "predict: not modelled: " << line << std::endl;
  }
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::model

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "predict",
       .summary = "Predicts how long urgent work waits for every resident "
                  "block to let go.",
       .usage = "predict --part=P --kernel=K --k=N --blocks=N [flags]",
       .flags = tilebound::model::FlagNames(),
       .examples =
           {"predict --part=a10 --kernel=sgemm64 --k=64 --blocks=saturation "
            "--period=1,2,4,8",
            "predict --part=a10 --kernel=sgemm64 --k=64 --blocks=72:288:72 "
            "--out=surface.textproto",
            "predict --part=a10 --kernel=sgemm64 --k=64 --slo_p99_us=50"}},
      argc, argv, tilebound::model::Run);
}
