// The instantiations of the persistent kernel that this binary holds.
//
//   const KernelEntry* entry = FindKernel({.tile = TileKind::kSgemm64});
//   if (entry == nullptr) ...        // not instantiated
//   cudaLaunchKernel(entry->function, grid, entry->threads, args,
//                    entry->dynamic_shared_bytes, stream);
//
// Each group (tile, site) is a file of its own, gpu/kernels/TILE_SITE.cu, so
// that they compile side by side. To add an instantiation, add a line there.
#ifndef TILEBOUND_GPU_KERNELS_LAUNCH_TABLE_H_
#define TILEBOUND_GPU_KERNELS_LAUNCH_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/kernels/variant.h"

namespace tilebound::gpu {

struct KernelEntry {
  KernelVariant variant;
  // For cudaLaunchKernel and cudaFuncGetAttributes.
  const void* function;
  uint32_t threads;
  uint32_t dynamic_shared_bytes;
  // Second argument of __launch_bounds__: the residency it is built for.
  uint32_t blocks_per_sm;
};

// A background or urgent tile of a kind, as the host needs it.
struct TileShape {
  // Catalog name: "sgemm64".
  const char* kernel;
  uint32_t m;
  uint32_t n;
  // k is a multiple of it.
  uint32_t chunk_k;
  // Bytes of an element of A and B: 4 or 2.
  uint32_t element_bytes;
};
const TileShape& ShapeOf(TileKind tile);

// The run kernel of host-launched urgent work (suites baseline and reserve):
// grid = urgent tiles, one tile a block, KernelParams as for the persistent
// kernel of which it reads k, urgent_operands, urgent_c and writes
// blocks[blockIdx.x] (sm, slot 0, start and end). `fit_registers`: built to fit
// the registers that one reserved slot leaves free.
KernelEntry UrgentKernel(TileKind tile, bool fit_registers);

// Null if it is not instantiated. kSync and kDefault at stage and issue sites
// are one instantiation and either finds it.
const KernelEntry* FindKernel(const KernelVariant& variant);
std::vector<KernelEntry> AllKernels();

// "sgemm64 boundary default drain none device polling".
std::string Describe(const KernelVariant& variant);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_KERNELS_LAUNCH_TABLE_H_
