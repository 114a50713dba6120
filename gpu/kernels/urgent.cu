// Urgent work as a kernel of its own, which the host launches.
#include "gpu/kernels/launch_table.h"
#include "gpu/kernels/persistent.cuh"
#include "gpu/tiles/sgemm64.cuh"
#include "gpu/tiles/sgemm64_cpasync.cuh"
#include "gpu/tiles/tensor128.cuh"

namespace tilebound::gpu {
namespace {

template <typename Tile, int kMinBlocks>
KernelEntry Make(TileKind tile) {
  KernelEntry entry = {};
  entry.variant.tile = tile;
  entry.variant.control = Control::kPlain;
  entry.function =
      reinterpret_cast<const void*>(&UrgentTileKernel<Tile, kMinBlocks>);
  entry.threads = Tile::kThreads;
  entry.dynamic_shared_bytes = SharedBytes<Tile>();
  entry.blocks_per_sm = kMinBlocks;
  return entry;
}

}  // namespace

KernelEntry UrgentKernel(TileKind tile, bool fit_registers) {
  // One slot of 4 of sgemm64 leaves 16,384 registers, 64 for each thread. A
  // persistent tensor128 leaves no slot; half an SM is what could be asked for.
  switch (tile) {
    case TileKind::kSgemm64:
      return fit_registers ? Make<Sgemm64, 4>(tile) : Make<Sgemm64, 1>(tile);
    case TileKind::kSgemm64Cpasync:
      return fit_registers ? Make<Sgemm64Cpasync, 4>(tile)
                           : Make<Sgemm64Cpasync, 1>(tile);
    case TileKind::kTensor128:
      break;
  }
  return fit_registers ? Make<Tensor128, 2>(tile) : Make<Tensor128, 1>(tile);
}

}  // namespace tilebound::gpu
