#include "oracle/generate.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/writer.h"
#include "oracle/record_feed.h"
#include "oracle/schedule.h"

namespace tilebound::oracle {
namespace {

pb::TraceHeader HeaderOf(const GeneratorConfig& config, uint64_t seed) {
  const StreamCounts streams = StreamsOf(config);
  pb::TraceHeader header;
  pb::CellKey& cell = *header.mutable_cell();
  cell.set_blocks(config.sms * (config.blocks_per_sm - config.reserve));
  cell.set_site(config.site);
  cell.set_period(config.period);
  cell.set_variant("default");
  cell.set_discipline(pb::DRAIN);
  cell.set_arm(config.arm);
  cell.set_reserve(config.reserve);
  cell.set_urgent_tiles(config.urgent_tiles);
  cell.set_setter(config.setter);
  cell.set_cluster_size(1);
  header.set_blocks(streams.blocks);
  header.set_urgent_streams(streams.urgent);
  header.set_tasks(config.tasks);
  header.set_events(config.events);
  header.set_blocks_per_sm(config.blocks_per_sm);
  header.set_sm_count(config.sms);
  header.set_quantum_ps(config.quantum_ps);
  header.set_visibility_allowance_ps(config.visibility_allowance_ps);
  header.set_time_unit_ps(config.quantum_ps);
  header.set_seed(seed);
  header.set_provenance(
      absl::StrCat("oracle generator: ", GeneratorConfigText(config)));
  if (config.arm != pb::COOPERATIVE) return header;
  header.set_stale_looks(config.stale_looks);
  const uint64_t tile_most =
      config.tile_ps * 12 / 10 * (100 + 35 * config.blocks_per_sm) / 100;
  if (config.site != pb::BOUNDARY) {
    header.set_stages_per_tile(config.stages_per_tile);
    header.set_stage_bound_ps(tile_most / config.stages_per_tile +
                              Schedule::kBoundarySpan + Schedule::kIdleLook);
  }
  // Twice what the looks allow, so that a block may overrun its period and
  // still be in time.
  const uint64_t looks = uint64_t{config.period} * (1 + config.stale_looks) + 2;
  header.set_handoff_bound_ps(2 *
                              (looks * (tile_most + Schedule::kBoundarySpan) +
                               config.visibility_allowance_ps +
                               config.quantum_ps + Schedule::kIdleLook));
  return header;
}

// A trace of so many tasks takes longer than starting a thread for it.
constexpr uint64_t kThreadedTasks = 1 << 18;

void Fill(const GeneratorConfig& config, uint64_t seed, TraceWriter& writer) {
  RecordFeed feed(writer, /*threaded=*/config.tasks >= kThreadedTasks);
  Schedule(config, seed, StreamsOf(config), feed).Run();
  feed.Finish();
}

}  // namespace

absl::Status GenerateTrace(const GeneratorConfig& config, uint64_t seed,
                           const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(
      TraceWriter writer, TraceWriter::Create(path, HeaderOf(config, seed),
                                              {.compress = config.compress}));
  Fill(config, seed, writer);
  return writer.Finish();
}

absl::StatusOr<std::string> GenerateTraceBytes(const GeneratorConfig& config,
                                               uint64_t seed) {
  TILEBOUND_ASSIGN_OR_RETURN(
      TraceWriter writer,
      TraceWriter::CreateInMemory(HeaderOf(config, seed),
                                  {.compress = config.compress}));
  Fill(config, seed, writer);
  return writer.TakeBytes();
}

}  // namespace tilebound::oracle
