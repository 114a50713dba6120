// Where the collector gets the rings of a recording from: a saved file
// (ring_file.h), the device (device_rings.h), or a test's own.
#ifndef TILEBOUND_GPU_RECORDER_RING_SOURCE_H_
#define TILEBOUND_GPU_RECORDER_RING_SOURCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/protocol/recorder.cuh"

namespace tilebound::gpu {

class RingSource {
 public:
  virtual ~RingSource() = default;

  // Records that each ring has room for.
  virtual uint32_t capacity() const = 0;
  virtual const std::vector<RecorderBlock>& blocks() const = 0;
  // The first UsedRecords() of the block's ring, as they lie there.
  virtual absl::StatusOr<std::vector<RecorderRecord>> Ring(uint32_t block) = 0;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_RECORDER_RING_SOURCE_H_
