#include "gpu/harness/persistent_run.h"

#include <algorithm>
#include <limits>
#include <map>

#include "data/schema/cell_key.h"

namespace tilebound::gpu {
namespace {

// Every block looks once more within this after the last event: the longest
// gap between events by default.
constexpr uint32_t kFinalWaitNs = 400'000;

uint64_t OutputsOf(TileKind tile) {
  return uint64_t{ShapeOf(tile).m} * ShapeOf(tile).n;
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
uint64_t NextRandom(uint64_t& state) {
  state += 0x9E3779B97F4A7C15u;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

template <typename T>
absl::Status Zero(DeviceArray<T>& array, cudaStream_t stream) {
  if (array.size() == 0) return absl::OkStatus();
  return CudaStatus(cudaMemsetAsync(array.data(), 0, array.bytes(), stream),
                    "zeroing");
}

template <typename T>
absl::StatusOr<DeviceArray<T>> MakeZero(uint64_t size, cudaStream_t stream) {
  TILEBOUND_ASSIGN_OR_RETURN(auto array, DeviceArray<T>::Make(size));
  TILEBOUND_RETURN_IF_ERROR(Zero(array, stream));
  return array;
}

absl::StatusOr<DeviceArray<float>> MakeNan(uint64_t size, cudaStream_t stream) {
  TILEBOUND_ASSIGN_OR_RETURN(auto array, DeviceArray<float>::Make(size));
  if (size != 0) {
    TILEBOUND_RETURN_IF_ERROR(FillNan(array.data(), array.bytes(), stream));
  }
  return array;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Blocks of a launch are handed to SMs in the order of their index, so that is
// their order of age on an SM. (The order in which they first got to run is
// not: all of one launch come within a microsecond.)
void RankByAge(std::vector<BlockInfo>& blocks) {
  std::map<uint32_t, uint32_t> resident;
  for (BlockInfo& info : blocks) info.slot = resident[info.sm]++;
}

}  // namespace

struct PersistentRun::Impl {
  ~Impl() {
    if (stream != nullptr) {
      cudaStreamSynchronize(stream);
      cudaStreamDestroy(stream);
    }
  }

  const Workload* work = nullptr;
  RunRequest request;
  KernelParams params = {};
  cudaStream_t stream = nullptr;

  DeviceArray<float> c, urgent_c, restarted_c;
  DeviceArray<uint64_t> restarted_task, set_ns, claim_ns, end_ns, observed_ns;
  DeviceArray<uint64_t> host_end_ns;
  DeviceArray<uint32_t> flag, claim_next, done, gap_ns;
  DeviceArray<uint32_t> executions, urgent_executions, yield_groups;
  DeviceArray<SharedState> state;
  DeviceArray<BlockInfo> blocks;
  std::unique_ptr<RecorderMemory> recorder;

  uint32_t events() const {
    return static_cast<uint32_t>(request.gaps_ns.size());
  }
  uint64_t urgent() const { return uint64_t{events()} * request.urgent_tiles; }

  absl::Status Allocate();
  absl::Status AllocateOptional();
  absl::StatusOr<RunLog> ReadLog();
  absl::Status ReadCounters(RunLog& log);
  void Summarize(RunLog& log);
  absl::Status CheckOutputs(RunLog& log);
  absl::StatusOr<std::vector<uint8_t>> Check(
      const TileReference& reference, const float* outputs,
      const std::vector<uint64_t>& index);
};

absl::Status PersistentRun::Impl::Allocate() {
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream"));
  const uint64_t outputs = OutputsOf(work->tile());
  const Operands& background = work->background_operands();
  const uint64_t grid = request.plan.blocks;
  TILEBOUND_ASSIGN_OR_RETURN(
      c, MakeNan(uint64_t{background.tiles_m} * background.tiles_n * outputs,
                 stream));
  TILEBOUND_ASSIGN_OR_RETURN(urgent_c, MakeNan(urgent() * outputs, stream));
  TILEBOUND_ASSIGN_OR_RETURN(set_ns, MakeZero<uint64_t>(events(), stream));
  TILEBOUND_ASSIGN_OR_RETURN(claim_ns, MakeZero<uint64_t>(events(), stream));
  TILEBOUND_ASSIGN_OR_RETURN(end_ns, MakeZero<uint64_t>(events(), stream));
  TILEBOUND_ASSIGN_OR_RETURN(observed_ns,
                             MakeZero<uint64_t>(events() * grid, stream));
  TILEBOUND_ASSIGN_OR_RETURN(claim_next, MakeZero<uint32_t>(events(), stream));
  TILEBOUND_ASSIGN_OR_RETURN(done, MakeZero<uint32_t>(events(), stream));
  TILEBOUND_ASSIGN_OR_RETURN(state, MakeZero<SharedState>(1, stream));
  TILEBOUND_ASSIGN_OR_RETURN(blocks, MakeZero<BlockInfo>(grid, stream));
  TILEBOUND_ASSIGN_OR_RETURN(gap_ns, DeviceArray<uint32_t>::Make(events()));
  if (events() != 0) {
    TILEBOUND_RETURN_IF_ERROR(gap_ns.Write(request.gaps_ns));
  }
  return AllocateOptional();
}

absl::Status PersistentRun::Impl::AllocateOptional() {
  const KernelVariant& variant = request.plan.entry.variant;
  if (GivesTilesUp(variant.site)) {
    TILEBOUND_ASSIGN_OR_RETURN(
        restarted_c, MakeNan(urgent() * OutputsOf(work->tile()), stream));
    TILEBOUND_ASSIGN_OR_RETURN(restarted_task,
                               DeviceArray<uint64_t>::Make(urgent()));
    if (urgent() != 0) {
      // kNoTask.
      TILEBOUND_RETURN_IF_ERROR(
          CudaStatus(cudaMemsetAsync(restarted_task.data(), 0xFF,
                                     restarted_task.bytes(), stream),
                     "filling"));
    }
  }
  if (variant.recording == Recording::kCounters) {
    TILEBOUND_ASSIGN_OR_RETURN(
        executions, MakeZero<uint32_t>(
                        request.count_executions ? request.tasks : 0, stream));
    TILEBOUND_ASSIGN_OR_RETURN(urgent_executions,
                               MakeZero<uint32_t>(urgent(), stream));
    TILEBOUND_ASSIGN_OR_RETURN(yield_groups,
                               MakeZero<uint32_t>(urgent(), stream));
  }
  if (variant.recording == Recording::kTrace) {
    recorder = std::make_unique<RecorderMemory>(request.plan.blocks,
                                                request.records_per_block);
    TILEBOUND_RETURN_IF_ERROR(
        CudaStatus(recorder->error(), "rings of the recorder"));
  }
  if (variant.setter == SetterKind::kHost && events() != 0) {
    TILEBOUND_ASSIGN_OR_RETURN(
        host_end_ns, DeviceArray<uint64_t>::Make(events(), Where::kMapped));
    for (uint32_t e = 0; e < events(); ++e) host_end_ns.host()[e] = 0;
  }
  if (request.mapped_flag) {
    TILEBOUND_ASSIGN_OR_RETURN(flag,
                               DeviceArray<uint32_t>::Make(1, Where::kMapped));
    *flag.host() = 0;
  }
  return absl::OkStatus();
}

absl::StatusOr<PersistentRun> PersistentRun::Make(const Workload& work,
                                                  RunRequest request) {
  auto impl = std::make_unique<Impl>();
  impl->work = &work;
  impl->request = std::move(request);
  const RunRequest& asked = impl->request;
  if (asked.tasks == 0 && asked.gaps_ns.empty()) {
    return absl::InvalidArgumentError(
        "a run needs a number of tasks or of events to end");
  }
  if (asked.period == 0 || asked.period > kMostPeriod ||
      asked.gaps_ns.size() > kMostEvents) {
    return absl::UnimplementedError(
        absl::StrCat("period ", asked.period, " with ", asked.gaps_ns.size(),
                     " events a launch: blocks count periods of 1 to ",
                     kMostPeriod, " and up to ", kMostEvents, " events"));
  }
  const bool folded = asked.plan.entry.variant.site == LookSite::kFolded;
  if (folded && asked.period != 1) {
    return absl::UnimplementedError(
        absl::StrCat("period ", asked.period,
                     " at folded sites: they look at every chunk, period 1"));
  }
  TILEBOUND_RETURN_IF_ERROR(impl->Allocate());
  KernelParams& params = impl->params;
  params.operands = work.background_operands();
  params.c = impl->c.data();
  params.k = work.k();
  params.period = asked.period;
  params.tasks = asked.tasks != 0 ? asked.tasks : kStopTicket / 2;
  params.urgent_operands = work.urgent_operands();
  params.urgent_c = impl->urgent_c.data();
  params.urgent_tiles = asked.urgent_tiles;
  params.events = impl->events();
  params.restarted_c = impl->restarted_c.data();
  params.restarted_task = impl->restarted_task.data();
  params.state = impl->state.data();
  params.flag =
      asked.mapped_flag ? impl->flag.data() : &impl->state.data()->generation;
  params.claim_next = impl->claim_next.data();
  params.done = impl->done.data();
  params.gap_ns = impl->gap_ns.data();
  params.final_wait_ns = kFinalWaitNs;
  params.deadline_ns = asked.deadline_ns;
  params.set_ns = impl->set_ns.data();
  params.claim_ns = impl->claim_ns.data();
  params.end_ns = impl->end_ns.data();
  params.observed_ns = impl->observed_ns.data();
  params.host_end_ns = impl->host_end_ns.data();
  params.blocks = impl->blocks.data();
  params.executions = impl->executions.data();
  params.urgent_executions = impl->urgent_executions.data();
  params.yield_groups = impl->yield_groups.data();
  params.discipline = asked.discipline;
  if (impl->recorder != nullptr) params.recorder = impl->recorder->view();
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(impl->stream), "filling"));
  return PersistentRun(std::move(impl));
}

absl::Status PersistentRun::Launch() {
  const KernelEntry& entry = impl_->request.plan.entry;
  void* arguments[] = {&impl_->params};
  return CudaStatus(
      cudaLaunchKernel(entry.function, dim3(impl_->request.plan.blocks),
                       dim3(entry.threads), arguments,
                       entry.dynamic_shared_bytes, impl_->stream),
      "launch");
}

bool PersistentRun::Done() const {
  return cudaStreamQuery(impl_->stream) != cudaErrorNotReady;
}

absl::StatusOr<RunLog> PersistentRun::Finish() {
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(impl_->stream), "the kernel"));
  TILEBOUND_ASSIGN_OR_RETURN(RunLog log, impl_->ReadLog());
  if (impl_->request.check_outputs && !log.expired) {
    TILEBOUND_RETURN_IF_ERROR(impl_->CheckOutputs(log));
  }
  return log;
}

