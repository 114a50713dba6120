#include "gpu/suites/suite.h"

#include "data/schema/cell_key.h"
#include "data/schema/kernel.h"
#include "data/schema/metric.h"
#include "gpu/harness/interrupt.h"

namespace tilebound::gpu {
namespace {

// Urgent tiles that a workload has operands for.
constexpr uint32_t kMostUrgentTiles = 64;

const pb::Kernel* KernelOf(const SuiteContext& context,
                           const pb::CellKey& key) {
  for (const pb::Kernel& kernel : context.kernels) {
    if (kernel.name() == key.kernel()) return &kernel;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<const Workload*> SuiteContext::Work(TileKind tile, uint32_t k) {
  std::unique_ptr<Workload>& work = workloads[{static_cast<int>(tile), k}];
  if (work == nullptr) {
    TILEBOUND_ASSIGN_OR_RETURN(Workload made,
                               Workload::Make(tile, k, kMostUrgentTiles, seed));
    work = std::make_unique<Workload>(std::move(made));
  }
  return work.get();
}

uint32_t UsualK(TileKind tile) {
  return tile == TileKind::kTensor128 ? 256 : 64;
}

pb::CellKey KeyOf(const SuiteContext& context, TileKind tile, uint32_t blocks) {
  pb::CellKey key = DefaultCellKey();
  key.set_part(context.device->part().name());
  key.set_kernel(ShapeOf(tile).kernel);
  key.set_k(UsualK(tile));
  key.set_blocks(blocks);
  return key;
}

pb::Cell CellWithoutResult(const pb::CellKey& key, absl::string_view metric,
                           const absl::Status& why) {
  pb::Cell cell;
  *cell.mutable_key() = key;
  *cell.add_metrics() = AbsentMetric(
      metric,
      absl::IsUnimplemented(why) ? pb::Metric::SKIPPED : pb::Metric::FAILED,
      why.message());
  return cell;
}

absl::Status ForEachCell(
    SuiteContext& context,
    absl::StatusOr<std::vector<pb::CellKey>> (*cells)(const SuiteContext&),
    absl::string_view metric,
    const std::function<absl::StatusOr<pb::Cell>(
        const pb::Kernel&, const pb::CellKey&)>& measure) {
  std::vector<pb::CellKey> keys = context.cells;
  if (keys.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(keys, cells(context));
  }
  for (const pb::CellKey& key : keys) {
    if (Interrupted()) return absl::CancelledError("interrupted");
    const pb::Kernel* kernel = KernelOf(context, key);
    if (kernel != nullptr && !context.results->Has(key)) {
      absl::StatusOr<pb::Cell> cell = ValidateCellForKernel(key, *kernel).ok()
                                          ? measure(*kernel, key)
                                          : ValidateCellForKernel(key, *kernel);
      if (absl::IsUnavailable(cell.status())) return cell.status();
      TILEBOUND_RETURN_IF_ERROR(context.results->Add(
          cell.ok() ? *cell : CellWithoutResult(key, metric, cell.status())));
    }
    if (context.progress != nullptr) context.progress->Add(1);
  }
  return absl::OkStatus();
}

}  // namespace tilebound::gpu
