#include "gpu/harness/reference_cpu.h"

namespace tilebound::gpu {
namespace {

template <typename Element>
HostTile Product(const HostOperands& o, uint32_t index) {
  using RowMajor =
      Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> a(reinterpret_cast<const Element*>(o.a),
                                     Eigen::Index{o.tiles_m} * o.m, o.k);
  const Eigen::Map<const RowMajor> b(reinterpret_cast<const Element*>(o.b), o.k,
                                     Eigen::Index{o.tiles_n} * o.n);
  const Eigen::MatrixXd rows =
      a.middleRows(Eigen::Index{index / o.tiles_n} * o.m, o.m)
          .template cast<double>();
  const Eigen::MatrixXd columns =
      b.middleCols(Eigen::Index{index % o.tiles_n} * o.n, o.n)
          .template cast<double>();
  return HostTile{.product = rows * columns,
                  .magnitude = rows.cwiseAbs() * columns.cwiseAbs()};
}

}  // namespace

HostTile HostProduct(const HostOperands& operands, uint32_t index) {
  return operands.element_bytes == 2 ? Product<Eigen::half>(operands, index)
                                     : Product<float>(operands, index);
}

}  // namespace tilebound::gpu
