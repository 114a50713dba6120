#include "gpu/harness/workload.h"

namespace tilebound::gpu {
namespace {

// Allocates and fills both matrices.
absl::StatusOr<Operands> MakeOperands(TileKind tile, uint32_t k,
                                      uint32_t tiles_m, uint32_t tiles_n,
                                      uint64_t seed, DeviceArray<uint8_t>& a,
                                      DeviceArray<uint8_t>& b) {
  const TileShape& shape = ShapeOf(tile);
  const uint64_t a_elements = uint64_t{tiles_m} * shape.m * k;
  const uint64_t b_elements = uint64_t{tiles_n} * shape.n * k;
  TILEBOUND_ASSIGN_OR_RETURN(
      a, DeviceArray<uint8_t>::Make(a_elements * shape.element_bytes));
  TILEBOUND_ASSIGN_OR_RETURN(
      b, DeviceArray<uint8_t>::Make(b_elements * shape.element_bytes));
  TILEBOUND_RETURN_IF_ERROR(
      FillUniform(tile, a.data(), a_elements, seed, nullptr));
  TILEBOUND_RETURN_IF_ERROR(
      FillUniform(tile, b.data(), b_elements, seed + 1, nullptr));
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(nullptr), "filling the operands"));
  return Operands{a.data(), b.data(), tiles_m, tiles_n};
}

}  // namespace

absl::StatusOr<Workload> Workload::Make(TileKind tile, uint32_t k,
                                        uint32_t urgent_tiles, uint64_t seed) {
  Workload work;
  work.tile_ = tile;
  work.k_ = k;
  TILEBOUND_ASSIGN_OR_RETURN(
      work.background_,
      MakeOperands(tile, k, kBackgroundTilesM, kBackgroundTilesN, 4 * seed,
                   work.memory_[0], work.memory_[1]));
  TILEBOUND_ASSIGN_OR_RETURN(
      work.urgent_, MakeOperands(tile, k, 1, urgent_tiles, 4 * seed + 2,
                                 work.memory_[2], work.memory_[3]));
  TILEBOUND_ASSIGN_OR_RETURN(work.background_reference_,
                             TileReference::Make(tile, k, work.background_));
  TILEBOUND_ASSIGN_OR_RETURN(work.urgent_reference_,
                             TileReference::Make(tile, k, work.urgent_));
  return work;
}

}  // namespace tilebound::gpu
