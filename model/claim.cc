#include "model/claim.h"

#include <algorithm>

namespace tilebound::model {
namespace {

constexpr uint64_t kClaimStream = 112;
constexpr size_t kClaimsKept = 4096;
constexpr int64_t kWarmupTiles = 50;

constexpr uint32_t kClaimBegins = 1;
constexpr uint32_t kClaimEnds = 2;

// A tile of the cell, of its first program, that claims right after its
// boundary. The atomic's round trip takes the place of as much of the latency
// that follows, so that the load stays that of the cell.
TileTiming WithClaim(const CellModel& cell) {
  TileTiming timing = cell.timing;
  const ProgramSpan span = timing.Spans()[0];
  std::vector<Phase> phases(timing.phases.begin() + span.first,
                            timing.phases.begin() + span.end);
  const int64_t look_ps =
      std::min(phases[0].duration_ps, timing.marks[0].observe_offset_ps);
  const int64_t rest_ps = phases[0].duration_ps - look_ps;
  phases[0].duration_ps =
      std::max<int64_t>(0, rest_ps - cell.claim_round_trip_ps);
  phases[0].mark = kClaimEnds;
  phases.insert(phases.begin(), {{false, look_ps, 0},
                                 {true, cell.claim_barrier_ps, kClaimBegins},
                                 {false, cell.claim_round_trip_ps, 0},
                                 {true, cell.claim_barrier_ps, 0}});
  timing.phases = std::move(phases);
  // Over tiles a waiting block keeps a part of its turn on the average. A claim
  // is short: it meets blocks that wait or blocks that do not.
  timing.unclaimed_share = 0;
  timing.programs.clear();
  timing.marks.assign(3, Mark{});
  return timing;
}

}  // namespace

ClaimDelays::ClaimDelays(const CellModel& cell)
    : taken_ps_(cell.placement.most_blocks_per_sm() + 1) {
  const int64_t constant_ps = 2 * cell.claim_round_trip_ps;
  CellModel claiming = cell;
  if (cell.sharing != Sharing::kIid) claiming.timing = WithClaim(cell);
  for (uint32_t sm = 0; sm < cell.placement.busy_sms(); ++sm) {
    const uint32_t blocks = cell.placement.BlocksOn(sm);
    auto& slots = taken_ps_[blocks];
    if (!slots.empty()) continue;
    slots.resize(blocks);
    // Independent tiles know no sharing, and barriers that nobody slows down.
    if (cell.sharing == Sharing::kIid || cell.claim_barrier_ps == 0) {
      slots.assign(blocks, {constant_ps + 2 * cell.claim_barrier_ps});
      continue;
    }
    SmServer server = claiming.MakeServer(blocks, kClaimStream, 1);
    std::vector<int64_t> began(blocks, 0);
    const int64_t steady_ps = kWarmupTiles * cell.FairTilePs();
    for (uint32_t complete = 0; complete < blocks;) {
      const SmServer::Passing at = server.NextPassing();
      if (at.time_ps < steady_ps) continue;
      if (at.mark == kClaimBegins) began[at.slot] = at.time_ps;
      if (at.mark != kClaimEnds || began[at.slot] == 0) continue;
      std::vector<int64_t>& taken = slots[at.slot];
      if (taken.size() == kClaimsKept) continue;
      // The pop's own round trip follows.
      taken.push_back(at.time_ps - began[at.slot] + cell.claim_round_trip_ps);
      complete += taken.size() == kClaimsKept;
    }
  }
}

}  // namespace tilebound::model
