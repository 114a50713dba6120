// The values that matrices are filled with: from the seed and the index alone,
// so that host and device, and two runs, agree on every one of them.
#ifndef TILEBOUND_GPU_HARNESS_OPERAND_VALUE_H_
#define TILEBOUND_GPU_HARNESS_OPERAND_VALUE_H_

#include <cstdint>

#ifdef __CUDACC__
#define TILEBOUND_HOST_DEVICE __host__ __device__
#else
#define TILEBOUND_HOST_DEVICE
#endif

namespace tilebound::gpu {

// splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, 2014): one output for each index, in any order.
TILEBOUND_HOST_DEVICE inline uint64_t MixedBits(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// One of -1024/1024 ... 1023/1024, each as likely. All of them are exact in
// fp16 and fp32, so the float64 reference multiplies the very numbers that the
// tile does.
TILEBOUND_HOST_DEVICE inline float OperandValue(uint64_t seed, uint64_t index) {
  const int numerator = static_cast<int>(MixedBits(seed, index) >> 53) - 1024;
  return static_cast<float>(numerator) * (1.0f / 1024.0f);
}

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_OPERAND_VALUE_H_
