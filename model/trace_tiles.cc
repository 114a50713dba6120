#include "model/trace_tiles.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound::model {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// What happened between a pop and the one before it.
enum class Between : uint8_t { kNoPop, kWholeTile, kEvent, kLoss };

struct PopSeen {
  int64_t time_ps;
  Between before;
};

struct WorkerSeen {
  bool started = false;
  uint32_t sm = 0;
  uint32_t slot = 0;
  int64_t start_ps = 0;
  // Until when it is known to have been there.
  int64_t last_ps = 0;
  std::vector<PopSeen> pops;
  // State between two pops.
  uint64_t next_sequence = 0;
  bool tile_ended = false;
  Between now = Between::kNoPop;
};

// Time that a block of the urgent kernel spent on an SM.
struct Visit {
  int64_t begin_ps;
  int64_t end_ps;
};

struct TraceSeen {
  std::vector<WorkerSeen> workers;
  // By SM, in order; visits that overlap are one.
  std::map<uint32_t, std::vector<Visit>> visits;
};

void See(const Record& record, uint64_t sequence, WorkerSeen& worker) {
  if (sequence != worker.next_sequence && worker.now != Between::kNoPop) {
    worker.now = Between::kLoss;
  }
  worker.next_sequence = sequence + 1;
  worker.last_ps = record.time_ps;
  switch (record.kind) {
    case RecordKind::kBlockStart:
      worker.started = true;
      worker.sm = static_cast<uint32_t>(record.value);
      worker.slot = record.detail;
      worker.start_ps = record.time_ps;
      break;
    case RecordKind::kPop:
      // A pop whose tile has no end was not kept whole.
      if (worker.now == Between::kWholeTile && !worker.tile_ended) {
        worker.now = Between::kLoss;
      }
      worker.pops.push_back({record.time_ps, worker.now});
      worker.now = Between::kWholeTile;
      worker.tile_ended = false;
      break;
    case RecordKind::kTileEnd:
      worker.tile_ended = true;
      break;
    case RecordKind::kAbandon:
    case RecordKind::kRestart:
    case RecordKind::kUrgentBegin:
    case RecordKind::kUrgentEnd:
      if (worker.now == Between::kWholeTile) worker.now = Between::kEvent;
      break;
    case RecordKind::kDrop:
      if (worker.now != Between::kNoPop) worker.now = Between::kLoss;
      break;
    default:
      break;
  }
}

std::vector<Visit> Merged(std::vector<Visit> visits) {
  std::sort(visits.begin(), visits.end(), [](const Visit& a, const Visit& b) {
    return a.begin_ps < b.begin_ps;
  });
  std::vector<Visit> merged;
  for (const Visit& visit : visits) {
    if (!merged.empty() && visit.begin_ps <= merged.back().end_ps) {
      merged.back().end_ps = std::max(merged.back().end_ps, visit.end_ps);
    } else {
      merged.push_back(visit);
    }
  }
  return merged;
}

TraceSeen ReadAll(const TraceReader& reader, TraceEnd& end) {
  TraceSeen seen;
  seen.workers.resize(reader.header().blocks());
  // Urgent stream -> its block's SM and start, while it is there.
  std::map<uint32_t, std::pair<uint32_t, int64_t>> visiting;
  end = reader.ForEachRecord([&](uint32_t stream, uint64_t sequence,
                                 const Record& record) {
    if (stream < seen.workers.size()) {
      See(record, sequence, seen.workers[stream]);
    } else if (record.kind == RecordKind::kBlockStart) {
      visiting[stream] = {static_cast<uint32_t>(record.value), record.time_ps};
    } else if (record.kind == RecordKind::kBlockExit) {
      const auto visit = visiting.find(stream);
      if (visit == visiting.end()) return;
      seen.visits[visit->second.first].push_back(
          {visit->second.second, record.time_ps});
      visiting.erase(visit);
    }
  });
  for (const auto& [stream, visit] : visiting) {
    seen.visits[visit.first].push_back({visit.second, kNever});
  }
  for (auto& [sm, visits] : seen.visits) visits = Merged(std::move(visits));
  return seen;
}

// Sets slot and blocks_per_sm of the blocks of one SM.
absl::Status RankBlocks(const std::string& trace, uint32_t sm,
                        std::vector<BlockTiles*> blocks) {
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockTiles* a, const BlockTiles* b) {
              return std::pair(a->slot, a->block) <
                     std::pair(b->slot, b->block);
            });
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i > 0 && blocks[i]->slot == blocks[i - 1]->slot) {
      return absl::InvalidArgumentError(absl::StrCat(
          trace, ": blocks ", blocks[i - 1]->block, " and ", blocks[i]->block,
          " both start in slot ", blocks[i]->slot, " of SM ", sm,
          ", so slots cannot be told apart; block_start must give the number "
          "of blocks that were there before"));
    }
    if (blocks[i]->slot != i) {
      return absl::InvalidArgumentError(absl::StrCat(
          trace, ": block ", blocks[i]->block, " starts in slot ",
          blocks[i]->slot, " of SM ", sm, ", where no block starts in slot ", i,
          "; block_start must give the number of blocks that were there "
          "before"));
    }
    blocks[i]->blocks_per_sm = static_cast<uint32_t>(blocks.size());
  }
  return absl::OkStatus();
}

