// One tile's float64 product on the CPU, by Eigen: the second opinion on the
// products that the GPU computes.
//
//   const HostTile tile = HostProduct(operands, /*index=*/5);
//   tile.product(row, column)
#ifndef TILEBOUND_GPU_HARNESS_REFERENCE_CPU_H_
#define TILEBOUND_GPU_HARNESS_REFERENCE_CPU_H_

#include <cstdint>
#include <vector>

#include "Eigen/Core"

namespace tilebound::gpu {

// Row-major A is [tiles_m * m][k], B is [k][tiles_n * n]; elements are fp32 (4
// bytes) or fp16 (2 bytes).
struct HostOperands {
  const uint8_t* a;
  const uint8_t* b;
  uint32_t element_bytes;
  uint32_t m;
  uint32_t n;
  uint32_t k;
  uint32_t tiles_m;
  uint32_t tiles_n;
};

struct HostTile {
  // [m][n]: sums of products, and sums of their absolute values.
  Eigen::MatrixXd product;
  Eigen::MatrixXd magnitude;
};

// Tile `index` = i * tiles_n + j, which must be below tiles_m * tiles_n.
HostTile HostProduct(const HostOperands& operands, uint32_t index);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_REFERENCE_CPU_H_
