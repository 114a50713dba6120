// Suite baseline: what urgent work costs without preemption. The host launches
// an urgent kernel of one tile beside a persistent one without checkpoints:
//   saturated      every slot taken: it waits until the background queue is
//                  empty, so its wait is the backlog's; slope and correlation
//   one open slot  saturated less one block
//   one per SM     one block on each SM
// wait: launch call to the urgent kernel's first instruction. e2e: to the last.
#include "gpu/suites/baseline.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gpu/harness/host_beacon.h"
#include "gpu/harness/operand_value.h"
#include "gpu/suites/beside.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 500;
// Backlog left at the launch, uniform between these.
constexpr uint64_t kLeastBacklogNs = 200'000;
constexpr uint64_t kMostBacklogNs = 1'800'000;

// Tasks that have been drawn, read by the copy engine while the grid runs.
class TicketReader {
 public:
  static absl::StatusOr<TicketReader> Make() {
    TicketReader reader;
    TILEBOUND_RETURN_IF_ERROR(CudaStatus(
        cudaStreamCreateWithFlags(&reader.stream_, cudaStreamNonBlocking),
        "copy stream"));
    TILEBOUND_ASSIGN_OR_RETURN(reader.word_,
                               DeviceArray<uint64_t>::Make(1, Where::kMapped));
    return reader;
  }
  TicketReader(TicketReader&& other) noexcept { *this = std::move(other); }
  TicketReader& operator=(TicketReader&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(word_, other.word_);
    return *this;
  }
  ~TicketReader() {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  absl::StatusOr<uint64_t> Read(const PersistentRun& run) {
    TILEBOUND_RETURN_IF_ERROR(CudaStatus(
        cudaMemcpyAsync(word_.data(), &run.params().state->ticket.value,
                        sizeof(uint64_t), cudaMemcpyDefault, stream_),
        "copy of the ticket"));
    TILEBOUND_RETURN_IF_ERROR(
        CudaStatus(cudaStreamSynchronize(stream_), "copy of the ticket"));
    return *word_.host();
  }

 private:
  TicketReader() = default;

  cudaStream_t stream_ = nullptr;
  DeviceArray<uint64_t> word_;
};

struct Saturated {
  UrgentLog log;
  // Background tasks not yet drawn at the launch, one for each event.
  std::vector<double> queued;
};

// Each event beside a run of its own, sized so that a backlog of a random
// length is left when the urgent kernel is launched.
absl::StatusOr<Saturated> MeasureSaturated(const SuiteContext& context,
                                           const Workload& work,
                                           const Plan& plan, const Probe& probe,
                                           const std::vector<uint32_t>& gaps,
                                           UrgentLaunches& urgent) {
  TILEBOUND_ASSIGN_OR_RETURN(TicketReader tickets, TicketReader::Make());
  Saturated result;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const uint64_t backlog_ns =
        kLeastBacklogNs +
        MixedBits(context.seed, i) % (kMostBacklogNs - kLeastBacklogNs);
    TILEBOUND_ASSIGN_OR_RETURN(
        const RunLength length,
        LengthForTime(probe, gaps[i] + backlog_ns, plan.blocks,
                      /*min_tiles_per_block=*/1));
    RunRequest request;
    request.plan = plan;
    request.tasks = length.tasks;
    request.deadline_ns = length.deadline_ns;
    TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
                               PersistentRun::Make(work, request));
    TILEBOUND_RETURN_IF_ERROR(run.Launch());
    WaitUntil(HostNowNs() + gaps[i]);
    TILEBOUND_ASSIGN_OR_RETURN(const uint64_t drawn, tickets.Read(run));
    TILEBOUND_RETURN_IF_ERROR(urgent.Launch());
    TILEBOUND_ASSIGN_OR_RETURN(const RunLog log, run.Finish());
    if (log.expired || log.background_corrupt > 0) {
      return absl::DataLossError(absl::StrCat(
          "background run ", log.expired
                                 ? "ended itself at its deadline"
                                 : "left outputs that differ from float64"));
    }
    result.log.clock_mhz = log.clock_mhz;
    result.queued.push_back(
        static_cast<double>(length.tasks - std::min(drawn, length.tasks)));
  }
  const double clock_mhz = result.log.clock_mhz;
  TILEBOUND_ASSIGN_OR_RETURN(
      result.log, urgent.Finish(context.device->facts().timer_tick_ns));
  result.log.clock_mhz = clock_mhz;
  return result;
}

