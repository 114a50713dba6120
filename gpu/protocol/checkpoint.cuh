// The sites where a block looks at the flag. A tile calls every hook below in
// the places that it has; those of other sites compile to nothing.
//
//   hook             place in a tile                        used by site
//   BeforeWait()     copies issued, none waited for         issue
//   AfterWait()      chunk landed, barrier passed           stage
//   ComputeBegins()  before the arithmetic of a chunk, and  folded
//                    ahead of copies issued meanwhile
//   Release()        IS the barrier that frees the buffer   folded (or-barrier)
//   BeforeBarrier(c), AfterBarrier(c)
//                    around the barrier of chunk c where a
//                    tile has only one                      folded (parity
//                    word)
//   BeforeEpilogue() arithmetic done, outputs not stored    boundary, pipelined
//   Landed(buffer)   first chunk in place, barrier passed   poison
//
// Looks return whether the flag moved, the same to all threads; the tile then
// leaves its chunk loop and calls Handle(), which is out of the hot path.
//
// Stage and issue sites are those of the published study: a barrier of their
// own. The folded site costs no barrier: thread 0 loads the flag while the
// block computes, and the decision rides on a barrier that is there anyway.
#ifndef TILEBOUND_GPU_PROTOCOL_CHECKPOINT_CUH_
#define TILEBOUND_GPU_PROTOCOL_CHECKPOINT_CUH_

#include <cstdint>

#include "gpu/kernels/variant.h"
#include "gpu/protocol/claim.cuh"
#include "gpu/protocol/clock.cuh"
#include "gpu/protocol/flag.cuh"
#include "gpu/protocol/looks.cuh"
#include "gpu/protocol/message.cuh"
#include "gpu/protocol/params.h"
#include "gpu/protocol/queue.cuh"
#include "gpu/protocol/recorder.cuh"
#include "gpu/protocol/setter.cuh"

namespace tilebound::gpu {

// No looks: urgent tiles, and the urgent kernel. `kPoison`: may corrupt what
// was copied, so that the check of outputs can be seen to work.
template <bool kPoison>
class NoSites {
 public:
  __device__ explicit NoSites(bool poison) : poison_(poison) {}

  __device__ bool BeforeWait() { return false; }
  __device__ bool AfterWait() { return false; }
  __device__ void ComputeBegins() {}
  __device__ bool Release() {
    __syncthreads();
    return false;
  }
  __device__ void BeforeBarrier(uint32_t) {}
  __device__ bool AfterBarrier(uint32_t) { return false; }
  __device__ void BeforeEpilogue() {}
  __device__ bool Handle(uint32_t) { return false; }
  template <typename T>
  __device__ void Landed(T* buffer) {
    if constexpr (kPoison) {
      if (poison_) {
        if (threadIdx.x == 0) buffer[0] = T(1000.f);
        __syncthreads();
      }
    }
  }

 private:
  bool poison_;
};

// The looks of a worker block. State is thread 0's; the others carry it along
// unused.
template <typename Variant>
class Checkpoint {
 public:
  static constexpr KernelVariant kVariant = Variant::kValue;
  static constexpr LookSite kSite = kVariant.site;
  static constexpr bool kPolls = kVariant.control == Control::kPolling;
  static constexpr bool kDecides = kVariant.control != Control::kPlain;
  static constexpr bool kHost = kVariant.setter == SetterKind::kHost;
  static constexpr bool kSets = kVariant.setter == SetterKind::kDevice;
  static constexpr bool kFolded = kSite == LookSite::kFolded;
  static constexpr bool kAtBoundary = kSite == LookSite::kBoundary || kFolded;
  static constexpr bool kInTile = kSite != LookSite::kBoundary;
  static constexpr bool kPipelined = kVariant.flag == FlagRead::kPipelined;
  // Looks that ride on a word in shared memory (BeforeBarrier, AfterBarrier).
  static constexpr bool kParityWord =
      kFolded && kVariant.tile == TileKind::kTensor128;
  // When a look is acted on, the load of the next one is under way.
  static constexpr bool kLoadsAhead =
      kParityWord || (kPipelined && kSite != LookSite::kBoundary);
  static constexpr bool kTraces = kVariant.recording == Recording::kTrace;
  static constexpr bool kCounts = kVariant.recording == Recording::kCounters;

