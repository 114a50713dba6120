// Looks between tiles.
#include "gpu/kernels/groups.h"
#include "gpu/kernels/persistent.cuh"
#include "gpu/tiles/sgemm64_cpasync.cuh"

namespace tilebound::gpu {
namespace {

using enum FlagRead;
using enum CopyDiscipline;
using enum Recording;
using enum SetterKind;
using enum Control;

// In the order of KernelVariant.
template <FlagRead kFlag, CopyDiscipline kDiscipline, Recording kRecording,
          SetterKind kSetter, Control kControl>
KernelEntry Make() {
  return Entry<
      Sgemm64Cpasync,
      VariantType<TileKind::kSgemm64Cpasync, LookSite::kBoundary, kFlag,
                  kDiscipline, kRecording, kSetter, kControl>>();
}

}  // namespace

std::vector<KernelEntry> Sgemm64CpasyncBoundary() {
  return {
      Make<kDefault, kDrain, kNone, kDevice, kPolling>(),
      Make<kDefault, kDrain, kNone, kHost, kPolling>(),
      Make<kDefault, kDrain, kNone, kHost, kDummy>(),
      Make<kDefault, kDrain, kNone, kHost, kPlain>(),
      Make<kDefault, kAny, kCounters, kDevice, kPolling>(),
      Make<kDefault, kDrain, kTrace, kDevice, kPolling>(),
  };
}

}  // namespace tilebound::gpu
