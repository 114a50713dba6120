// Row softmax as a persistent kernel that gives way to urgent work, with the
// recorder in it. An example of what it takes to make a kernel of one's own
// preemptible and checkable; gpu/tiles and gpu/protocol are not needed for it.
//
//   SoftmaxGrid grid = PlanSoftmax(config, /*record=*/false);
//   SoftmaxResult result = RunSoftmax(config, grid.blocks, input, nullptr);
#ifndef TILEBOUND_GPU_EXAMPLES_SOFTMAX_H_
#define TILEBOUND_GPU_EXAMPLES_SOFTMAX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/protocol/recorder.cuh"

namespace tilebound::gpu {

// Rows of a tile, which is what one task computes.
inline constexpr uint32_t kSoftmaxTileRows = 16;

struct SoftmaxConfig {
  uint32_t columns = 512;
  uint64_t tasks = 20000;
  // A block looks at every period-th tile boundary.
  uint32_t period = 1;
  uint32_t events = 20;
  // Tiles of each event.
  uint32_t urgent_tiles = 16;
  // From the end of an event to the set of the next.
  uint64_t gap_ns = 20'000;
  // Ends the kernel from inside if it has not come to its end by then.
  uint64_t deadline_ns = 2'000'000'000;
  // 0: as many as fit.
  uint32_t blocks_per_sm = 0;

  // Background rows come first, then those of the urgent tiles.
  uint64_t rows() const {
    return (tasks + uint64_t{events} * urgent_tiles) * kSoftmaxTileRows;
  }
};

struct SoftmaxGrid {
  // Empty, or what CUDA said.
  std::string error;
  uint32_t blocks = 0;
  uint32_t blocks_per_sm = 0;
};
// Residency of the kernel on the current device, with the recorder or without.
SoftmaxGrid PlanSoftmax(const SoftmaxConfig& config, bool record);

struct SoftmaxResult {
  std::string error;
  // The deadline ended the kernel.
  bool expired = false;
  double milliseconds = 0;
  // rows() times columns; NaN where nobody wrote.
  std::vector<float> output;
};

// Executes all tasks and events once, on `blocks` blocks. `input` has rows()
// times columns values. With a view the recorder is on.
SoftmaxResult RunSoftmax(const SoftmaxConfig& config, uint32_t blocks,
                         const std::vector<float>& input,
                         const RecorderView* view);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_EXAMPLES_SOFTMAX_H_