absl::StatusOr<pb::Cell> MeasureCell(SuiteContext& context,
                                     const pb::Kernel& kernel,
                                     const pb::CellKey& key) {
  TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile, TileOfKernel(key.kernel()));
  TILEBOUND_ASSIGN_OR_RETURN(
      const Plan plan,
      PlanBackground(*context.device, kernel, tile, key.blocks()));
  TILEBOUND_ASSIGN_OR_RETURN(const uint32_t saturation,
                             SaturationOf(*context.device, kernel, tile));
  TILEBOUND_ASSIGN_OR_RETURN(const Workload* work, context.Work(tile, key.k()));
  TILEBOUND_ASSIGN_OR_RETURN(const Probe probe, ProbeGrid(*work, plan));
  // A tenth as many as elsewhere: each costs a launch of the background.
  const uint64_t events = context.events == 0 ? kEvents : context.events;
  const uint64_t warmup = std::min(context.warmup_events / 10, events / 2);
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint32_t> gaps,
      Gaps(key.arrivals(), static_cast<uint32_t>(events), context.seed));
  TILEBOUND_ASSIGN_OR_RETURN(
      const auto urgent,
      UrgentLaunches::Make(*work, UrgentKernel(tile, /*fit_registers=*/true),
                           /*extra_shared_bytes=*/0, key.urgent_tiles(),
                           LaunchesFor(events)));
  pb::Cell cell;
  *cell.mutable_key() = key;
  UrgentLog log;
  std::vector<pb::Metric> backlog;
  if (key.blocks() == saturation) {
    TILEBOUND_ASSIGN_OR_RETURN(
        Saturated saturated,
        MeasureSaturated(context, *work, plan, probe, gaps, *urgent));
    backlog = BacklogMetrics(saturated.log, saturated.queued, warmup);
    log = std::move(saturated.log);
  } else {
    TILEBOUND_ASSIGN_OR_RETURN(
        log, LaunchBeside(*work, plan, probe, gaps,
                          context.device->facts().timer_tick_ns, *urgent));
  }
  for (const pb::Metric& metric : UrgentMetrics(log, warmup)) {
    *cell.add_metrics() = metric;
  }
  for (const pb::Metric& metric : backlog) *cell.add_metrics() = metric;
  context.clocks_mhz.push_back(log.clock_mhz);
  context.results->AddNote(absl::StrCat(key.kernel(), " on ", key.blocks(),
                                        " blocks: ", ClockNote(log.clocks)));
  return cell;
}

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> BaselineCells(
    const SuiteContext& context) {
  std::vector<pb::CellKey> keys;
  for (const pb::Kernel& kernel : context.kernels) {
    TILEBOUND_ASSIGN_OR_RETURN(const TileKind tile,
                               TileOfKernel(kernel.name()));
    TILEBOUND_ASSIGN_OR_RETURN(const uint32_t saturation,
                               SaturationOf(*context.device, kernel, tile));
    std::vector<uint32_t> counts = {context.device->sm_count(), saturation - 1,
                                    saturation};
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    for (const uint32_t blocks : counts) {
      pb::CellKey key = KeyOf(context, tile, blocks);
      key.set_arm(pb::NONE);
      key.set_setter(pb::HOST);
      keys.push_back(key);
    }
  }
  return keys;
}

absl::Status RunBaseline(SuiteContext& context) {
  return ForEachCell(
      context, BaselineCells, kWait,
      [&context](const pb::Kernel& kernel, const pb::CellKey& key) {
        return MeasureCell(context, kernel, key);
      });
}

}  // namespace tilebound::gpu