absl::StatusOr<RunLog> PersistentRun::Impl::ReadLog() {
  RunLog log;
  log.events = events();
  log.blocks = request.plan.blocks;
  log.urgent_tiles = request.urgent_tiles;
  TILEBOUND_ASSIGN_OR_RETURN(log.block, blocks.Read());
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<SharedState> states,
                             state.Read());
  const SharedState& words = states[0];
  log.expired = words.expired.value != 0;
  log.tasks = words.ticket.value >= kStopTicket ? words.stopped_at.value
                                                : words.ticket.value;
  log.tasks = std::min(log.tasks, params.tasks);
  for (uint32_t count : words.arrivals) {
    log.most_blocks_on_an_sm = std::max(log.most_blocks_on_an_sm, count);
  }
  if (events() != 0) {
    TILEBOUND_ASSIGN_OR_RETURN(log.set_ns, set_ns.Read());
    TILEBOUND_ASSIGN_OR_RETURN(log.claim_ns, claim_ns.Read());
    TILEBOUND_ASSIGN_OR_RETURN(log.end_ns, end_ns.Read());
    TILEBOUND_ASSIGN_OR_RETURN(log.observed_ns, observed_ns.Read());
  }
  RankByAge(log.block);
  TILEBOUND_RETURN_IF_ERROR(ReadCounters(log));
  Summarize(log);
  return log;
}

