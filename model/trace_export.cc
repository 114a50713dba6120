#include "model/trace_export.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/record.h"
#include "data/trace/writer.h"

namespace tilebound::model {
namespace {

// One tile of a block between two of its boundaries.
struct Tile {
  int64_t begin_ps;
  int64_t end_ps;
  uint64_t generation = 0;  // 0 for a background tile
  uint32_t urgent_tile = 0;
  uint64_t task = 0;
};

using Blocks = std::vector<std::vector<Tile>>;

// The tiles that each block finished: the last start has no end.
Blocks TilesOf(const RunHistory& history) {
  Blocks blocks;
  for (const BlockHistory& block : history.blocks) {
    std::vector<Tile>& tiles = blocks.emplace_back();
    for (size_t i = 0; i + 1 < block.starts_ps.size(); ++i) {
      tiles.push_back({block.starts_ps[i], block.starts_ps[i + 1]});
    }
  }
  return blocks;
}

// A tile that follows an observation runs what the urgent queue gave out.
absl::Status MarkUrgent(const RunHistory& history, Blocks& blocks) {
  for (size_t event = 0; event < history.urgent.size(); ++event) {
    for (uint32_t n = 0; n < history.urgent[event].size(); ++n) {
      const UrgentTile& urgent = history.urgent[event][n];
      std::vector<Tile>& tiles = blocks[urgent.block];
      const auto tile = std::lower_bound(
          tiles.begin(), tiles.end(), urgent.end_ps,
          [](const Tile& t, int64_t end) { return t.end_ps < end; });
      if (tile == tiles.end() || tile->end_ps != urgent.end_ps) {
        return absl::InternalError(absl::StrCat(
            "urgent tile ", n, " of event ", event + 1, " ends at ",
            urgent.end_ps, " ps, where block ", urgent.block, " ends no tile"));
      }
      tile->begin_ps = urgent.begin_ps;
      tile->generation = event + 1;
      tile->urgent_tile = n;
    }
  }
  return absl::OkStatus();
}

// Task numbers in the order of the pops; returns how many there are.
uint64_t NumberTasks(Blocks& blocks) {
  std::vector<std::tuple<int64_t, uint32_t, size_t>> pops;
  for (uint32_t block = 0; block < blocks.size(); ++block) {
    for (size_t i = 0; i < blocks[block].size(); ++i) {
      if (blocks[block][i].generation == 0) {
        pops.emplace_back(blocks[block][i].begin_ps, block, i);
      }
    }
  }
  std::sort(pops.begin(), pops.end());
  uint64_t task = 0;
  for (const auto& [time, block, tile] : pops)
    blocks[block][tile].task = task++;
  return task;
}

// What one block writes; the setter's block writes the sets too.
class BlockWriter {
 public:
  BlockWriter(TraceWriter& writer, uint32_t block)
      : writer_(writer), block_(block) {}

  void Write(const std::vector<Tile>& tiles, const BlockHistory& history,
             const std::vector<int64_t>& sets_ps) {
    size_t seen = 0;
    for (size_t i = 0; i < tiles.size(); ++i) {
      const Tile& tile = tiles[i];
      // The setter raises the flag at the boundary, before its tile begins.
      while (next_set_ < sets_ps.size() &&
             sets_ps[next_set_] <= tile.begin_ps) {
        Add(Record::FlagSet(sets_ps[next_set_], next_set_ + 1));
        ++next_set_;
      }
      int64_t begin = tile.begin_ps;
      while (seen < history.observations.size() &&
             history.observations[seen].tile <= i) {
        const BlockHistory::Observation& look = history.observations[seen++];
        Add(Record::Observe(look.time_ps, look.generation));
        begin = std::max(begin, look.time_ps);
      }
      if (tile.generation != 0) {
        Add(Record::Claim(begin, tile.generation, tile.urgent_tile,
                          pb::BOUNDARY));
        Add(Record::UrgentBegin(begin, tile.generation, tile.urgent_tile));
        Add(Record::UrgentEnd(tile.end_ps, tile.generation, tile.urgent_tile));
      } else {
        Add(Record::Pop(begin, tile.task));
        Add(Record::TileEnd(tile.end_ps, tile.task));
      }
      end_ps_ = tile.end_ps;
    }
  }

  void Add(const Record& record) { writer_.Append(block_, record); }
  int64_t end_ps() const { return end_ps_; }

 private:
  TraceWriter& writer_;
  uint32_t block_;
  size_t next_set_ = 0;
  int64_t end_ps_ = 0;
};

}  // namespace

absl::Status WriteTrace(const std::string& path, const pb::CellKey& key,
                        const CellModel& cell, const RunHistory& history,
                        uint64_t seed, const std::string& provenance) {
  Blocks blocks = TilesOf(history);
  TILEBOUND_RETURN_IF_ERROR(MarkUrgent(history, blocks));
  pb::TraceHeader header;
  *header.mutable_cell() = key;
  header.set_blocks(static_cast<uint32_t>(blocks.size()));
  header.set_tasks(NumberTasks(blocks));
  header.set_events(history.sets_ps.size());
  header.set_blocks_per_sm(cell.placement.most_blocks_per_sm());
  header.set_sm_count(cell.placement.sm_count());
  // A boundary samples the flag before it has the answer, and sees a set only
  // once it is visible.
  header.set_visibility_allowance_ps(static_cast<uint64_t>(
      cell.setter_delay_ps + cell.timing.observe_offset_ps));
  header.set_seed(seed);
  header.set_provenance(provenance);
  TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
                             TraceWriter::Create(path, header));
  for (uint32_t block = 0; block < blocks.size(); ++block) {
    BlockWriter out(writer, block);
    out.Add(Record::BlockStart(0, cell.placement.SmOf(block),
                               cell.placement.SlotOf(block)));
    out.Write(blocks[block], history.blocks[block],
              block == 0 ? history.sets_ps : std::vector<int64_t>());
    out.Add(Record::BlockExit(out.end_ps()));
  }
  return writer.Finish();
}

}  // namespace tilebound::model
