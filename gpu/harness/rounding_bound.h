// How far a right output may be from float64, and the test of one output.
#ifndef TILEBOUND_GPU_HARNESS_ROUNDING_BOUND_H_
#define TILEBOUND_GPU_HARNESS_ROUNDING_BOUND_H_

#include <cmath>
#include <cstdint>

#include "gpu/harness/operand_value.h"

namespace tilebound::gpu {

// Bound on the error of a sum of k products, whatever their order, as a share
// of the sum of their absolute values.
//
// fp32 operands (4 bytes): k fused multiply-adds round k times, by 2^-24 of the
// partial sum each (Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 3.1). fp16 operands (2 bytes): tensor cores multiply
// exactly, but align and truncate what they add, which costs up to two bits
// more (Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor
// cores, 2021). Eight roundings more for whatever the epilogue does.
TILEBOUND_HOST_DEVICE inline double RelativeBound(uint32_t k,
                                                  uint32_t element_bytes) {
  const double unit = element_bytes == 2 ? 0x1p-22 : 0x1p-24;
  return (k + 8.0) * unit;
}

// NaN, which memory holds before it is written, is wrong.
TILEBOUND_HOST_DEVICE inline bool IsWrong(float output, double product,
                                          float bound) {
  return !(fabs(static_cast<double>(output) - product) <=
           static_cast<double>(bound));
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_ROUNDING_BOUND_H_
