#include "gpu/suites/urgent_launch.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "gpu/harness/clock_kernels.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kSamplesPerEvent = 4;
constexpr uint64_t kPatienceNs = 10'000'000'000;
// Between two questions whether the stream has an error.
constexpr uint64_t kAskEveryNs = 1'000'000;

}  // namespace

UrgentLaunches::UrgentLaunches(const Workload& work, const KernelEntry& entry,
                               uint32_t shared_bytes, uint32_t tiles,
                               uint32_t events)
    : work_(work),
      entry_(entry),
      shared_bytes_(shared_bytes),
      tiles_(tiles),
      capacity_(events),
      tile_outputs_(uint64_t{ShapeOf(work.tile()).m} * ShapeOf(work.tile()).n) {
}

UrgentLaunches::~UrgentLaunches() {
  if (stream_ != nullptr) {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }
}

absl::StatusOr<std::unique_ptr<UrgentLaunches>> UrgentLaunches::Make(
    const Workload& work, const KernelEntry& entry, uint32_t extra_shared_bytes,
    uint32_t tiles, uint32_t events) {
  // The constructor is private.
  std::unique_ptr<UrgentLaunches> launches(new UrgentLaunches(
      work, entry, entry.dynamic_shared_bytes + extra_shared_bytes, tiles,
      events));
  TILEBOUND_RETURN_IF_ERROR(launches->Allocate());
  return launches;
}

absl::Status UrgentLaunches::Allocate() {
  int least = 0, greatest = 0;
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaDeviceGetStreamPriorityRange(&least, &greatest), "priorities"));
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest),
      "urgent stream"));
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaFuncSetAttribute(entry_.function,
                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(shared_bytes_)),
      "shared memory of the urgent kernel"));
  const uint64_t blocks = uint64_t{capacity_} * tiles_;
  TILEBOUND_ASSIGN_OR_RETURN(outputs_,
                             DeviceArray<float>::Make(blocks * tile_outputs_));
  TILEBOUND_ASSIGN_OR_RETURN(state_, DeviceArray<SharedState>::Make(1));
  TILEBOUND_ASSIGN_OR_RETURN(
      blocks_, DeviceArray<BlockInfo>::Make(blocks, Where::kMapped));
  TILEBOUND_ASSIGN_OR_RETURN(
      samples_,
      DeviceArray<ClockSample>::Make(uint64_t{capacity_} * kSamplesPerEvent));
  TILEBOUND_ASSIGN_OR_RETURN(word_,
                             DeviceArray<uint64_t>::Make(1, Where::kMapped));
  TILEBOUND_RETURN_IF_ERROR(
      FillNan(outputs_.data(), outputs_.bytes(), stream_));
  for (const cudaError_t error :
       {cudaMemsetAsync(state_.data(), 0, state_.bytes(), stream_),
        cudaMemsetAsync(blocks_.data(), 0, blocks_.bytes(), stream_),
        cudaMemsetAsync(samples_.data(), 0, samples_.bytes(), stream_),
        cudaStreamSynchronize(stream_)}) {
    TILEBOUND_RETURN_IF_ERROR(CudaStatus(error, "fill of the urgent log"));
  }
  beacon_ = std::make_unique<HostBeacon>(word_.host());
  // The first launch loads code, which waits for whatever runs.
  TILEBOUND_RETURN_IF_ERROR(Launch());
  DropLast();
  return absl::OkStatus();
}

