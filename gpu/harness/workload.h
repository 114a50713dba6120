// The matrices of one (kernel, k): background and urgent operands on the
// device, and their float64 products. Made once and used for many runs.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       Workload work, Workload::Make(TileKind::kSgemm64, 64, 16, seed));
//   TILEBOUND_ASSIGN_OR_RETURN(auto corrupt, work.urgent().Check(c, n, index));
#ifndef TILEBOUND_GPU_HARNESS_WORKLOAD_H_
#define TILEBOUND_GPU_HARNESS_WORKLOAD_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "gpu/harness/cuda_status.h"
#include "gpu/harness/reference.h"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

// Background products are 32 x 32 tiles: enough that no tile repeats soon, few
// enough to stay in every part's L2 but for the outputs.
inline constexpr uint32_t kBackgroundTilesM = 32;
inline constexpr uint32_t kBackgroundTilesN = 32;

class Workload {
 public:
  // `urgent_tiles`: the most that a run of it will use. Values are uniform in
  // [-1, 1), from the seed.
  static absl::StatusOr<Workload> Make(TileKind tile, uint32_t k,
                                       uint32_t urgent_tiles, uint64_t seed);

  TileKind tile() const { return tile_; }
  uint32_t k() const { return k_; }
  const Operands& background_operands() const { return background_; }
  const Operands& urgent_operands() const { return urgent_; }
  const TileReference& background() const { return background_reference_; }
  const TileReference& urgent() const { return urgent_reference_; }

 private:
  TileKind tile_ = TileKind::kSgemm64;
  uint32_t k_ = 0;
  DeviceArray<uint8_t> memory_[4];
  Operands background_ = {};
  Operands urgent_ = {};
  TileReference background_reference_;
  TileReference urgent_reference_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_WORKLOAD_H_
