// Runs the persistent softmax, checks every row, and writes its trace.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/build_info.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "gpu/examples/softmax.h"
#include "gpu/harness/device_facts.h"
#include "gpu/recorder/collector.h"
#include "gpu/recorder/device_rings.h"

ABSL_FLAG(uint64_t, tasks, 20000, "Tiles of 16 rows to compute.");
ABSL_FLAG(uint32_t, columns, 512, "Columns of a row.");
ABSL_FLAG(uint32_t, period, 1, "A block looks at every so many boundaries.");
ABSL_FLAG(uint32_t, events, 20, "Times that urgent work arrives.");
ABSL_FLAG(uint32_t, urgent_tiles, 16, "Tiles of each event.");
ABSL_FLAG(uint64_t, gap_ns, 20000, "From one event's end to the next one.");
ABSL_FLAG(uint32_t, blocks_per_sm, 0, "Resident blocks; 0 for what fits.");
ABSL_FLAG(uint64_t, seed, 1, "Of the input.");
ABSL_FLAG(uint64_t, visibility_allowance_ns, 5000,
          "How much later than its set a look may still miss an event.");
ABSL_FLAG(uint32_t, capacity, 0,
          "Records that the ring of a block holds; 0 for what the work needs.");
ABSL_FLAG(uint32_t, cost_repetitions, 0,
          "Instead: time so many runs with the recorder and without, without "
          "events.");
ABSL_FLAG(std::string, trace_out, "", "Trace to write.");