// Keeps the tiles of `worker` that lie between `begin_ps` and `end_ps`.
void KeepTiles(const WorkerSeen& worker, int64_t begin_ps, int64_t end_ps,
               uint64_t warmup_tiles, const std::vector<Visit>& visits,
               BlockTiles& block, TilesLeftOut& left_out) {
  uint64_t inside = 0;
  bool follows = false;
  auto visit = visits.begin();
  for (size_t i = 1; i < worker.pops.size(); ++i) {
    const int64_t begin = worker.pops[i - 1].time_ps;
    const int64_t end = worker.pops[i].time_ps;
    while (visit != visits.end() && visit->end_ps <= begin) ++visit;
    const bool visited = visit != visits.end() && visit->begin_ps < end;
    uint64_t* reason = nullptr;
    if (begin < begin_ps || end > end_ps) {
      reason = &left_out.residency_changing;
    } else if (inside++ < warmup_tiles) {
      reason = &left_out.warm_up;
    } else if (worker.pops[i].before == Between::kLoss) {
      reason = &left_out.lost;
    } else if (worker.pops[i].before == Between::kEvent || visited) {
      reason = &left_out.cut_by_events;
    }
    if (reason != nullptr) {
      ++*reason;
    } else {
      block.tiles.push_back({end - begin, follows});
    }
    follows = reason == nullptr;
  }
}

absl::Status KeepSm(uint32_t sm, const TraceSeen& seen, uint64_t warmup_tiles,
                    const std::vector<BlockTiles*>& blocks,
                    TraceTiles& result) {
  // A block that came after another had gone found a different SM.
  int64_t end_ps = kNever;
  for (const BlockTiles* block : blocks) {
    end_ps = std::min(end_ps, seen.workers[block->block].last_ps);
  }
  std::vector<BlockTiles*> together;
  int64_t begin_ps = std::numeric_limits<int64_t>::min();
  for (BlockTiles* block : blocks) {
    const WorkerSeen& worker = seen.workers[block->block];
    if (worker.start_ps <= end_ps) {
      together.push_back(block);
      begin_ps = std::max(begin_ps, worker.start_ps);
    } else if (worker.pops.size() > 1) {
      result.left_out.residency_changing += worker.pops.size() - 1;
    }
  }
  TILEBOUND_RETURN_IF_ERROR(RankBlocks(result.name, sm, together));
  const auto found = seen.visits.find(sm);
  const std::vector<Visit> visits =
      found == seen.visits.end() ? std::vector<Visit>() : found->second;
  for (BlockTiles* block : together) {
    KeepTiles(seen.workers[block->block], begin_ps, end_ps, warmup_tiles,
              visits, *block, result.left_out);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TraceTiles> ReadTraceTiles(const TraceReader& reader,
                                          uint64_t warmup_tiles) {
  TraceTiles result;
  const pb::TraceHeader& header = reader.header();
  result.name = reader.name();
  result.part = header.cell().part();
  result.kernel = header.cell().kernel();
  result.k = header.cell().k();
  result.grid_blocks = header.blocks();
  result.quantum_ps = static_cast<int64_t>(
      std::max(header.quantum_ps(), header.time_unit_ps()));
  const TraceSeen seen = ReadAll(reader, result.end);
  for (uint32_t block = 0; block < seen.workers.size(); ++block) {
    const WorkerSeen& worker = seen.workers[block];
    if (!worker.started) {
      return absl::InvalidArgumentError(absl::StrCat(
          result.name, ": block ", block, " of ", seen.workers.size(),
          " has no block_start, so nobody knows which blocks shared an SM",
          result.end.whole ? "" : absl::StrCat("; ", result.end.why)));
    }
    result.blocks.push_back({block, worker.sm, 0, worker.slot, {}});
  }
  std::map<uint32_t, std::vector<BlockTiles*>> by_sm;
  for (BlockTiles& block : result.blocks) by_sm[block.sm].push_back(&block);
  std::map<uint32_t, uint32_t> sms_with;
  for (const auto& [sm, blocks] : by_sm) {
    TILEBOUND_RETURN_IF_ERROR(KeepSm(sm, seen, warmup_tiles, blocks, result));
  }
  // Those that came too late have no rank.
  result.blocks.erase(
      std::remove_if(result.blocks.begin(), result.blocks.end(),
                     [](const BlockTiles& b) { return b.blocks_per_sm == 0; }),
      result.blocks.end());
  for (const BlockTiles& block : result.blocks) {
    if (block.slot == 0) ++sms_with[block.blocks_per_sm];
  }
  for (const auto& [blocks_per_sm, sms] : sms_with) {
    if (result.blocks_per_sm == 0 || sms >= sms_with[result.blocks_per_sm]) {
      result.blocks_per_sm = blocks_per_sm;
    }
  }
  return result;
}

}  // namespace tilebound::model
