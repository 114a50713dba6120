#include "gpu/sweep_run.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "data/io/build_info.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/cell_key.h"
#include "data/schema/experiment.h"
#include "data/schema/file.h"
#include "data/schema/shard.h"
#include "data/schema/surface_table.h"
#include "gpu/harness/interrupt.h"
#include "gpu/harness/nvml.h"
#include "gpu/harness/plan.h"
#include "gpu/suites/first_gates.h"
#include "gpu/suites/suite.h"

namespace tilebound::gpu {
namespace {

absl::StatusOr<std::vector<const Suite*>> ChosenSuites(
    const std::vector<std::string>& names) {
  std::vector<const Suite*> chosen;
  std::vector<std::string> known = {"all"};
  for (const Suite& suite : AllSuites()) known.push_back(suite.name);
  for (const std::string& name : names) {
    bool found = false;
    for (const Suite& suite : AllSuites()) {
      if (name != "all" && name != suite.name) continue;
      chosen.push_back(&suite);
      found = true;
    }
    if (!found) {
      return absl::InvalidArgumentError(
          absl::StrCat("--suite: \"", name, "\" is not known; accepted are ",
                       absl::StrJoin(known, ", ")));
    }
  }
  return chosen;
}

class Sweep {
 public:
  Sweep(const SweepOptions& options, Catalog catalog)
      : options_(options), catalog_(std::move(catalog)) {}

  absl::Status Prepare() {
    TILEBOUND_ASSIGN_OR_RETURN(suites_, ChosenSuites(options_.suites));
    TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(options_.format));
    for (const Suite* suite : suites_) {
      if (!options_.out.empty()) {
        TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(PathOf(*suite)));
      }
    }
    TILEBOUND_ASSIGN_OR_RETURN(const Code code, ParseCode(options_.code));
    UseCode(code);
    const pb::Experiment& asked = options_.experiment;
    if (asked.part_size() > 1) {
      return absl::InvalidArgumentError(
          "--part: a sweep runs on one GPU, so one name at most");
    }
    TILEBOUND_RETURN_IF_ERROR(ChooseKernels());
    TILEBOUND_RETURN_IF_ERROR(CheckAsked());
    TILEBOUND_ASSIGN_OR_RETURN(
        device_,
        Device::Open(options_.device,
                     asked.part_size() == 1 ? asked.part(0) : "", catalog_));
    return absl::OkStatus();
  }

  absl::StatusOr<ExitCode> List() {
    for (const Suite* suite : suites_) {
      SuiteContext context = MakeContext();
      TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::CellKey> cells,
                                 CellsOf(*suite, context));
      std::cout << suite->name << ": " << suite->summary << "; " << cells.size()
                << " cells\n";
      for (const pb::CellKey& key : cells) {
        std::cout << "  " << CanonicalText(key) << "\n";
      }
    }
    std::cout << "instantiations:\n";
    for (const KernelEntry& entry : AllKernels()) {
      TILEBOUND_ASSIGN_OR_RETURN(const KernelFacts facts, device_.Facts(entry));
      std::cout << "  " << Describe(entry.variant) << ": " << facts.registers
                << " registers, " << facts.local_bytes << " B local, "
                << facts.blocks_per_sm << " blocks an SM, ptx "
                << facts.ptx_version << ", binary " << facts.binary_version
                << "\n";
    }
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> Run() {
    InterruptGuard guard;
    {
      SuiteContext context = MakeContext();
      TILEBOUND_ASSIGN_OR_RETURN(gates_, PassFirstGates(context));
      std::cerr << "gates passed: " << gates_ << std::endl;
    }
    for (const Suite* suite : suites_) {
      TILEBOUND_RETURN_IF_ERROR(RunSuite(*suite));
    }
    return anything_failed_ ? ExitCode::kWrong : ExitCode::kOk;
  }