absl::Status UrgentLaunches::Launch() {
  if (used_ == capacity_) {
    return absl::InternalError(absl::StrCat(
        "an event after the last of ", capacity_, "; the suite asks for more"));
  }
  const uint64_t first = uint64_t{used_} * tiles_;
  KernelParams params = {};
  params.k = work_.k();
  params.urgent_operands = work_.urgent_operands();
  params.urgent_c = outputs_.data() + first * tile_outputs_;
  params.urgent_tiles = tiles_;
  params.state = state_.data();
  params.blocks = blocks_.data() + first;
  void* arguments[] = {&params};

  UrgentEvent event;
  event.host_launch_ns = HostNowNs();
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaLaunchKernel(entry_.function, dim3(tiles_), dim3(entry_.threads),
                       arguments, shared_bytes_, stream_),
      "launch of the urgent kernel"));
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      LaunchSampleClocks(word_.data(),
                         samples_.data() + uint64_t{used_} * kSamplesPerEvent,
                         kSamplesPerEvent, stream_),
      "launch of the clock samples"));
  // The kernel's last word of each block.
  uint64_t asked = event.host_launch_ns;
  for (uint32_t block = 0; block < tiles_;) {
    if (blocks_.host()[first + block].tiles != 0) {
      ++block;
      continue;
    }
    const uint64_t now = HostNowNs();
    if (now - asked < kAskEveryNs) continue;
    asked = now;
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state != cudaErrorNotReady) {
      TILEBOUND_RETURN_IF_ERROR(CudaStatus(state, "urgent kernel"));
    }
    if (now - event.host_launch_ns > kPatienceNs) {
      return absl::DeadlineExceededError(
          absl::StrCat("the urgent kernel has not ended after ",
                       kPatienceNs / 1'000'000'000, " s"));
    }
  }
  event.host_done_ns = HostNowNs();
  // Then everything that the blocks wrote is there, and the next event finds
  // the stream empty.
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(stream_), "clock samples"));
  event.begin_ns = ~uint64_t{0};
  for (uint32_t block = 0; block < tiles_; ++block) {
    const volatile BlockInfo& info = blocks_.host()[first + block];
    const uint64_t begin = info.start_ns, end = info.end_ns;
    event.begin_ns = std::min(event.begin_ns, begin);
    event.end_ns = std::max(event.end_ns, end);
  }
  events_.push_back(event);
  place_.resize(events_.size());
  place_.back() = used_++;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ClockSample>> UrgentLaunches::Samples() {
  TILEBOUND_ASSIGN_OR_RETURN(std::vector<ClockSample> samples, samples_.Read());
  samples.resize(uint64_t{used_} * kSamplesPerEvent);
  samples.erase(std::remove_if(samples.begin(), samples.end(),
                               [](const ClockSample& sample) {
                                 return sample.device_after_ns == 0;
                               }),
                samples.end());
  return beacon_->Fresh(samples);
}

absl::StatusOr<UrgentLog> UrgentLaunches::Finish(uint64_t tick_ns) {
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaDeviceSynchronize(), "urgent launches"));
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<ClockSample> samples, Samples());
  // Windows of 2 ms: in them clocks that differ by 100 ppm part by 0.2 us.
  TILEBOUND_ASSIGN_OR_RETURN(
      ClockMap clocks, ClockMap::Fit(samples, tick_ns, beacon_->slack_ns(),
                                     /*window_ns=*/2'000'000));
  const uint64_t blocks = uint64_t{used_} * tiles_;
  std::vector<uint64_t> tile(blocks);
  for (uint64_t block = 0; block < blocks; ++block)
    tile[block] = block % tiles_;
  TILEBOUND_ASSIGN_OR_RETURN(auto index, DeviceArray<uint64_t>::Make(blocks));
  TILEBOUND_RETURN_IF_ERROR(index.Write(tile));
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint8_t> wrong,
      work_.urgent().Check(outputs_.data(), blocks, index.data()));
  for (size_t i = 0; i < events_.size(); ++i) {
    const auto first = wrong.begin() + uint64_t{place_[i]} * tiles_;
    events_[i].corrupt = std::any_of(first, first + tiles_,
                                     [](uint8_t one) { return one != 0; });
  }
  return UrgentLog{.events = events_, .clocks = std::move(clocks)};
}

}  // namespace tilebound::gpu
