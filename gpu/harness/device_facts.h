// What a CUDA device says of itself, and the tick of its timer, which it does
// not say. Plain types only: this header is read by nvcc and by the host
// compiler.
#ifndef TILEBOUND_GPU_HARNESS_DEVICE_FACTS_H_
#define TILEBOUND_GPU_HARNESS_DEVICE_FACTS_H_

#include <cstdint>
#include <string>

namespace tilebound::gpu {

struct DeviceFacts {
  // Empty if all went well; else what CUDA said and where.
  std::string error;
  std::string product;
  uint32_t compute_capability = 0;
  uint32_t sm_count = 0;
  uint32_t warp_size = 0;
  uint32_t threads_per_block = 0;
  uint32_t threads_per_sm = 0;
  uint32_t blocks_per_sm = 0;
  uint32_t registers_per_block = 0;
  uint32_t registers_per_sm = 0;
  uint32_t shared_bytes_per_sm = 0;
  uint32_t shared_bytes_per_block = 0;
  uint32_t shared_bytes_reserved_per_block = 0;
  double clock_mhz = 0;
  uint64_t memory_bytes = 0;
  double bandwidth_gb_per_s = 0;
  uint64_t l2_bytes = 0;
  // Smallest step of %globaltimer among many reads.
  uint64_t timer_tick_ns = 0;
  int driver_version = 0;
  int runtime_version = 0;
};

// Reads them from device `ordinal`.
DeviceFacts ReadDeviceFacts(int ordinal);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_DEVICE_FACTS_H_
