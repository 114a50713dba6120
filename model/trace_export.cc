#include "model/trace_export.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "data/io/status_macros.h"
#include "data/trace/record.h"
#include "data/trace/writer.h"
#include "model/bound.h"

namespace tilebound::model {
namespace {

bool IsOfTask(const Record& record) {
  return MeaningOf(record.kind) == ValueMeaning::kTask;
}

// What each block's task numbers become: numbers in the order of the pops.
std::vector<std::vector<uint64_t>> NumberTasks(const RunHistory& history) {
  std::vector<std::tuple<int64_t, uint32_t, uint64_t>> pops;
  std::vector<std::vector<uint64_t>> numbers(history.blocks.size());
  for (uint32_t block = 0; block < history.blocks.size(); ++block) {
    for (const Record& record : history.blocks[block]) {
      if (record.kind != RecordKind::kPop) continue;
      pops.emplace_back(record.time_ps, block, record.value);
    }
  }
  std::sort(pops.begin(), pops.end());
  for (uint64_t number = 0; number < pops.size(); ++number) {
    const auto [time, block, task] = pops[number];
    if (numbers[block].size() <= task) numbers[block].resize(task + 1);
    numbers[block][task] = number;
  }
  return numbers;
}

// Workers of the fullest SM, and as many urgent blocks as were ever beside
// them: they start in the slot that says how many were there.
uint32_t MostOnOneSm(const CellModel& cell, const RunHistory& history) {
  uint32_t most = cell.placement.most_blocks_per_sm();
  for (size_t i = history.blocks.size() - history.urgent_streams;
       i < history.blocks.size(); ++i) {
    for (const Record& record : history.blocks[i]) {
      if (record.kind != RecordKind::kBlockStart) continue;
      most = std::max(most, record.detail + 1);
    }
  }
  return most;
}

}  // namespace

absl::Status WriteTrace(const std::string& path, const pb::CellKey& key,
                        const CellModel& cell, const RunHistory& history,
                        uint64_t seed, const std::string& provenance) {
  const std::vector<std::vector<uint64_t>> numbers = NumberTasks(history);
  uint64_t tasks = 0;
  for (const std::vector<uint64_t>& of_block : numbers) {
    tasks += of_block.size();
  }
  const bool looks = cell.plan.site != pb::SITE_UNSPECIFIED;
  // Independent tiles have no longest one, and look at boundaries only.
  SlotBound bound;
  if (looks && cell.sharing != Sharing::kIid) bound = BoundOfGrid(cell);
  pb::TraceHeader header;
  *header.mutable_cell() = key;
  header.set_blocks(static_cast<uint32_t>(history.blocks.size()) -
                    history.urgent_streams);
  header.set_urgent_streams(history.urgent_streams);
  header.set_tasks(tasks);
  header.set_events(history.events);
  header.set_blocks_per_sm(MostOnOneSm(cell, history));
  header.set_sm_count(cell.placement.sm_count());
  // A look reads the flag before it has the answer, and sees a set only once it
  // is visible.
  header.set_visibility_allowance_ps(static_cast<uint64_t>(
      cell.setter_delay_ps +
      std::max(bound.answer_ps, cell.timing.marks[0].observe_offset_ps)));
  header.set_stale_looks(cell.timing.stale_looks);
  header.set_handoff_bound_ps(static_cast<uint64_t>(bound.latency_ps));
  if (looks && !cell.at_boundaries()) {
    header.set_stages_per_tile(cell.timing.LeastLooks());
    header.set_stage_bound_ps(static_cast<uint64_t>(bound.gap_ps));
  }
  header.set_seed(seed);
  header.set_provenance(provenance);
  TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
                             TraceWriter::Create(path, header));
  for (uint32_t block = 0; block < history.blocks.size(); ++block) {
    for (Record record : history.blocks[block]) {
      if (IsOfTask(record)) record.value = numbers[block][record.value];
      writer.Append(block, record);
    }
  }
  for (const Record& record : history.host) {
    writer.Append(kHostStream, record);
  }
  return writer.Finish();
}

}  // namespace tilebound::model
