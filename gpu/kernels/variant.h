// Which instantiation of the persistent kernel is meant. Whatever could change
// the machine code of the measured loop is here, at compile time; whatever
// cannot (k, period, number of events) is a field of KernelParams.
#ifndef TILEBOUND_GPU_KERNELS_VARIANT_H_
#define TILEBOUND_GPU_KERNELS_VARIANT_H_

#include <cstdint>

namespace tilebound::gpu {

enum class TileKind : uint8_t { kSgemm64, kSgemm64Cpasync, kTensor128 };

// Where a block looks.
enum class LookSite : uint8_t { kBoundary, kStage, kIssue, kFolded };

// How thread 0 reads the flag.
//   kDefault    relaxed load; at a boundary issued together with the ticket's
//               fetch-add, at other sites read in place
//   kSync       relaxed load that is waited for before anything else goes on;
//               at stage and issue sites this is what kDefault does
//   kPipelined  relaxed load issued one stage ahead (at a boundary: before the
//               epilogue of the tile), used at the site
enum class FlagRead : uint8_t { kDefault, kSync, kPipelined };

// kAny takes it at run time (KernelParams::discipline), for safety and counts.
enum class CopyDiscipline : uint8_t { kDrain, kNaive, kAny };

//   kCounters   executions of each task and conflicts are counted
//   kTrace      everything is recorded (protocol/recorder.cuh)
enum class Recording : uint8_t { kNone, kCounters, kTrace };

// kDevice: thread 0 of block 0 sets. kHost: nobody in the kernel does; also
// for runs without events.
enum class SetterKind : uint8_t { kDevice, kHost };

//   kPolling  looks
//   kDummy    the same loop, but the flag is never read: the control against
//             which overhead is reported
//   kPlain    no checkpoint code at all
enum class Control : uint8_t { kPolling, kDummy, kPlain };

struct KernelVariant {
  TileKind tile = TileKind::kSgemm64;
  LookSite site = LookSite::kBoundary;
  FlagRead flag = FlagRead::kDefault;
  CopyDiscipline discipline = CopyDiscipline::kDrain;
  Recording recording = Recording::kNone;
  SetterKind setter = SetterKind::kDevice;
  Control control = Control::kPolling;

  friend constexpr bool operator==(const KernelVariant&,
                                   const KernelVariant&) = default;
};

// The same as a type: nvcc 13.0 writes a host stub that does not compile for a
// kernel with a struct as template argument.
template <TileKind kTile, LookSite kSite, FlagRead kFlag,
          CopyDiscipline kDiscipline, Recording kRecording, SetterKind kSetter,
          Control kControl>
struct VariantType {
  static constexpr KernelVariant kValue = {
      kTile, kSite, kFlag, kDiscipline, kRecording, kSetter, kControl};
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_KERNELS_VARIANT_H_
