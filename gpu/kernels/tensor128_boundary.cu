// Looks between tiles.
#include "gpu/kernels/groups.h"
#include "gpu/kernels/persistent.cuh"
#include "gpu/tiles/tensor128.cuh"

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
  return Entry<Tensor128,
               VariantType<TileKind::kTensor128, LookSite::kBoundary, kFlag,
                           kDiscipline, kRecording, kSetter, kControl>>();
}

}  // namespace

std::vector<KernelEntry> Tensor128Boundary() {
  return {
      Make<kDefault, kDrain, kNone, kDevice, kPolling>(),
      Make<kDefault, kDrain, kNone, kHost, kPolling>(),
      Make<kDefault, kDrain, kNone, kHost, kDummy>(),
      Make<kDefault, kDrain, kNone, kHost, kPlain>(),
      Make<kDefault, kAny, kCounters, kDevice, kPolling>(),
      Make<kDefault, kDrain, kTrace, kDevice, kPolling>(),
      Make<kSync, kDrain, kNone, kDevice, kPolling>(),
      Make<kSync, kDrain, kNone, kHost, kPolling>(),
      Make<kPipelined, kDrain, kNone, kDevice, kPolling>(),
      Make<kPipelined, kDrain, kNone, kHost, kPolling>(),
  };
}

}  // namespace tilebound::gpu
