// How fast the exact core runs: bazel run -c opt //model:sm_server_benchmark
#include <benchmark/benchmark.h>

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

void BM_PhaseEvents(benchmark::State& state) {
  const auto blocks = static_cast<uint32_t>(state.range(0));
  SmServer server(Tile(), GeometricWeights(blocks, 0.5), Random(1), 1);
  for (auto _ : state) benchmark::DoNotOptimize(server.NextBoundary());
  state.counters["phase_events/s"] = benchmark::Counter(
      static_cast<double>(server.phase_events()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_PhaseEvents)->DenseRange(1, 4)->Arg(8)->Arg(16);

}  // namespace
}  // namespace tilebound::model

BENCHMARK_MAIN();
