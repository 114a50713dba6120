// The rings of a recording, straight from the device.
//
//   RecorderMemory memory(blocks, capacity);
//   ... launch, synchronize ...
//   TILEBOUND_ASSIGN_OR_RETURN(DeviceRings rings, DeviceRings::Read(memory));
//   CollectTrace(rings, header, {}, "run.tbtrace");
#ifndef TILEBOUND_GPU_RECORDER_DEVICE_RINGS_H_
#define TILEBOUND_GPU_RECORDER_DEVICE_RINGS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gpu/protocol/recorder.cuh"
#include "gpu/recorder/ring_source.h"

namespace tilebound::gpu {

class DeviceRings : public RingSource {
 public:
  // `memory` must outlive it. Errors are CUDA's.
  static absl::StatusOr<DeviceRings> Read(RecorderMemory& memory) {
    std::vector<RecorderBlock> blocks = memory.ReadBlocks();
    if (absl::Status status = Check(memory); !status.ok()) return status;
    return DeviceRings(memory, std::move(blocks));
  }

  uint32_t capacity() const override { return memory_->view().capacity; }
  const std::vector<RecorderBlock>& blocks() const override { return blocks_; }
  absl::StatusOr<std::vector<RecorderRecord>> Ring(uint32_t block) override {
    auto ring =
        memory_->ReadRing(block, UsedRecords(blocks_[block], capacity()));
    if (absl::Status status = Check(*memory_); !status.ok()) return status;
    return ring;
  }

 private:
  DeviceRings(RecorderMemory& memory, std::vector<RecorderBlock> blocks)
      : memory_(&memory), blocks_(std::move(blocks)) {}

  static absl::Status Check(const RecorderMemory& memory) {
    if (memory.error() == cudaSuccess) return absl::OkStatus();
    return absl::UnavailableError(absl::StrCat(
        "reading the recorder's rings: ", cudaGetErrorString(memory.error())));
  }

  RecorderMemory* memory_;
  std::vector<RecorderBlock> blocks_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_RECORDER_DEVICE_RINGS_H_
