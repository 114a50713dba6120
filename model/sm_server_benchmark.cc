// How fast the exact core runs: bazel run -c opt //model:sm_server_benchmark
#include <benchmark/benchmark.h>

#include <ctime>

#include "model/heap_sm_server.h"
#include "model/sharing.h"
#include "model/sm_server.h"

namespace tilebound::model {
namespace {

// The shape of the 64x64 SGEMM tile on an A10, in round numbers.
TileTiming Tile() {
  TileTiming timing;
  timing.phases = {{false, 2'200'000},
                   {true, 2'770'000},
                   {false, 1'450'000},
                   {true, 3'540'000}};
  timing.service_spread = 0.08;
  timing.sm_spread = 0;
  return timing;
}

void Count(benchmark::State& state, uint64_t events) {
  state.counters["phase_events/s"] = benchmark::Counter(
      static_cast<double>(events), benchmark::Counter::kIsRate);
}

void BM_SmServer(benchmark::State& state) {
  const auto blocks = static_cast<uint32_t>(state.range(0));
  SmServer server(Tile(), GeometricWeights(blocks, 0.5), Random(1), 1);
  for (auto _ : state) benchmark::DoNotOptimize(server.NextBoundary());
  Count(state, server.phase_events());
}
BENCHMARK(BM_SmServer)->DenseRange(1, 4)->Arg(8)->Arg(16);

// The same model on std::priority_queue.
void BM_HeapSmServer(benchmark::State& state) {
  const auto blocks = static_cast<uint32_t>(state.range(0));
  HeapSmServer server(Tile(), GeometricWeights(blocks, 0.5), Random(1));
  for (auto _ : state) benchmark::DoNotOptimize(server.NextBoundary());
  Count(state, server.phase_events());
}
BENCHMARK(BM_HeapSmServer)->DenseRange(1, 4)->Arg(8);

// Both in turn, so that a busy machine disturbs them alike.
void BM_RatioToHeap(benchmark::State& state) {
  const auto blocks = static_cast<uint32_t>(state.range(0));
  SmServer server(Tile(), GeometricWeights(blocks, 0.5), Random(1), 1);
  HeapSmServer heap(Tile(), GeometricWeights(blocks, 0.5), Random(1));
  constexpr int kBatch = 10'000;
  double ours = 0, theirs = 0;
  const auto timed = [](auto& of) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < kBatch; ++i) {
      benchmark::DoNotOptimize(of.NextBoundary());
    }
    return static_cast<double>(std::clock() - start);
  };
  for (auto _ : state) {
    ours += timed(server);
    theirs += timed(heap);
  }
  state.counters["times as fast"] = theirs / ours;
}
BENCHMARK(BM_RatioToHeap)->DenseRange(1, 4)->Arg(8);

}  // namespace
}  // namespace tilebound::model

BENCHMARK_MAIN();
