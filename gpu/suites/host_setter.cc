#include "gpu/suites/host_setter.h"

#include <atomic>

#include "absl/strings/str_cat.h"
#include "gpu/harness/host_beacon.h"

namespace tilebound::gpu {
namespace {

constexpr uint32_t kStretch = 250;
constexpr uint64_t kPatienceNs = 1'000'000'000;
// Every block looks once more within this, also where the flag is far away and
// hundreds of blocks ask for it.
constexpr uint64_t kFinalWaitNs = 10'000'000;

// cuStreamWriteValue32, looked up so that nothing links the driver.
using StreamWrite = int (*)(cudaStream_t, unsigned long long, unsigned,
                            unsigned);

absl::StatusOr<StreamWrite> FindStreamWrite() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", &function, 12000,
                                       cudaEnableDefault, &found),
      "cuStreamWriteValue32"));
  if (found != cudaDriverEntryPointSuccess) {
    return absl::UnimplementedError("the driver has no cuStreamWriteValue32");
  }
  return reinterpret_cast<StreamWrite>(function);
}

// Where the host's sets go.
class FlagWriter {
 public:
  explicit FlagWriter(const PersistentRun& run) : run_(run) {}
  ~FlagWriter() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  absl::Status Open() {
    if (run_.host_flag() != nullptr) return absl::OkStatus();
    TILEBOUND_ASSIGN_OR_RETURN(write_, FindStreamWrite());
    return CudaStatus(
        cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream");
  }

  absl::Status Set(uint32_t generation) {
    if (run_.host_flag() != nullptr) {
      *run_.host_flag() = generation;
      std::atomic_thread_fence(std::memory_order_seq_cst);
      return absl::OkStatus();
    }
    const auto address =
        reinterpret_cast<unsigned long long>(run_.params().flag);
    if (write_(stream_, address, generation, 0) != 0) {
      return absl::UnavailableError("cuStreamWriteValue32 failed");
    }
    return absl::OkStatus();
  }

 private:
  const PersistentRun& run_;
  StreamWrite write_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

// The host's side of the events.
struct HostTimes {
  std::vector<uint64_t> set_ns, seen_ns;
};

void Spin(uint64_t until_ns) {
  while (HostNowNs() < until_ns) {
  }
}

absl::StatusOr<HostTimes> SetEvents(const PersistentRun& run,
                                    FlagWriter& writer,
                                    const std::vector<uint32_t>& gaps_ns) {
  HostTimes times;
  uint64_t last = HostNowNs() + kFinalWaitNs;
  for (uint32_t event = 0; event < gaps_ns.size(); ++event) {
    Spin(last + gaps_ns[event]);
    times.set_ns.push_back(HostNowNs());
    TILEBOUND_RETURN_IF_ERROR(writer.Set(event + 1));
    while (run.host_end_ns()[event] == 0) {
      if (HostNowNs() - times.set_ns.back() > kPatienceNs) {
        return absl::DeadlineExceededError(absl::StrCat(
            "event ", event, " set by the host was not over after a second"));
      }
    }
    last = HostNowNs();
    times.seen_ns.push_back(last);
  }
  Spin(last + kFinalWaitNs);
  return times;
}

uint64_t FirstObservation(const RunLog& log, uint32_t event) {
  uint64_t first = ~uint64_t{0};
  for (uint32_t block = 0; block < log.blocks; ++block) {
    const uint64_t at = log.observed(event, block);
    if (at != 0) first = std::min(first, at);
  }
  return first;
}

absl::StatusOr<double> Relate(const HostTimes& times, RunLog& log) {
  double worst_ns = 0;
  for (uint32_t start = 0; start < log.events; start += kStretch) {
    const uint32_t end = std::min(start + kStretch, log.events);
    OffsetBounds bounds;
    for (uint32_t e = start; e < end; ++e) {
      bounds.NotBefore(times.set_ns[e], FirstObservation(log, e));
      bounds.NotAfter(times.seen_ns[e], log.end_ns[e]);
    }
    if (!bounds.consistent()) {
      return absl::FailedPreconditionError(
          absl::StrCat("events ", start, " to ", end,
                       ": the clocks of host and device cannot be related"));
    }
    worst_ns = std::max(worst_ns, bounds.error_ns());
    for (uint32_t e = start; e < end; ++e) {
      // Within the error the set may seem later than what it caused.
      log.set_ns[e] = std::min(bounds.ToDeviceNs(times.set_ns[e]),
                               FirstObservation(log, e));
    }
  }
  return worst_ns / 1e3;
}

}  // namespace

absl::StatusOr<HostSetRun> RunHostSetter(const Workload& work,
                                         const RunRequest& request) {
  TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
                             PersistentRun::Make(work, request));
  FlagWriter writer(run);
  TILEBOUND_RETURN_IF_ERROR(writer.Open());
  TILEBOUND_RETURN_IF_ERROR(run.Launch());
  const absl::StatusOr<HostTimes> times =
      SetEvents(run, writer, request.gaps_ns);
  TILEBOUND_RETURN_IF_ERROR(writer.Set(kStopGeneration));
  HostSetRun result;
  TILEBOUND_ASSIGN_OR_RETURN(result.log, run.Finish());
  TILEBOUND_RETURN_IF_ERROR(times.status());
  TILEBOUND_ASSIGN_OR_RETURN(result.clock_error_us, Relate(*times, result.log));
  return result;
}

}  // namespace tilebound::gpu
