// The float64 product of a tile's operands, and the check of outputs against
// it.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       TileReference reference,
//       TileReference::Make(TileKind::kSgemm64, 64, operands));
//   TILEBOUND_ASSIGN_OR_RETURN(auto wrong, reference.Check(c, n, nullptr));
//
// It is computed on the GPU in double, by a kernel that shares nothing with the
// tiles, and four of its tiles are computed again on the CPU by Eigen; they
// must agree to 1e-12 of the sum of the products' absolute values, or Make() is
// an error. Both functions use the default stream and wait for it: call them
// while no measurement runs.
#ifndef TILEBOUND_GPU_HARNESS_REFERENCE_H_
#define TILEBOUND_GPU_HARNESS_REFERENCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/harness/cuda_status.h"
#include "gpu/kernels/launch_table.h"
#include "gpu/protocol/params.h"

namespace tilebound::gpu {

class TileReference {
 public:
  TileReference() = default;
  // `operands` are in device memory.
  static absl::StatusOr<TileReference> Make(TileKind tile, uint32_t k,
                                            const Operands& operands);

  // Of `count` tiles that lie one after another at `outputs` (device memory),
  // which are wrong: 1 where any value is NaN or further from float64 than
  // fp32 accumulation of k products can be, else 0. Output i is of tile
  // index[i]; `index` null: of tile i % tiles. An index of kNoTask says that
  // nothing was written there: 0.
  absl::StatusOr<std::vector<uint8_t>> Check(const float* outputs,
                                             uint64_t count,
                                             const uint64_t* index) const;

 private:
  TileKind tile_ = TileKind::kSgemm64;
  uint32_t k_ = 0;
  uint32_t tiles_ = 0;
  // [tiles][m][n], and how far an output may be from each.
  DeviceArray<double> products_;
  DeviceArray<float> bounds_;
};

// Fills device memory in order with `stream`: fp32 or fp16 values uniform in
// [-1, 1) from the seed (own generator), and NaN (every byte 0xFF).
absl::Status FillUniform(TileKind tile, void* memory, uint64_t elements,
                         uint64_t seed, cudaStream_t stream);
absl::Status FillNan(void* memory, uint64_t bytes, cudaStream_t stream);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_REFERENCE_H_
