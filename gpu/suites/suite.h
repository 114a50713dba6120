// What a suite is: one experiment, one file, one signature.
//
//   // gpu/suites/visibility.cc
//   absl::Status RunVisibility(SuiteContext& context) {
//     for (const pb::Kernel& kernel : context.kernels) {
//       ...
//       if (context.results->Has(key)) continue;
//       TILEBOUND_RETURN_IF_ERROR(context.results->Add(cell));
//       context.progress->Add(1);
//     }
//     return absl::OkStatus();
//   }
//
// and a line in gpu/suites/all_suites.cc. A suite writes a surface called
// PART_SUITE to OUT/SUITE.binpb; sweep opens it, fills in provenance and
// conditions, and finishes it. A cell that cannot run is a cell whose metrics
// are SKIPPED or FAILED with the reason: no cell is left out in silence, and no
// error of one cell ends the suite. An error is returned only where nothing
// further can be believed (CUDA failed, a gate failed).
#ifndef TILEBOUND_GPU_SUITES_SUITE_H_
#define TILEBOUND_GPU_SUITES_SUITE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/io/progress.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"
#include "gpu/harness/device.h"
#include "gpu/harness/results.h"
#include "gpu/harness/workload.h"

namespace tilebound::gpu {

struct SuiteContext {
  const Device* device = nullptr;
  // Those that --kernel asks for (default: all of the catalog).
  std::vector<pb::Kernel> kernels;
  // Cells that the cell flags ask for; empty: the suite's own list.
  std::vector<pb::CellKey> cells;
  // 0: the suite's own number.
  uint64_t events = 0;
  uint64_t seed = 1;
  // First events that are left out.
  uint64_t warmup_events = 100;
  // Where the suite may put further files (calibrations, traces).
  std::string out_dir;
  std::string trace_out;
  Results* results = nullptr;
  Progress* progress = nullptr;

  // Clock under load in each cell, for the surface's conditions.
  std::vector<double> clocks_mhz = {};

  // The matrices of (kernel, k), made when first asked for.
  absl::StatusOr<const Workload*> Work(TileKind tile, uint32_t k);
  std::map<std::pair<int, uint32_t>, std::unique_ptr<Workload>> workloads = {};
};

using SuiteFunction = absl::Status (*)(SuiteContext& context);

struct Suite {
  std::string name;
  // For --list: one line.
  std::string summary;
  // The cells of the suite's own list on this device, for progress and --list;
  // the suite takes context.cells where it is not empty.
  absl::StatusOr<std::vector<pb::CellKey>> (*cells)(const SuiteContext&);
  SuiteFunction run;
};

// In the order in which they run.
const std::vector<Suite>& AllSuites();

// k of the surfaces of a kernel: the published one (64; tensor128: 256).
uint32_t UsualK(TileKind tile);

// A key with part, kernel, k and blocks filled in and the defaults for the
// rest.
pb::CellKey KeyOf(const SuiteContext& context, TileKind tile, uint32_t blocks);

// Measures the cells that were asked for, or the suite's own, one after another
// and adds them to the results: those of kernels that the context has and that
// are not there already. A cell whose measurement is an error becomes a cell
// without result, except that kUnavailable (CUDA failed) ends the suite. On
// Ctrl-C (Interrupted()) returns kCancelled.
absl::Status ForEachCell(
    SuiteContext& context,
    absl::StatusOr<std::vector<pb::CellKey>> (*cells)(const SuiteContext&),
    absl::string_view metric,
    const std::function<absl::StatusOr<pb::Cell>(const pb::Kernel&,
                                                 const pb::CellKey&)>& measure);

// A cell whose one metric says why there is nothing to tell: SKIPPED where it
// is not instantiated, FAILED otherwise.
pb::Cell CellWithoutResult(const pb::CellKey& key, absl::string_view metric,
                           const absl::Status& why);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_SUITE_H_