  __device__ Checkpoint(const KernelParams& params, Message* message)
      : params_(params),
        message_(message),
        looks_(params.period),
        setter_(params),
        recorder_(params.recorder),
        flag_(params.flag) {
    // Where registers are plenty, the address is kept in two of them: fetched
    // from the constant bank it holds the first warp up behind each barrier.
    if constexpr (kParityWord) asm volatile("" : "+l"(flag_));
    if (Lead() && blockIdx.x == 0) message->deadline = DeadlineOf(params);
  }

  __device__ static bool Lead() { return threadIdx.x == 0; }

  // The boundary: draws the next ticket, and returns whether the flag moved.
  __device__ __forceinline__ bool Pop() {
    // Said aloud, so that no register keeps the last ones.
    claim_ = kNoClaim;
    event_ = groups_ = 0;
    if constexpr (!kPipelined) latest_ = looks_.Unmoved();
    if (Lead()) {
      if constexpr (kDecides && kAtBoundary) {
        const bool due = Due();
        if constexpr (!kPipelined) latest_ = LoadIf(due, latest_);
      }
      uint64_t* counter = &params_.state->ticket.value;
      if constexpr (kPolls && kVariant.flag == FlagRead::kSync) {
        // An address that depends on the flag: the ticket waits for it.
        counter += latest_ == kStopGeneration - 1 ? 1 : 0;
      }
      message_->ticket = PopTicket(counter);
      if constexpr (kDecides && kAtBoundary) message_->moved = Moved();
      if constexpr (kLoadsAhead) look_ = latest_;
      Set();
      if (blockIdx.x == 0) WatchDeadline(params_, message_->deadline);
    }
    __syncthreads();
    return kDecides && kAtBoundary && message_->moved != 0;
  }

  // The ticket that was drawn last. Read it again rather than hold it in
  // registers; thread 0 writes the next one behind a barrier of the tile, so
  // threads other than 0 may not read it once the tile is done.
  __device__ __forceinline__ uint64_t task() const { return message_->ticket; }

  __device__ __forceinline__ bool BeforeWait() {
    if constexpr (kSite == LookSite::kIssue && kPolls) return OwnBarrierLook();
    return false;
  }
  __device__ __forceinline__ bool AfterWait() {
    if constexpr (kSite == LookSite::kStage && kPolls) return OwnBarrierLook();
    return false;
  }
  __device__ __forceinline__ void ComputeBegins() {
    if constexpr (kFolded && kDecides) {
      latest_ = LoadIf(Lead(), looks_.Unmoved());
    }
  }
  __device__ __forceinline__ bool Release() {
    if constexpr (kFolded && kDecides) {
      const bool moved = __syncthreads_or(Moved()) != 0;
      // Here, where the fewest registers are in use.
      if (Lead()) Set();
      return moved;
    }
    __syncthreads();
    return false;
  }
  __device__ __forceinline__ void BeforeBarrier(uint32_t chunk) {
    if constexpr (kFolded && kDecides) {
      look_ = latest_;
      if (Lead()) {
        message_->changed[chunk & 1] = Moved();
        Set();
      }
    }
  }
  __device__ __forceinline__ bool AfterBarrier(uint32_t chunk) {
    if constexpr (kFolded && kDecides) {
      return message_->changed[chunk & 1] != 0;
    }
    return false;
  }
  __device__ __forceinline__ void BeforeEpilogue() {
    if constexpr (kPipelined && kSite == LookSite::kBoundary && kPolls) {
      latest_ = LoadIf(Lead() && looks_.AlmostDue(), latest_);
    }
  }
  template <typename T>
  __device__ void Landed(T*) {}

  // All threads, after a look that returned true. Records the observation,
  // competes for urgent work, and returns whether this block got some (then
  // claim() and event() say what). `groups` is the number of copy groups in
  // flight, known from the place in the tile.
  __device__ bool Handle(uint32_t groups) {
    if (Lead()) {
      message_->claim = Observe();
      message_->event = event_;
    }
    __syncthreads();
    claim_ = message_->claim;
    event_ = message_->event;
    groups_ = groups;
    __syncthreads();
    return claim_ != kNoClaim;
  }

