// How fast traces are written and checked, for each tile execution. By hand:
//   bazel run -c opt //oracle:trace_benchmark
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "benchmark/benchmark.h"
#include "data/io/split_mix.h"
#include "data/trace/reader.h"
#include "data/trace/writer.h"
#include "oracle/check.h"
#include "oracle/generate.h"

namespace tilebound::oracle {
namespace {

constexpr uint32_t kBlocks = 528;

// The writer alone: 528 blocks in turns, times drawn beforehand.
void BM_Write(benchmark::State& state) {
  const auto executions = static_cast<uint64_t>(state.range(0));
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::NONE);
  header.set_blocks(kBlocks);
  header.set_blocks_per_sm(4);
  header.set_tasks(executions);
  SplitMix64 random(1);
  std::vector<int64_t> draws(1 << 16);
  for (int64_t& draw : draws) draw = random.Below(8'000'000);
  const std::string path = "/tmp/trace_benchmark.tbtrace";
  for (auto _ : state) {
    auto writer = TraceWriter::Create(path, header);
    if (!writer.ok()) std::abort();
    std::vector<int64_t> time(kBlocks, 0);
    for (uint64_t task = 0; task < executions; ++task) {
      const uint32_t block = task % kBlocks;
      const int64_t draw = draws[task & (draws.size() - 1)];
      const int64_t pop = time[block] + draw / 16;
      time[block] = pop + 12'000'000 + draw;
      writer->AppendTile(block, task, pop, time[block]);
    }
    if (!writer->Finish().ok()) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * executions);
  std::remove(path.c_str());
}
BENCHMARK(BM_Write)->Arg(18'500'000)->Unit(benchmark::kSecond)->UseRealTime();

void BM_Check(benchmark::State& state) {
  auto config = ParseGeneratorConfig(
      "sms=132,blocks_per_sm=4,tasks=5000000,events=500,tile_ps=12000000");
  auto bytes = GenerateTraceBytes(*config, 1);
  auto reader = TraceReader::FromBytes(*std::move(bytes), "benchmark");
  for (auto _ : state) {
    const CheckReport report =
        CheckTrace(*reader, {.threads = static_cast<int>(state.range(0))});
    if (report.verdict != Verdict::kOk) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * 5'000'000);
}
BENCHMARK(BM_Check)->Arg(1)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
}  // namespace tilebound::oracle

BENCHMARK_MAIN();
