// Suite visibility: how long a set flag takes to reach every block, with no
// tiles in the way. Floor: blocks only look. Loaded: other warps of the same
// blocks stream DRAM meanwhile, so that looks queue behind data.
#include "gpu/suites/visibility.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "gpu/harness/cuda_status.h"
#include "gpu/harness/interrupt.h"
#include "gpu/harness/persistent_run.h"
#include "gpu/harness/reference.h"
#include "gpu/suites/visibility_kernel.h"

namespace tilebound::gpu {
namespace {

constexpr uint64_t kEvents = 10'000;
constexpr uint64_t kDeadlineNs = 20'000'000'000;

// 16-byte words: sixteen times the L2, so that all loads are DRAM's.
uint64_t StreamedWords(uint64_t l2_bytes, uint64_t most_blocks) {
  return std::max(16 * l2_bytes / sizeof(uint4), most_blocks * kVisibilityStep);
}

struct Log {
  Histogram delay;
  uint64_t anomalies = 0;
  double gb_per_s = 0;
};

// One launch. Events that were not set or not seen by every block are counted
// and left out.
absl::StatusOr<Log> Measure(const SuiteContext& context, const pb::CellKey& key,
                            uint64_t events, const DeviceArray<uint4>& memory) {
  const uint32_t blocks = key.blocks();
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<uint32_t> gaps,
      Gaps(key.arrivals(), static_cast<uint32_t>(events), context.seed));
  TILEBOUND_ASSIGN_OR_RETURN(auto gap_ns, DeviceArray<uint32_t>::Make(events));
  TILEBOUND_ASSIGN_OR_RETURN(auto state, DeviceArray<VisibilityState>::Make(1));
  TILEBOUND_ASSIGN_OR_RETURN(auto set_ns, DeviceArray<uint64_t>::Make(events));
  TILEBOUND_ASSIGN_OR_RETURN(auto done, DeviceArray<uint32_t>::Make(events));
  TILEBOUND_ASSIGN_OR_RETURN(auto seen_ns,
                             DeviceArray<uint64_t>::Make(events * blocks));
  TILEBOUND_ASSIGN_OR_RETURN(auto stopped, DeviceArray<uint32_t>::Make(blocks));
  TILEBOUND_ASSIGN_OR_RETURN(auto sink, DeviceArray<uint4>::Make(1));
  TILEBOUND_RETURN_IF_ERROR(gap_ns.Write(gaps));
  // The fills and the launch share the default stream, which orders them.
  for (const cudaError_t error :
       {cudaMemsetAsync(state.data(), 0, state.bytes()),
        cudaMemsetAsync(set_ns.data(), 0, set_ns.bytes()),
        cudaMemsetAsync(done.data(), 0, done.bytes()),
        cudaMemsetAsync(seen_ns.data(), 0, seen_ns.bytes()),
        cudaMemsetAsync(stopped.data(), 0, stopped.bytes())}) {
    TILEBOUND_RETURN_IF_ERROR(CudaStatus(error, "fill of the log"));
  }
  const VisibilityParams params = {.state = state.data(),
                                   .events = static_cast<uint32_t>(events),
                                   .gap_ns = gap_ns.data(),
                                   .deadline_ns = kDeadlineNs,
                                   .set_ns = set_ns.data(),
                                   .done = done.data(),
                                   .seen_ns = seen_ns.data(),
                                   .stopped = stopped.data(),
                                   .memory = memory.data(),
                                   .words = memory.size(),
                                   .sink = sink.data()};
  TILEBOUND_RETURN_IF_ERROR(CudaStatus(
      LaunchVisibility(params, blocks, /*stream=*/nullptr), "visibility"));
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(cudaStreamSynchronize(nullptr), "visibility"));

