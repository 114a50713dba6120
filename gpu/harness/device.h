// The GPU that a sweep runs on.
//
//   UseCode(Code::kPtx80);                       // before anything of CUDA
//   TILEBOUND_ASSIGN_OR_RETURN(Device device, Device::Open(0, "h200"));
//   device.part().sm_count()                      // 132
//   device.facts().timer_tick_ns                  // 32
#ifndef TILEBOUND_GPU_HARNESS_DEVICE_H_
#define TILEBOUND_GPU_HARNESS_DEVICE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/catalog.h"
#include "data/schema/part.pb.h"
#include "gpu/harness/device_facts.h"
#include "gpu/kernels/launch_table.h"

namespace tilebound::gpu {

enum class Code { kPtx80, kNative };
// "ptx80" or "native".
absl::StatusOr<Code> ParseCode(absl::string_view word);

// kPtx80 makes the driver compile the compute_80 PTX and pass over the machine
// code of this GPU. Must come before the first CUDA call of the process.
void UseCode(Code code);

// What the driver made of one instantiation.
struct KernelFacts {
  int registers;
  int local_bytes;
  uint32_t shared_bytes;
  // 80 and 90: compute_80 PTX, compiled for sm_90.
  int ptx_version;
  int binary_version;
  // As many blocks as an SM holds (CUDA's own occupancy calculation).
  uint32_t blocks_per_sm;
};

class Device {
 public:
  // `part` is the catalog name that cells get; "" finds the catalog's part with
  // the device's product name, SM count and memory, else the name is
  // "this_gpu" and the part is what the device says. Errors: kUnavailable where
  // there is no GPU, or not the one that `part` describes.
  static absl::StatusOr<Device> Open(int ordinal, const std::string& part,
                                     const Catalog& catalog);

  const DeviceFacts& facts() const { return facts_; }
  const pb::Part& part() const { return part_; }
  uint32_t sm_count() const { return facts_.sm_count; }
  uint64_t quantum_ps() const { return facts_.timer_tick_ns * 1000; }

  absl::StatusOr<KernelFacts> Facts(const KernelEntry& entry) const;
  // "compute_80 PTX, JIT to sm_90", or "sm_90".
  absl::StatusOr<std::string> MachineCode(const KernelEntry& entry) const;

 private:
  DeviceFacts facts_;
  pb::Part part_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_DEVICE_H_
