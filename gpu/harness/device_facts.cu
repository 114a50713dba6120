#include <cuda_runtime.h>

#include <string>

#include "gpu/harness/device_facts.h"

namespace tilebound::gpu {
namespace {

// Steps of the timer that one launch looks at.
constexpr int kSteps = 64;

__device__ unsigned long long GlobalTimerNs() {
  unsigned long long ns;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
  return ns;
}

// Writes the smallest difference between successive different reads.
__global__ void TimerTick(unsigned long long* tick_ns) {
  unsigned long long smallest = ~0ull, last = GlobalTimerNs();
  for (int step = 0; step < kSteps;) {
    const unsigned long long now = GlobalTimerNs();
    if (now == last) continue;
    smallest = min(smallest, now - last);
    last = now;
    ++step;
  }
  *tick_ns = smallest;
}

std::string Describe(const char* what, cudaError_t error) {
  return std::string(what) + ": " + cudaGetErrorString(error);
}

// An attribute, or 0 with the first error kept in `facts`.
int Attribute(cudaDeviceAttr attribute, int ordinal, DeviceFacts& facts) {
  int value = 0;
  const cudaError_t error = cudaDeviceGetAttribute(&value, attribute, ordinal);
  if (error != cudaSuccess && facts.error.empty()) {
    facts.error = Describe("cudaDeviceGetAttribute", error);
  }
  return value;
}

void MeasureTick(DeviceFacts& facts) {
  unsigned long long* tick = nullptr;
  unsigned long long tick_ns = 0;
  cudaError_t error = cudaMalloc(&tick, sizeof(*tick));
  if (error == cudaSuccess) {
    TimerTick<<<1, 1>>>(tick);
    error = cudaGetLastError();
    // Waits for the kernel, and returns its error if it had one.
    if (error == cudaSuccess) {
      error =
          cudaMemcpy(&tick_ns, tick, sizeof(tick_ns), cudaMemcpyDeviceToHost);
    }
    cudaFree(tick);
  }
  facts.timer_tick_ns = tick_ns;
  if (error != cudaSuccess) facts.error = Describe("timer kernel", error);
}

}  // namespace

DeviceFacts ReadDeviceFacts(int ordinal) {
  DeviceFacts facts;
  cudaError_t error = cudaSetDevice(ordinal);
  cudaDeviceProp properties;
  if (error == cudaSuccess) {
    error = cudaGetDeviceProperties(&properties, ordinal);
  }
  if (error != cudaSuccess) {
    facts.error = Describe("no CUDA device", error);
    return facts;
  }
  facts.product = properties.name;
  facts.compute_capability = properties.major * 10 + properties.minor;
  facts.sm_count = properties.multiProcessorCount;
  facts.warp_size = properties.warpSize;
  facts.threads_per_block = properties.maxThreadsPerBlock;
  facts.threads_per_sm = properties.maxThreadsPerMultiProcessor;
  facts.blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  facts.registers_per_block = properties.regsPerBlock;
  facts.registers_per_sm = properties.regsPerMultiprocessor;
  facts.shared_bytes_per_sm =
      static_cast<uint32_t>(properties.sharedMemPerMultiprocessor);
  facts.shared_bytes_per_block =
      static_cast<uint32_t>(properties.sharedMemPerBlockOptin);
  facts.shared_bytes_reserved_per_block =
      static_cast<uint32_t>(properties.reservedSharedMemPerBlock);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.l2_bytes = properties.l2CacheSize;
  facts.clock_mhz = Attribute(cudaDevAttrClockRate, ordinal, facts) / 1e3;
  // Two transfers a clock of a bus of so many bits.
  facts.bandwidth_gb_per_s =
      2.0 * Attribute(cudaDevAttrMemoryClockRate, ordinal, facts) * 1e3 *
      properties.memoryBusWidth / 8 / 1e9;
  cudaDriverGetVersion(&facts.driver_version);
  cudaRuntimeGetVersion(&facts.runtime_version);
  MeasureTick(facts);
  return facts;
}

}  // namespace tilebound::gpu
