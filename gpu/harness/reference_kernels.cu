#include <cuda_fp16.h>

#include "gpu/harness/operand_value.h"
#include "gpu/harness/reference_kernels.h"
#include "gpu/harness/rounding_bound.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kThreads = 256;
// Enough blocks for any part; grid-stride loops do the rest.
constexpr uint64_t kMostBlocks = 65535;

uint32_t BlocksFor(uint64_t items) {
  const uint64_t blocks = (items + kThreads - 1) / kThreads;
  return static_cast<uint32_t>(blocks < kMostBlocks ? blocks : kMostBlocks);
}

__device__ double ToDouble(float value) { return value; }
__device__ double ToDouble(__half value) { return __half2float(value); }

// One output a thread, straight from the definition: it shares no code and no
// data path (shared memory, cp.async, tensor cores) with what it checks.
template <typename Element>
__global__ void Products(ProductShape shape, Operands operands,
                         double* products, float* bounds) {
  const Element* a = static_cast<const Element*>(operands.a);
  const Element* b = static_cast<const Element*>(operands.b);
  const uint64_t per_tile = uint64_t{shape.m} * shape.n;
  const uint64_t outputs = per_tile * operands.tiles_m * operands.tiles_n;
  const uint64_t width = uint64_t{operands.tiles_n} * shape.n;
  const double relative = RelativeBound(shape.k, shape.element_bytes);
  for (uint64_t at = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       at < outputs; at += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t tile = at / per_tile, inside = at % per_tile;
    const uint64_t row = tile / operands.tiles_n * shape.m + inside / shape.n;
    const uint64_t column =
        tile % operands.tiles_n * shape.n + inside % shape.n;
    double sum = 0, magnitude = 0;
    for (uint32_t i = 0; i < shape.k; ++i) {
      const double term =
          ToDouble(a[row * shape.k + i]) * ToDouble(b[i * width + column]);
      sum += term;
      magnitude += fabs(term);
    }
    products[at] = sum;
    bounds[at] = static_cast<float>(relative * magnitude);
  }
}

// One output tile a block.
__global__ void Check(uint32_t per_tile, uint32_t tiles, const double* products,
                      const float* bounds, const float* outputs, uint64_t count,
                      const uint64_t* index, uint8_t* wrong) {
  for (uint64_t at = blockIdx.x; at < count; at += gridDim.x) {
    const uint64_t given = index == nullptr ? at : index[at];
    if (given == kNoTask) {  // Uniform over the block.
      if (threadIdx.x == 0) wrong[at] = 0;
      continue;
    }
    const uint64_t first = given % tiles * per_tile;
    const float* output = outputs + at * per_tile;
    int bad = 0;
    for (uint32_t i = threadIdx.x; i < per_tile; i += blockDim.x) {
      bad |= IsWrong(output[i], products[first + i], bounds[first + i]);
    }
    bad = __syncthreads_or(bad);
    if (threadIdx.x == 0) wrong[at] = bad != 0;
  }
}

template <typename Element>
__global__ void FillUniformKernel(Element* memory, uint64_t elements,
                                  uint64_t seed) {
  for (uint64_t at = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       at < elements; at += uint64_t{gridDim.x} * blockDim.x) {
    memory[at] = static_cast<Element>(OperandValue(seed, at));
  }
}

}  // namespace

cudaError_t LaunchProducts(const ProductShape& shape, const Operands& operands,
                           double* products, float* bounds,
                           cudaStream_t stream) {
  const uint64_t outputs =
      uint64_t{shape.m} * shape.n * operands.tiles_m * operands.tiles_n;
  const uint32_t blocks = BlocksFor(outputs);
  if (shape.element_bytes == 2) {
    Products<__half>
        <<<blocks, kThreads, 0, stream>>>(shape, operands, products, bounds);
  } else {
    Products<float>
        <<<blocks, kThreads, 0, stream>>>(shape, operands, products, bounds);
  }
  return cudaGetLastError();
}

cudaError_t LaunchCheck(const ProductShape& shape, uint32_t tiles,
                        const double* products, const float* bounds,
                        const float* outputs, uint64_t count,
                        const uint64_t* index, uint8_t* wrong,
                        cudaStream_t stream) {
  if (count == 0) return cudaSuccess;
  Check<<<BlocksFor(count * kThreads), kThreads, 0, stream>>>(
      shape.m * shape.n, tiles, products, bounds, outputs, count, index, wrong);
  return cudaGetLastError();
}

cudaError_t LaunchFillUniform(void* memory, uint32_t element_bytes,
                              uint64_t elements, uint64_t seed,
                              cudaStream_t stream) {
  if (elements == 0) return cudaSuccess;
  if (element_bytes == 2) {
    FillUniformKernel<<<BlocksFor(elements), kThreads, 0, stream>>>(
        static_cast<__half*>(memory), elements, seed);
  } else {
    FillUniformKernel<<<BlocksFor(elements), kThreads, 0, stream>>>(
        static_cast<float*>(memory), elements, seed);
  }
  return cudaGetLastError();
}

}  // namespace tilebound::gpu
