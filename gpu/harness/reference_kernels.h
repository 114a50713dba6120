// The kernels behind TileReference: products in double, the check of outputs,
// and fills. Plain types only: this header is read by nvcc and by the host
// compiler. Each function launches on `stream` and returns what the launch
// returned; arguments are as in reference.h.
#ifndef TILEBOUND_GPU_HARNESS_REFERENCE_KERNELS_H_
#define TILEBOUND_GPU_HARNESS_REFERENCE_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "gpu/protocol/params.h"

namespace tilebound::gpu {

struct ProductShape {
  uint32_t m;
  uint32_t n;
  uint32_t k;
  // 4: fp32, 2: fp16.
  uint32_t element_bytes;
};

// products and bounds: [tiles][m][n], the sum of products and how far from it
// an output may be.
cudaError_t LaunchProducts(const ProductShape& shape, const Operands& operands,
                           double* products, float* bounds,
                           cudaStream_t stream);

// wrong[i]: 1 if output i differs from tile index[i] % tiles (null: i % tiles)
// or 0; 0 where the index is kNoTask.
cudaError_t LaunchCheck(const ProductShape& shape, uint32_t tiles,
                        const double* products, const float* bounds,
                        const float* outputs, uint64_t count,
                        const uint64_t* index, uint8_t* wrong,
                        cudaStream_t stream);

// memory[i] = OperandValue(seed, i).
cudaError_t LaunchFillUniform(void* memory, uint32_t element_bytes,
                              uint64_t elements, uint64_t seed,
                              cudaStream_t stream);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_REFERENCE_KERNELS_H_
