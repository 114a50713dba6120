// The kernel of suite visibility: blocks that do nothing but look at the flag,
// with or without other warps beside them that stream DRAM. Plain types only:
// read by nvcc and by the host compiler.
#ifndef TILEBOUND_GPU_SUITES_VISIBILITY_KERNEL_H_
#define TILEBOUND_GPU_SUITES_VISIBILITY_KERNEL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace tilebound::gpu {

// Words that blocks share, a 128-byte line each; zero before the launch.
struct alignas(128) VisibilityLine {
  uint64_t value;
};
struct VisibilityState {
  VisibilityLine flag;
  // Blocks that have started, of those that look.
  VisibilityLine ready;
  // 1 if the deadline ended the run.
  VisibilityLine expired;
  // Bytes streamed by all blocks.
  VisibilityLine streamed;
};

// Words that a block reads at a time.
inline constexpr uint32_t kVisibilityStep = 8 * 224;

struct VisibilityParams {
  VisibilityState* state;
  uint32_t events;
  // [events] from the end of the event before; an event ends when every block
  // has seen it.
  const uint32_t* gap_ns;
  uint64_t deadline_ns;
  // [events], zero before the launch: set; blocks that have seen it.
  uint64_t* set_ns;
  uint32_t* done;
  // [events * blocks], zero before the launch: when each block saw the event.
  // Block 0 sets and does not look.
  uint64_t* seen_ns;
  // [blocks], zero before the launch: 1 once a block's looks are over.
  uint32_t* stopped;
  // What is streamed: 16-byte words, kVisibilityStep for each block at least;
  // 0: nothing is.
  const uint4* memory;
  uint64_t words;
  // Never read.
  uint4* sink;
};

// Blocks of it that an SM holds.
cudaError_t VisibilityBlocksPerSm(int* blocks_per_sm);
cudaError_t LaunchVisibility(const VisibilityParams& params, uint32_t blocks,
                             cudaStream_t stream);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_SUITES_VISIBILITY_KERNEL_H_