absl::Status PersistentRun::Impl::ReadCounters(RunLog& log) {
  if (restarted_task.size() != 0) {
    TILEBOUND_ASSIGN_OR_RETURN(log.restarted_task, restarted_task.Read());
  }
  if (executions.size() != 0) {
    TILEBOUND_ASSIGN_OR_RETURN(log.executions, executions.Read());
  }
  if (urgent_executions.size() != 0) {
    TILEBOUND_ASSIGN_OR_RETURN(log.urgent_executions, urgent_executions.Read());
    TILEBOUND_ASSIGN_OR_RETURN(log.yield_groups, yield_groups.Read());
  }
  return absl::OkStatus();
}

void PersistentRun::Impl::Summarize(RunLog& log) {
  uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;
  std::vector<double> clocks;
  for (const BlockInfo& info : log.block) {
    first = std::min(first, info.start_ns);
    last = std::max(last, info.end_ns);
    if (info.end_ns > info.start_ns) {
      clocks.push_back(1e3 *
                       static_cast<double>(info.end_cycle - info.start_cycle) /
                       static_cast<double>(info.end_ns - info.start_ns));
    }
  }
  log.makespan_us = last > first ? static_cast<double>(last - first) / 1e3 : 0;
  log.clock_mhz = Median(std::move(clocks));
  const bool device = request.plan.entry.variant.setter == SetterKind::kDevice;
  for (uint32_t e = 0; e < events(); ++e) {
    if (device && log.set_ns[e] == 0) ++log.unset;
    if (log.end_ns[e] == 0) ++log.incomplete;
    const auto row = log.observed_ns.begin() + uint64_t{e} * log.blocks;
    if (std::find(row, row + log.blocks, 0u) != row + log.blocks) {
      ++log.unobserved;
    }
  }
}