  TILEBOUND_ASSIGN_OR_RETURN(const auto words, state.Read());
  if (words[0].expired.value != 0) {
    return absl::DeadlineExceededError(absl::StrCat(
        "the kernel ended itself after ", kDeadlineNs / 1'000'000'000,
        " s with ", blocks, " blocks"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const auto set, set_ns.Read());
  TILEBOUND_ASSIGN_OR_RETURN(const auto seen, seen_ns.Read());
  const uint64_t tick = context.device->facts().timer_tick_ns;
  Log log{.delay = Histogram(context.device->quantum_ps())};
  for (uint64_t event = std::min(context.warmup_events, events - 1);
       event < events; ++event) {
    // Block 0 sets.
    const auto first = seen.begin() + event * blocks + 1;
    const auto [least, most] = std::minmax_element(first, first + blocks - 1);
    if (set[event] == 0 || *least < set[event]) {
      ++log.anomalies;
    } else {
      log.delay.Add(*most / tick - set[event] / tick);
    }
  }
  log.gb_per_s = static_cast<double>(words[0].streamed.value) /
                 static_cast<double>(seen.back() - set.front());
  return log;
}

// `notes` gets what the metrics have no name for.
pb::Cell MeasureCell(const SuiteContext& context, const pb::CellKey& key,
                     const DeviceArray<uint4>& memory,
                     std::vector<std::string>& notes) {
  const uint64_t events = context.events == 0 ? kEvents : context.events;
  pb::Cell cell;
  *cell.mutable_key() = key;
  uint64_t anomalies = 0;
  const DeviceArray<uint4> nothing;
  for (const bool loaded : {false, true}) {
    const char* name = loaded ? "notification_loaded" : "notification_floor";
    const absl::StatusOr<Log> log =
        Measure(context, key, events, loaded ? memory : nothing);
    if (!log.ok()) {
      *cell.add_metrics() =
          AbsentMetric(name, pb::Metric::FAILED, log.status().message());
      continue;
    }
    // More than the memory can do did not come from it.
    const double most_gb_per_s = context.device->facts().bandwidth_gb_per_s;
    if (log->gb_per_s > most_gb_per_s * 1.01) {
      *cell.add_metrics() = AbsentMetric(
          name, pb::Metric::FAILED,
          absl::StrCat("the stream beside the looks moved ",
                       std::lround(log->gb_per_s), " GB/s, and the DRAM can ",
                       std::lround(most_gb_per_s)));
      continue;
    }
    anomalies += log->anomalies;
    *cell.add_metrics() = HistogramMetric(name, log->delay);
    if (loaded) {
      notes.push_back(absl::StrCat(key.blocks(), " blocks ",
                                   std::lround(log->gb_per_s), " GB/s"));
    }
  }
  *cell.add_metrics() =
      ScalarMetric("anomalies", static_cast<double>(anomalies), 2 * events);
  return cell;
}

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> VisibilityCells(
    const SuiteContext& context) {
  int per_sm = 0;
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(VisibilityBlocksPerSm(&per_sm), "occupancy of visibility"));
  const uint32_t sms = context.device->sm_count();
  std::vector<uint32_t> counts = {16, sms / 2};
  for (int blocks = 1; blocks <= std::min(per_sm, 4); ++blocks) {
    counts.push_back(blocks * sms);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  std::vector<pb::CellKey> keys;
  for (const uint32_t blocks : counts) {
    pb::CellKey key = DefaultCellKey();
    key.set_part(context.device->part().name());
    key.set_kernel("none");
    key.set_blocks(blocks);
    key.set_arm(pb::NONE);
    keys.push_back(key);
  }
  return keys;
}

absl::Status RunVisibility(SuiteContext& context) {
  TILEBOUND_ASSIGN_OR_RETURN(std::vector<pb::CellKey> keys,
                             VisibilityCells(context));
  if (!context.cells.empty()) keys = context.cells;
  int per_sm = 0;
  TILEBOUND_RETURN_IF_ERROR(
      CudaStatus(VisibilityBlocksPerSm(&per_sm), "occupancy of visibility"));
  const uint32_t most = per_sm * context.device->sm_count();
  TILEBOUND_ASSIGN_OR_RETURN(
      auto memory, DeviceArray<uint4>::Make(
                       StreamedWords(context.device->facts().l2_bytes, most)));
  // Numbers, not zeros: what is all alike can cost less to move.
  TILEBOUND_RETURN_IF_ERROR(FillUniform(TileKind::kSgemm64, memory.data(),
                                        memory.bytes() / sizeof(float),
                                        context.seed, /*stream=*/nullptr));
  std::vector<std::string> notes;
  for (const pb::CellKey& key : keys) {
    if (key.kernel() != "none" || context.results->Has(key)) continue;
    if (Interrupted()) return absl::CancelledError("interrupted");
    const absl::Status fits =
        key.blocks() < 2 || key.blocks() > most
            ? absl::FailedPreconditionError(absl::StrCat(
                  key.blocks(), " blocks; 2 to ", most, " are resident here"))
            : absl::OkStatus();
    TILEBOUND_RETURN_IF_ERROR(context.results->Add(
        fits.ok() ? MeasureCell(context, key, memory, notes)
                  : CellWithoutResult(key, "notification_floor", fits)));
    if (context.progress != nullptr) context.progress->Add(1);
  }
  if (!notes.empty()) {
    context.results->AddNote(absl::StrCat(
        "Loaded looks stood beside DRAM reads: ", absl::StrJoin(notes, ", ")));
  }
  return absl::OkStatus();
}

}  // namespace tilebound::gpu
