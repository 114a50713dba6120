#include <cuda_runtime.h>

#include <cuda/atomic>

#include "gpu/examples/softmax.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kWarps = kThreads / 32;
// Resident on an SM at least; without it the compiler would rather spill than
// use more than 32 registers.
constexpr uint32_t kLeastBlocks = 4;

template <typename T>
using Shared = cuda::atomic_ref<T, cuda::thread_scope_device>;
constexpr auto kRelaxed = cuda::memory_order_relaxed;

// What the blocks have in common, besides the matrices.
struct Words {
  unsigned long long ticket;
  // Events set so far: the flag. Relaxed reads and writes will do, since
  // nothing is handed over through it.
  unsigned long long generation;
  // Events of which all urgent tiles are done.
  unsigned long long complete;
  unsigned int expired;
};

struct Work {
  const float* input;
  float* output;
  Words* words;
  // For each event: urgent tiles handed out, and done.
  unsigned int* claimed;
  unsigned int* done;
  SoftmaxConfig config;
};

__device__ unsigned long long TimerNs() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
  return ns;
}

__device__ float WarpMax(float value) {
  for (int lane = 16; lane > 0; lane /= 2) {
    value = fmaxf(value, __shfl_xor_sync(~0u, value, lane));
  }
  return value;
}

__device__ float WarpSum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) {
    value += __shfl_xor_sync(~0u, value, lane);
  }
  return value;
}

// The work: a warp takes a row at a time.
__device__ void SoftmaxTile(const Work& work, unsigned long long tile) {
  const uint32_t columns = work.config.columns;
  const uint32_t lane = threadIdx.x % 32;
  for (uint32_t r = threadIdx.x / 32; r < kSoftmaxTileRows; r += kWarps) {
    const size_t row = (tile * kSoftmaxTileRows + r) * columns;
    float most = -INFINITY;
    for (uint32_t c = lane; c < columns; c += 32) {
      most = fmaxf(most, work.input[row + c]);
    }
    most = WarpMax(most);
    float sum = 0;
    for (uint32_t c = lane; c < columns; c += 32) {
      sum += expf(work.input[row + c] - most);
    }
    const float scale = 1 / WarpSum(sum);
    for (uint32_t c = lane; c < columns; c += 32) {
      work.output[row + c] = expf(work.input[row + c] - most) * scale;
    }
  }
}

// Thread 0 of block 0: the next event comes gap_ns after the last is complete.
// Its state is in registers, where no other thread can read it.
template <bool kRecord>
struct Setter {
  unsigned long long sets = 0;
  unsigned long long due_ns = 0;

  __device__ void Step(const Work& work, Recorder<kRecord>& recorder) {
    if (sets == work.config.events) return;
    if (Shared(work.words->complete).load(kRelaxed) != sets) return;
    const unsigned long long now = TimerNs();
    if (due_ns == 0) due_ns = now + work.config.gap_ns;
    if (now < due_ns) return;
    due_ns = 0;
    ++sets;
    recorder.FlagSet(sets);
    Shared(work.words->generation).store(sets, kRelaxed);
  }
};

// Takes tiles of the event until none is left; all threads of the block.
template <bool kRecord>
__device__ void RunUrgent(const Work& work, unsigned long long generation,
                          Recorder<kRecord>& recorder) {
  __shared__ unsigned int claimed;
  const bool leader = threadIdx.x == 0;
  const uint32_t tiles = work.config.urgent_tiles;
  while (true) {
    if (leader) {
      claimed = Shared(work.claimed[generation - 1]).fetch_add(1, kRelaxed);
    }
    __syncthreads();
    // A copy that nobody rewrites: what all threads branch on.
    const unsigned int tile = claimed;
    __syncthreads();
    if (tile >= tiles) return;
    if (leader) {
      recorder.Claim(generation, tile, /*site=*/1);
      recorder.UrgentBegin(generation, tile);
    }
    SoftmaxTile(work, work.config.tasks + (generation - 1) * tiles + tile);
    __syncthreads();
    if (leader) {
      recorder.UrgentEnd(generation, tile);
      auto done = Shared(work.done[generation - 1]);
      if (done.fetch_add(1, kRelaxed) + 1 == tiles) {
        Shared(work.words->complete).fetch_add(1, cuda::memory_order_release);
      }
    }
  }
}

