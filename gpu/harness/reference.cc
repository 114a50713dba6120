#include "gpu/harness/reference.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "gpu/harness/reference_cpu.h"
#include "gpu/harness/reference_kernels.h"
#include "gpu/harness/rounding_bound.h"

namespace tilebound::gpu {
namespace {

// Relative to the sum of the products' absolute values; double leaves about
// k * 1e-16 of it.
constexpr double kAgreement = 1e-12;

ProductShape ShapeOfProducts(TileKind tile, uint32_t k) {
  const TileShape& shape = ShapeOf(tile);
  return {
      .m = shape.m, .n = shape.n, .k = k, .element_bytes = shape.element_bytes};
}

// The first and the last tile and two between.
std::vector<uint32_t> Sample(uint32_t tiles) {
  return {0, tiles / 3, tiles / 2, tiles - 1};
}

absl::StatusOr<std::vector<uint8_t>> ReadBytes(const void* memory,
                                               uint64_t bytes) {
  std::vector<uint8_t> values(bytes);
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaMemcpy(values.data(), memory, bytes, cudaMemcpyDefault),
                 "copy of operands to the host"));
  return values;
}

absl::Status CompareTile(const HostTile& tile, uint32_t index, uint32_t k,
                         uint32_t element_bytes,
                         const std::vector<double>& products,
                         const std::vector<float>& bounds) {
  for (Eigen::Index row = 0; row < tile.product.rows(); ++row) {
    for (Eigen::Index column = 0; column < tile.product.cols(); ++column) {
      const size_t at = row * tile.product.cols() + column;
      const double magnitude = tile.magnitude(row, column);
      const double bound = RelativeBound(k, element_bytes) * magnitude;
      if (std::abs(products[at] - tile.product(row, column)) <=
              kAgreement * magnitude &&
          std::abs(bounds[at] - bound) <= 1e-6 * bound) {
        continue;
      }
      return absl::InternalError(absl::StrCat(
          "float64 reference: tile ", index, " row ", row, " column ", column,
          " is ", products[at], " on the GPU and ", tile.product(row, column),
          " by Eigen on the CPU; they must agree to 1e-12"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TileReference> TileReference::Make(TileKind tile, uint32_t k,
                                                  const Operands& operands) {
  const ProductShape shape = ShapeOfProducts(tile, k);
  const uint64_t per_tile = uint64_t{shape.m} * shape.n;
  TileReference reference;
  reference.tile_ = tile;
  reference.k_ = k;
  reference.tiles_ = operands.tiles_m * operands.tiles_n;
  TILEBOUND_ASSIGN_OR_RETURN(
      reference.products_,
      DeviceArray<double>::Make(per_tile * reference.tiles_));
  TILEBOUND_ASSIGN_OR_RETURN(
      reference.bounds_, DeviceArray<float>::Make(per_tile * reference.tiles_));
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(LaunchProducts(shape, operands, reference.products_.data(),
                                reference.bounds_.data(), /*stream=*/nullptr),
                 "float64 reference"));

  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint8_t> a,
      ReadBytes(operands.a, uint64_t{operands.tiles_m} * shape.m * k *
                                shape.element_bytes));
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint8_t> b,
      ReadBytes(operands.b, uint64_t{operands.tiles_n} * shape.n * k *
                                shape.element_bytes));
  const HostOperands host = {.a = a.data(),
                             .b = b.data(),
                             .element_bytes = shape.element_bytes,
                             .m = shape.m,
                             .n = shape.n,
                             .k = k,
                             .tiles_m = operands.tiles_m,
                             .tiles_n = operands.tiles_n};
  std::vector<double> products(per_tile);
  std::vector<float> bounds(per_tile);
  for (const uint32_t index : Sample(reference.tiles_)) {
    const uint64_t first = index * per_tile;
    TILEBOUND_RETURN_IF_ERROR(CudaStatus(
        cudaMemcpy(products.data(), reference.products_.data() + first,
                   per_tile * sizeof(double), cudaMemcpyDefault),
        "copy of the float64 reference"));
    TILEBOUND_RETURN_IF_ERROR(
        CudaStatus(cudaMemcpy(bounds.data(), reference.bounds_.data() + first,
                              per_tile * sizeof(float), cudaMemcpyDefault),
                   "copy of the float64 reference"));
    TILEBOUND_RETURN_IF_ERROR(CompareTile(HostProduct(host, index), index, k,
                                          shape.element_bytes, products,
                                          bounds));
  }
  return reference;
}

absl::StatusOr<std::vector<uint8_t>> TileReference::Check(
    const float* outputs, uint64_t count, const uint64_t* index) const {
  TILEBOUND_ASSIGN_OR_RETURN(const DeviceArray<uint8_t> wrong,
                             DeviceArray<uint8_t>::Make(count));
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      LaunchCheck(ShapeOfProducts(tile_, k_), tiles_, products_.data(),
                  bounds_.data(), outputs, count, index, wrong.data(),
                  /*stream=*/nullptr),
      "check against float64"));
  return wrong.Read();
}

absl::Status FillUniform(TileKind tile, void* memory, uint64_t elements,
                         uint64_t seed, cudaStream_t stream) {
  return CudaStatus(LaunchFillUniform(memory, ShapeOf(tile).element_bytes,
                                      elements, seed, stream),
                    "fill of operands");
}

absl::Status FillNan(void* memory, uint64_t bytes, cudaStream_t stream) {
  return CudaStatus(cudaMemsetAsync(memory, 0xff, bytes, stream),
                    "fill with NaN");
}

}  // namespace tilebound::gpu
