#include "model/bound.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilebound::model {
namespace {

// A server ends a phase less than this late by rounding.
constexpr int64_t kRoundingPs = 64;

// A look in a tile of one program, from the tile's start, everything on the way
// at its longest.
struct Look {
  int64_t sample_ps;
  int64_t observe_ps;
};

struct Tile {
  std::vector<Look> looks;
  int64_t length_ps = 0;
};

Tile LongestTile(const CellModel& cell, const SmServer& server, double scale,
                 const ProgramSpan& span, uint32_t slot) {
  Tile tile;
  int64_t sample_ps = 0;
  for (uint32_t i = span.first; i < span.end; ++i) {
    const uint32_t at = i == span.first ? 0 : cell.timing.phases[i].mark;
    if (i == span.first || at != 0) {
      const Mark& mark = cell.timing.marks[at];
      if (mark.samples) sample_ps = tile.length_ps + mark.sample_offset_ps;
      if (mark.decides) {
        const auto observe_ps =
            static_cast<int64_t>(std::ceil(mark.observe_offset_ps * scale));
        tile.looks.push_back({sample_ps, tile.length_ps + observe_ps});
      }
    }
    tile.length_ps += server.LongestPs(slot, i) + kRoundingPs;
  }
  return tile;
}

// Exact for one program: from the look that just missed the set to the one that
// cannot.
int64_t LongestWindow(const Tile& tile, uint64_t looks) {
  int64_t longest = 0;
  const uint64_t in_tile = tile.looks.size();
  for (uint64_t i = 0; i < in_tile; ++i) {
    const uint64_t j = i + looks;
    longest =
        std::max(longest, static_cast<int64_t>(j / in_tile) * tile.length_ps +
                              tile.looks[j % in_tile].observe_ps -
                              tile.looks[i].sample_ps);
  }
  return longest;
}

// Longest time from reading the flag in one look to reading it in the next.
int64_t LongestGap(const std::vector<Tile>& tiles) {
  int64_t longest = 0;
  for (const Tile& tile : tiles) {
    for (size_t i = 0; i + 1 < tile.looks.size(); ++i) {
      longest = std::max(longest,
                         tile.looks[i + 1].sample_ps - tile.looks[i].sample_ps);
    }
    for (const Tile& next : tiles) {
      longest = std::max(longest, tile.length_ps - tile.looks.back().sample_ps +
                                      next.looks.front().sample_ps);
    }
  }
  return longest;
}

}  // namespace

SlotBound BoundOfSlot(const CellModel& cell, uint32_t blocks, uint32_t slot) {
  double scale = 1 + kMostSmDeviations * cell.timing.sm_spread;
  if (cell.clock_sag.happens()) scale *= cell.clock_sag.slowdown;
  const SmServer server = cell.MakeServer(blocks, 0, scale);
  std::vector<Tile> tiles;
  for (const ProgramSpan& span : cell.timing.Spans()) {
    tiles.push_back(LongestTile(cell, server, scale, span, slot));
  }
  SlotBound bound;
  bound.gap_ps = LongestGap(tiles);
  const uint64_t looks = uint64_t{cell.period} * (1 + cell.timing.stale_looks);
  for (const Tile& tile : tiles) {
    for (const Look& look : tile.looks) {
      bound.answer_ps =
          std::max(bound.answer_ps, look.observe_ps - look.sample_ps);
    }
  }
  bound.latency_ps =
      tiles.size() == 1
          ? LongestWindow(tiles[0], looks)
          : static_cast<int64_t>(looks) * bound.gap_ps + bound.answer_ps;
  bound.latency_ps += cell.setter_delay_ps;
  return bound;
}

SlotBound BoundOfGrid(const CellModel& cell) {
  SlotBound worst;
  // SMs hold two numbers of blocks at most.
  for (uint32_t sm : {0u, cell.placement.busy_sms() - 1}) {
    const uint32_t blocks = cell.placement.BlocksOn(sm);
    for (uint32_t slot = 0; slot < blocks; ++slot) {
      const SlotBound bound = BoundOfSlot(cell, blocks, slot);
      worst.latency_ps = std::max(worst.latency_ps, bound.latency_ps);
      worst.gap_ps = std::max(worst.gap_ps, bound.gap_ps);
      worst.answer_ps = std::max(worst.answer_ps, bound.answer_ps);
    }
  }
  return worst;
}

int64_t LatencyBoundPs(const CellModel& cell) {
  return BoundOfGrid(cell).latency_ps + static_cast<int64_t>(cell.quantum_ps);
}

}  // namespace tilebound::model