  // The next urgent tile of the same event; all threads, after a barrier.
  __device__ bool NextClaim() {
    if (Lead()) {
      message_->claim = kNoClaim;
      // The tiles go out in order: nothing follows the last.
      if (claim_ + 1 < params_.urgent_tiles) {
        message_->claim = ClaimTile(params_, event_);
        if (message_->claim != kNoClaim) RecordClaim(message_->claim);
      }
    }
    __syncthreads();
    claim_ = message_->claim;
    __syncthreads();
    return claim_ != kNoClaim;
  }

  __device__ uint32_t claim() const { return claim_; }
  __device__ uint32_t event() const { return event_; }
  __device__ uint32_t groups() const { return groups_; }
  __device__ Recorder<kTraces>& recorder() { return recorder_; }

 private:
  __device__ __forceinline__ bool Due() {
    if constexpr (!kPolls) return false;
    // At folded sites each look counts: counting them would cost more than
    // they do.
    if constexpr (kFolded) return true;
    return looks_.Due(params_.period);
  }

  // A control does without the load, and the compiler is not to know that
  // nothing ever moves.
  __device__ __forceinline__ uint32_t LoadIf(bool condition,
                                             uint32_t otherwise) const {
    if constexpr (kPolls) {
      return LoadFlagIf<kHost>(condition, flag_, otherwise);
    }
    asm volatile("" : "+r"(otherwise));
    return otherwise;
  }

  __device__ __forceinline__ bool Moved() const {
    return looks_.Moved(latest_);
  }

  __device__ __forceinline__ void Set() {
    if constexpr (kSets) {
      if (blockIdx.x != 0) return;
      const uint32_t generation = setter_.Step(params_);
      if constexpr (kTraces) {
        // The time taken before the store: one taken now may be later than the
        // first observation.
        if (generation != 0) {
          recorder_.FlagSet(generation, params_.set_ns[generation - 1]);
        }
      }
    }
  }

  __device__ __forceinline__ bool OwnBarrierLook() {
    if (Lead()) {
      if constexpr (kPipelined) {
        // Loaded at the look before; the next load is under way during the
        // stage.
        message_->changed[0] = looks_.Moved(latest_);
        look_ = latest_;
        latest_ = LoadIf(Due(), latest_);
      } else {
        latest_ = LoadIf(Due(), looks_.Unmoved());
        message_->changed[0] = looks_.Moved(latest_);
      }
      Set();
    }
    __syncthreads();
    return message_->changed[0] != 0;
  }

  __device__ void RecordClaim(uint32_t tile) {
    recorder_.Claim(event_ + 1, tile, SiteNumber());
  }
  // Numbers of pb::Site.
  __device__ static constexpr uint32_t SiteNumber() {
    return static_cast<uint32_t>(kSite) + 1;
  }

  // Thread 0: everything from the generation after the last one seen.
  __device__ uint32_t Observe() {
    const uint32_t generation = kLoadsAhead ? look_ : latest_;
    if (generation == kStopGeneration) {
      StopQueue(params_.state);
      looks_.See(generation);
      return kNoClaim;
    }
    const uint64_t now = GlobalTimerNs();
    for (uint32_t g = looks_.seen() + 1; g <= generation; ++g) {
      params_.observed_ns[uint64_t{g - 1} * gridDim.x + blockIdx.x] = now;
      recorder_.Observe(g);
    }
    looks_.See(generation);
    event_ = generation - 1;
    const uint32_t tile = ClaimTile(params_, event_);
    if (tile == kNoClaim) return tile;
    if (tile == 0) params_.claim_ns[event_] = now;
    RecordClaim(tile);
    return tile;
  }

  const KernelParams& params_;
  Message* message_;
  // Generation that was loaded last; the pipelined look acts on the load before
  // that.
  uint32_t latest_ = 0;
  uint32_t look_ = 0;
  Looks looks_;
  Setter setter_;
  uint32_t claim_ = kNoClaim;
  uint32_t event_ = 0;
  uint32_t groups_ = 0;
  Recorder<kTraces> recorder_;
  const uint32_t* flag_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_PROTOCOL_CHECKPOINT_CUH_