 private:
  absl::Status ChooseKernels() {
    std::vector<std::string> names(options_.experiment.kernel().begin(),
                                   options_.experiment.kernel().end());
    if (names.empty()) names = {"sgemm64", "sgemm64_cpasync", "tensor128"};
    for (const std::string& name : names) {
      TILEBOUND_ASSIGN_OR_RETURN(pb::Kernel kernel, catalog_.FindKernel(name));
      TILEBOUND_RETURN_IF_ERROR(TileOfKernel(kernel.name()).status());
      kernels_.push_back(std::move(kernel));
    }
    return absl::OkStatus();
  }

  SuiteContext MakeContext() {
    SuiteContext context;
    context.device = &device_;
    context.kernels = kernels_;
    context.events = options_.events;
    // A tenth, where few events are asked for.
    if (options_.events != 0) {
      context.warmup_events =
          std::min(context.warmup_events, options_.events / 10);
    }
    context.seed = options_.seed;
    context.out_dir = options_.out;
    context.trace_out = options_.trace_out;
    return context;
  }

  // The cells that were asked for, where blocks say so; else the suite's own.
  absl::StatusOr<std::vector<pb::CellKey>> CellsOf(
      const Suite& suite, const SuiteContext& context) {
    std::vector<pb::CellKey> cells;
    const pb::Experiment& asked = options_.experiment;
    if (asked.blocks_size() == 0) {
      if (asked.k_size() + asked.site_size() + asked.period_size() +
              asked.variant_size() + asked.arm_size() + asked.reserve_size() +
              asked.urgent_tiles_size() + asked.discipline_size() +
              asked.setter_size() + asked.arrivals_size() !=
          0) {
        return absl::InvalidArgumentError(
            "--blocks is missing: with other cell flags than --part and "
            "--kernel, say which grid (numbers, saturation, 1persm)");
      }
      TILEBOUND_ASSIGN_OR_RETURN(cells, suite.cells(context));
    } else {
      TILEBOUND_ASSIGN_OR_RETURN(cells, AskedCells());
    }
    TILEBOUND_ASSIGN_OR_RETURN(const auto shard, ParseShard(options_.shard));
    return ShardOf(cells, shard);
  }

  // Cell flags that are off are told without a GPU too.
  absl::Status CheckAsked() const {
    TILEBOUND_RETURN_IF_ERROR(ParseShard(options_.shard).status());
    if (options_.experiment.blocks_size() == 0) return absl::OkStatus();
    return Expand("any part",
                  [](const std::string&, absl::string_view) { return 1u; })
        .status();
  }

  absl::StatusOr<std::vector<pb::CellKey>> AskedCells() const {
    return Expand(device_.part().name(),
                  [this](const std::string& kernel, absl::string_view word) {
                    return BlocksOf(kernel, word);
                  });
  }

  absl::StatusOr<std::vector<pb::CellKey>> Expand(
      const std::string& part,
      const std::function<absl::StatusOr<uint32_t>(
          const std::string&, absl::string_view)>& blocks) const {
    pb::Experiment experiment = options_.experiment;
    experiment.clear_part();
    experiment.add_part(part);
    experiment.clear_kernel();
    for (const pb::Kernel& kernel : kernels_) {
      experiment.add_kernel(kernel.name());
    }
    const auto same = [](const std::string& name) {
      return absl::StatusOr<std::string>(name);
    };
    return ExpandExperiment(
        experiment,
        {.part = same,
         .kernel = same,
         .blocks = [&](const std::string&, const std::string& name,
                       absl::string_view word) { return blocks(name, word); }});
  }

  absl::StatusOr<uint32_t> BlocksOf(const std::string& name,
                                    absl::string_view word) const {
    for (const pb::Kernel& kernel : kernels_) {
      if (kernel.name() != name) continue;
      return device_.sm_count() *
             (word == "saturation" ? kernel.min_blocks_per_sm() : 1);
    }
    return absl::InternalError("a kernel that was not chosen");
  }