namespace tilebound::gpu {
namespace {

// A hash of the place, as a value in [-4, 4).
float InputAt(uint64_t seed, uint64_t place) {
  uint64_t x = seed * 0x9E3779B97F4A7C15u + place;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<float>(static_cast<int64_t>(x >> 44) - (1 << 19)) /
         (1 << 17);
}

std::vector<float> MakeInput(const SoftmaxConfig& config, uint64_t seed) {
  std::vector<float> input(config.rows() * config.columns);
  for (size_t i = 0; i < input.size(); ++i) input[i] = InputAt(seed, i);
  return input;
}

// Values further from their float64 counterparts than rounding explains: a sum
// of columns / 32 terms a lane and five more steps, two exponentials and four
// operations, each good to 2 ulp.
uint64_t CountWrong(const SoftmaxConfig& config,
                    const std::vector<float>& input,
                    const std::vector<float>& output) {
  const uint32_t columns = config.columns;
  const double tolerance = (columns / 32 + 16) * std::ldexp(1.0, -22);
  uint64_t wrong = 0;
  std::vector<double> row(columns);
  for (uint64_t r = 0; r < config.rows(); ++r) {
    const float* const in = input.data() + r * columns;
    const float* const out = output.data() + r * columns;
    const double most = *std::max_element(in, in + columns);
    double sum = 0;
    for (uint32_t c = 0; c < columns; ++c) {
      row[c] = std::exp(in[c] - most);
      sum += row[c];
    }
    for (uint32_t c = 0; c < columns; ++c) {
      const double expected = row[c] / sum;
      // A NaN is wrong too.
      wrong += !(std::abs(out[c] - expected) <= tolerance * expected);
    }
  }
  return wrong;
}

pb::TraceHeader HeaderFor(const SoftmaxConfig& config, const SoftmaxGrid& grid,
                          const DeviceFacts& facts) {
  pb::TraceHeader header;
  pb::CellKey& cell = *header.mutable_cell();
  cell.set_kernel("softmax");
  cell.set_blocks(grid.blocks);
  cell.set_arm(pb::COOPERATIVE);
  cell.set_site(pb::BOUNDARY);
  cell.set_period(config.period);
  cell.set_urgent_tiles(config.urgent_tiles);
  cell.set_setter(pb::DEVICE);
  cell.set_cluster_size(1);
  header.set_blocks(grid.blocks);
  header.set_tasks(config.tasks);
  header.set_events(config.events);
  header.set_blocks_per_sm(grid.blocks_per_sm);
  // SM ids may have holes, so their number promises nothing.
  header.set_quantum_ps(facts.timer_tick_ns * 1000);
  header.set_visibility_allowance_ps(
      absl::GetFlag(FLAGS_visibility_allowance_ns) * 1000);
  header.set_seed(absl::GetFlag(FLAGS_seed));
  header.set_provenance(
      absl::StrCat("softmax ", ToolVersion(), " on ", facts.product));
  return header;
}

absl::Status Failed(const std::string& what) {
  return absl::UnavailableError(absl::StrCat("softmax kernel: ", what));
}

absl::StatusOr<std::unique_ptr<RecorderMemory>> MakeRings(
    const SoftmaxConfig& config, uint32_t blocks) {
  uint64_t capacity = absl::GetFlag(FLAGS_capacity);
  if (capacity == 0) {
    capacity = RecordsPerBlock(config.tasks, blocks, config.events,
                               config.urgent_tiles);
  }
  capacity =
      std::min<uint64_t>(capacity, RecorderMemory::MostRecordsPerBlock(blocks));
  auto memory = std::make_unique<RecorderMemory>(
      blocks, static_cast<uint32_t>(std::max<uint64_t>(capacity, 1)));
  if (memory->error() != cudaSuccess) {
    return Failed(cudaGetErrorString(memory->error()));
  }
  return memory;
}

absl::StatusOr<SoftmaxResult> RunOnce(const SoftmaxConfig& config,
                                      uint32_t blocks,
                                      const std::vector<float>& input,
                                      const RecorderView* view) {
  SoftmaxResult result = RunSoftmax(config, blocks, input, view);
  if (!result.error.empty()) return Failed(result.error);
  return result;
}

absl::StatusOr<ExitCode> MeasureCost(SoftmaxConfig config,
                                     const SoftmaxGrid& grid) {
  config.events = 0;
  const std::vector<float> input = MakeInput(config, 1);
  TILEBOUND_ASSIGN_OR_RETURN(const auto memory, MakeRings(config, grid.blocks));
  std::vector<double> times[2];
  // The first round warms up; on and off take turns at going first.
  const int rounds = absl::GetFlag(FLAGS_cost_repetitions) + 1;
  for (int round = 0; round < rounds; ++round) {
    for (const int turn : {0, 1}) {
      const bool record = (round + turn) % 2 == 0;
      memory->Clear();
      TILEBOUND_ASSIGN_OR_RETURN(const SoftmaxResult result,
                                 RunOnce(config, grid.blocks, input,
                                         record ? &memory->view() : nullptr));
      if (round > 0) times[record].push_back(result.milliseconds);
    }
  }
  for (auto& list : times) std::sort(list.begin(), list.end());
  const size_t middle = times[0].size() / 2;
  std::cout << "recorder off: median " << times[0][middle] << " ms, least "
            << times[0][0] << "\nrecorder on: median " << times[1][middle]
            << " ms, least " << times[1][0] << "\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  SoftmaxConfig config;
  config.columns = std::max(absl::GetFlag(FLAGS_columns), 1u);
  config.tasks = absl::GetFlag(FLAGS_tasks);
  config.period = std::max(absl::GetFlag(FLAGS_period), 1u);
  config.events = absl::GetFlag(FLAGS_events);
  config.urgent_tiles = std::max(absl::GetFlag(FLAGS_urgent_tiles), 1u);
  config.gap_ns = absl::GetFlag(FLAGS_gap_ns);
  config.blocks_per_sm = absl::GetFlag(FLAGS_blocks_per_sm);
  const DeviceFacts facts = ReadDeviceFacts(0);
  if (!facts.error.empty()) return absl::UnavailableError(facts.error);
  const SoftmaxGrid grid = PlanSoftmax(config, /*record=*/true);
  if (!grid.error.empty()) return Failed(grid.error);
  if (absl::GetFlag(FLAGS_cost_repetitions) > 0) {
    return MeasureCost(config, grid);
  }
  const std::vector<float> input = MakeInput(config, absl::GetFlag(FLAGS_seed));
  TILEBOUND_ASSIGN_OR_RETURN(const auto memory, MakeRings(config, grid.blocks));
  TILEBOUND_ASSIGN_OR_RETURN(
      const SoftmaxResult result,
      RunOnce(config, grid.blocks, input, &memory->view()));
  const uint64_t wrong = CountWrong(config, input, result.output);
  std::cout << config.tasks << " tasks and " << config.events << " events on "
            << grid.blocks << " blocks (" << grid.blocks_per_sm
            << " per SM) in " << result.milliseconds << " ms; "
            << result.output.size() << " values checked against float64, "
            << wrong << " wrong\n";
  if (result.expired) std::cout << "the deadline ended the kernel\n";
  const std::string trace_out = absl::GetFlag(FLAGS_trace_out);
  if (!trace_out.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(DeviceRings rings, DeviceRings::Read(*memory));
    TILEBOUND_ASSIGN_OR_RETURN(
        const CollectSummary summary,
        CollectTrace(rings, HeaderFor(config, grid, facts), {}, trace_out));
    std::cout << "wrote " << trace_out << ": " << summary.records
              << " records, " << summary.dropped << " dropped\n";
  }
  return wrong == 0 && !result.expired ? ExitCode::kOk : ExitCode::kWrong;
}

}  // namespace
}  // namespace tilebound::gpu

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "softmax",
       .summary = "Example: a persistent row softmax that gives way to urgent "
                  "work and records what it did.",
       .usage = "softmax [flags]",
       .flags = {"tasks", "columns", "period", "events", "urgent_tiles",
                 "gap_ns", "blocks_per_sm", "seed", "visibility_allowance_ns",
                 "capacity", "cost_repetitions", "trace_out"},
       .examples = {"softmax --trace_out=softmax.tbtrace"}},
      argc, argv, tilebound::gpu::Run);
}