template <bool kRecord>
__global__ void __launch_bounds__(kThreads, kLeastBlocks)
    PersistentSoftmax(const Work work, const RecorderView view) {
  // What thread 0 decides at a boundary.
  struct Turn {
    unsigned long long generation;
    unsigned long long task;
    bool over;
  };
  __shared__ Turn shared_turn;
  Recorder<kRecord> recorder(view);
  Setter<kRecord> setter;
  const bool leader = threadIdx.x == 0;
  const unsigned long long end_ns = TimerNs() + work.config.deadline_ns;
  unsigned long long seen = 0;
  bool idle = false;
  if (leader) recorder.BlockStart();
  for (uint32_t boundary = 0;; ++boundary) {
    if (leader) {
      Words& words = *work.words;
      if (blockIdx.x == 0) setter.Step(work, recorder);
      Turn turn = {seen, 0, false};
      if (idle || boundary % work.config.period == 0) {
        // In this order: who sees all events complete sees them set.
        turn.over = Shared(words.complete).load(cuda::memory_order_acquire) ==
                    work.config.events;
        turn.generation = Shared(words.generation).load(kRelaxed);
      }
      turn.over = turn.over && idle;
      if (TimerNs() > end_ns) {
        turn.over = true;
        Shared(words.expired).store(1u, kRelaxed);
      }
      turn.task = Shared(words.ticket).fetch_add(1, kRelaxed);
      shared_turn = turn;
    }
    __syncthreads();
    const Turn turn = shared_turn;
    __syncthreads();
    while (seen < turn.generation) {
      ++seen;
      if (leader) recorder.Observe(seen);
      RunUrgent(work, seen, recorder);
    }
    if (turn.over) break;
    idle = turn.task >= work.config.tasks;
    if (idle) continue;
    if (leader) recorder.Pop(turn.task);
    SoftmaxTile(work, turn.task);
    __syncthreads();
    if (leader) recorder.TileEnd(turn.task);
  }
  if (leader) recorder.BlockExit();
}

// Frees what it holds, and keeps the first error.
class Device {
 public:
  ~Device() {
    for (void* pointer : pointers_) cudaFree(pointer);
  }
  void Keep(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }
  // Filled with `byte`.
  template <typename T>
  T* Allocate(size_t count, int byte) {
    T* pointer = nullptr;
    Keep(cudaMalloc(&pointer, sizeof(T) * count + 1));
    pointers_.push_back(pointer);
    if (error_ == cudaSuccess) {
      Keep(cudaMemset(pointer, byte, sizeof(T) * count + 1));
    }
    return pointer;
  }
  bool ok() const { return error_ == cudaSuccess; }
  std::string error() const { return ok() ? "" : cudaGetErrorString(error_); }

 private:
  cudaError_t error_ = cudaSuccess;
  std::vector<void*> pointers_;
};

}  // namespace

SoftmaxGrid PlanSoftmax(const SoftmaxConfig& config, bool record) {
  Device device;
  int ordinal = 0, sms = 0, fit = 0;
  device.Keep(cudaGetDevice(&ordinal));
  device.Keep(
      cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, ordinal));
  device.Keep(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &fit, record ? PersistentSoftmax<true> : PersistentSoftmax<false>,
      kThreads, 0));
  SoftmaxGrid grid;
  grid.error = device.error();
  const int asked = static_cast<int>(config.blocks_per_sm);
  if (device.ok() && asked > fit) {
    // A block that is not resident would never look.
    grid.error = std::to_string(asked) + " blocks per SM do not fit; " +
                 std::to_string(fit) + " do";
  }
  grid.blocks_per_sm = asked == 0 ? fit : asked;
  grid.blocks = grid.blocks_per_sm * sms;
  return grid;
}

SoftmaxResult RunSoftmax(const SoftmaxConfig& config, uint32_t blocks,
                         const std::vector<float>& input,
                         const RecorderView* view) {
  SoftmaxResult result;
  Device device;
  const size_t elements = config.rows() * config.columns;
  float* const in = device.Allocate<float>(elements, 0);
  Work work = {};
  work.input = in;
  // All ones is a NaN.
  work.output = device.Allocate<float>(elements, 0xFF);
  work.words = device.Allocate<Words>(1, 0);
  work.claimed = device.Allocate<unsigned int>(config.events, 0);
  work.done = device.Allocate<unsigned int>(config.events, 0);
  work.config = config;
  cudaEvent_t begin = nullptr, end = nullptr;
  device.Keep(cudaEventCreate(&begin));
  device.Keep(cudaEventCreate(&end));
  if (device.ok()) {
    device.Keep(cudaMemcpy(in, input.data(), elements * sizeof(float),
                           cudaMemcpyHostToDevice));
    // The fills are ordered before the launch, which is on the same stream.
    device.Keep(cudaEventRecord(begin));
    if (view == nullptr) {
      PersistentSoftmax<false><<<blocks, kThreads>>>(work, {});
    } else {
      PersistentSoftmax<true><<<blocks, kThreads>>>(work, *view);
    }
    device.Keep(cudaGetLastError());
    device.Keep(cudaEventRecord(end));
    device.Keep(cudaDeviceSynchronize());
  }
  if (device.ok()) {
    float milliseconds = 0;
    Words words;
    result.output.resize(elements);
    device.Keep(cudaEventElapsedTime(&milliseconds, begin, end));
    device.Keep(
        cudaMemcpy(&words, work.words, sizeof(words), cudaMemcpyDeviceToHost));
    device.Keep(cudaMemcpy(result.output.data(), work.output,
                           elements * sizeof(float), cudaMemcpyDeviceToHost));
    result.milliseconds = milliseconds;
    result.expired = words.expired != 0;
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  result.error = device.error();
  return result;
}

}  // namespace tilebound::gpu