  pb::Surface EmptySurface(const Suite& suite, const SuiteContext& context) {
    pb::Surface surface;
    surface.set_name(absl::StrCat(device_.part().name(), "_", suite.name));
    pb::Provenance& provenance = *surface.mutable_provenance();
    provenance.set_kind(pb::Provenance::MEASURED);
    provenance.set_tool(absl::StrCat("//gpu:sweep ", ToolVersion()));
    provenance.set_commit(Commit());
    provenance.set_command(CommandLine());
    provenance.set_seed(options_.seed);
    provenance.set_shard(options_.shard);
    provenance.set_started_utc(
        absl::FormatTime(absl::Now(), absl::UTCTimeZone()));
    pb::Conditions& conditions = *surface.mutable_conditions();
    conditions.set_events(context.events);
    conditions.set_warmup_events(context.warmup_events);
    conditions.set_timer_quantum_ps(device_.quantum_ps());
    conditions.set_driver(
        absl::StrCat("CUDA ", device_.facts().driver_version / 1000, ".",
                     device_.facts().driver_version % 1000 / 10));
    conditions.set_card(device_.facts().product);
    const auto code = device_.MachineCode(AllKernels()[0]);
    conditions.set_machine_code(code.ok() ? *code : "unknown");
    return surface;
  }

  // What holds the clock, by the management library.
  ClockReport ReadClocks() const {
    char bus_id[64] = {};
    const cudaError_t error =
        cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), options_.device);
    if (error != cudaSuccess) return {.error = cudaGetErrorString(error)};
    return ReadClockReport(bus_id);
  }

  std::string PathOf(const Suite& suite) const {
    if (options_.out.empty()) return "";
    return absl::StrCat(options_.out, "/", suite.name, ".binpb");
  }

  absl::Status RunSuite(const Suite& suite) {
    SuiteContext context = MakeContext();
    const ClockReport before = ReadClocks();
    TILEBOUND_ASSIGN_OR_RETURN(context.cells, CellsOf(suite, context));
    const std::string path = PathOf(suite);
    TILEBOUND_ASSIGN_OR_RETURN(
        Results results,
        Results::Open(path, EmptySurface(suite, context), options_.resume));
    context.results = &results;
    results.AddNote(absl::StrCat("Gates passed: ", gates_, "."));
    {
      Progress progress(absl::StrCat(suite.name, " cells"),
                        context.cells.size());
      context.progress = &progress;
      TILEBOUND_RETURN_IF_ERROR(suite.run(context));
    }
    FillClock(context, before, results.conditions());
    TILEBOUND_RETURN_IF_ERROR(results.Finish());
    if (!path.empty()) std::cerr << "wrote " << path << std::endl;
    return Show(results.surface());
  }

  void FillClock(SuiteContext& context, const ClockReport& before,
                 pb::Conditions& conditions) {
    std::vector<double>& clocks = context.clocks_mhz;
    if (clocks.empty()) return;
    std::sort(clocks.begin(), clocks.end());
    const double median = clocks[clocks.size() / 2];
    conditions.set_sm_clock_mhz(median);
    conditions.set_clock_hold(
        absl::StrCat(DescribeClockHold(before, ReadClocks(), median), "; ",
                     clocks.front(), " to ", clocks.back(), " MHz by cell"));
  }

  absl::Status Show(const pb::Surface& surface) {
    for (const pb::Cell& cell : surface.cells()) {
      for (const pb::Metric& metric : cell.metrics()) {
        if (metric.status() == pb::Metric::FAILED) anything_failed_ = true;
      }
    }
    TILEBOUND_ASSIGN_OR_RETURN(const std::string text,
                               RenderSurface(surface, options_.format));
    std::cout << text << std::flush;
    return absl::OkStatus();
  }

  const SweepOptions& options_;
  Catalog catalog_;
  Device device_;
  std::vector<const Suite*> suites_;
  std::vector<pb::Kernel> kernels_;
  // What was checked before the first suite.
  std::string gates_;
  bool anything_failed_ = false;
};

}  // namespace

absl::StatusOr<ExitCode> RunSweep(const SweepOptions& options) {
  TILEBOUND_ASSIGN_OR_RETURN(Catalog catalog, Catalog::Open());
  Sweep sweep(options, std::move(catalog));
  TILEBOUND_RETURN_IF_ERROR(sweep.Prepare());
  return options.list ? sweep.List() : sweep.Run();
}

}  // namespace tilebound::gpu