absl::StatusOr<std::vector<uint8_t>> PersistentRun::Impl::Check(
    const TileReference& reference, const float* outputs,
    const std::vector<uint64_t>& index) {
  if (index.empty()) return std::vector<uint8_t>();
  TILEBOUND_ASSIGN_OR_RETURN(auto device_index,
                             DeviceArray<uint64_t>::Make(index.size()));
  TILEBOUND_RETURN_IF_ERROR(device_index.Write(index));
  return reference.Check(outputs, index.size(), device_index.data());
}

absl::Status PersistentRun::Impl::CheckOutputs(RunLog& log) {
  const uint64_t tiles =
      uint64_t{params.operands.tiles_m} * params.operands.tiles_n;
  // Background tile i was written if one of its tasks was not given up.
  std::vector<uint64_t> written(tiles);
  for (uint64_t i = 0; i < tiles; ++i) {
    written[i] = log.tasks / tiles + (i < log.tasks % tiles ? 1 : 0);
  }
  std::vector<uint64_t> restarted = log.restarted_task;
  for (uint64_t& task : restarted) {
    if (task == kNoTask) continue;
    task %= tiles;
    if (written[task] != 0) --written[task];
  }
  for (uint64_t i = 0; i < tiles; ++i) {
    written[i] = written[i] != 0 ? i : kNoTask;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<uint8_t> background,
                             Check(work->background(), c.data(), written));
  for (uint8_t wrong : background) log.background_corrupt += wrong;

  std::vector<uint64_t> tile(urgent());
  for (uint64_t i = 0; i < urgent(); ++i) {
    const bool complete = log.end_ns[i / request.urgent_tiles] != 0;
    tile[i] = complete ? i % request.urgent_tiles : kNoTask;
  }
  TILEBOUND_ASSIGN_OR_RETURN(log.urgent_corrupt,
                             Check(work->urgent(), urgent_c.data(), tile));
  TILEBOUND_ASSIGN_OR_RETURN(
      log.restarted_corrupt,
      Check(work->background(), restarted_c.data(), restarted));
  return absl::OkStatus();
}

PersistentRun::PersistentRun(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
PersistentRun::PersistentRun(PersistentRun&&) noexcept = default;
PersistentRun& PersistentRun::operator=(PersistentRun&&) noexcept = default;
PersistentRun::~PersistentRun() = default;

cudaStream_t PersistentRun::stream() const { return impl_->stream; }
const KernelParams& PersistentRun::params() const { return impl_->params; }
volatile uint32_t* PersistentRun::host_flag() const {
  return impl_->flag.host();
}
volatile uint64_t* PersistentRun::host_end_ns() const {
  return impl_->host_end_ns.host();
}
RecorderMemory* PersistentRun::recorder() const {
  return impl_->recorder.get();
}

absl::StatusOr<RunLog> RunPersistent(const Workload& work,
                                     const RunRequest& request) {
  TILEBOUND_ASSIGN_OR_RETURN(PersistentRun run,
                             PersistentRun::Make(work, request));
  TILEBOUND_RETURN_IF_ERROR(run.Launch());
  return run.Finish();
}

bool GivesTilesUp(LookSite site) { return site != LookSite::kBoundary; }

absl::StatusOr<uint32_t> EventsThatFit(TileKind tile, uint32_t urgent_tiles,
                                       uint32_t blocks, bool restarts) {
  size_t free = 0, total = 0;
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaMemGetInfo(&free, &total), "memory"));
  const uint64_t outputs =
      OutputsOf(tile) * sizeof(float) * urgent_tiles * (restarts ? 2 : 1);
  const uint64_t event = outputs + uint64_t{blocks} * 8 + 64;
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(free / 4 / event, 1, kMostEvents));
}

absl::StatusOr<std::vector<uint32_t>> Gaps(const pb::Arrivals& arrivals,
                                           uint32_t events, uint64_t seed) {
  if (arrivals.process() != pb::Arrivals::UNIFORM ||
      arrivals.max_gap_ns() >= 1u << 30) {
    return absl::UnimplementedError(
        absl::StrCat("arrivals ", ArrivalsText(arrivals),
                     " are not instantiated; uniform with gaps under a second "
                     "are"));
  }
  const uint64_t width = arrivals.max_gap_ns() - arrivals.min_gap_ns() + 1;
  std::vector<uint32_t> gaps(events);
  for (uint32_t& gap : gaps) {
    // The top 32 bits scaled to the width, which is far under 2^32.
    gap = static_cast<uint32_t>(arrivals.min_gap_ns() +
                                ((NextRandom(seed) >> 32) * width >> 32));
  }
  return gaps;
}

}  // namespace tilebound::gpu
