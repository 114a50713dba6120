#include "model/finite_launch.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

#include "model/random.h"

namespace tilebound::model {
namespace {

constexpr uint64_t kLaunchStream = 64;

}  // namespace

int64_t MakespanPs(const CellModel& cell, uint64_t tasks, uint64_t launch) {
  using Next = std::tuple<int64_t, uint32_t, uint32_t>;  // time, SM, slot
  std::vector<SmServer> servers;
  std::vector<uint32_t> running;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> boundaries;
  for (uint32_t sm = 0; sm < cell.placement.busy_sms(); ++sm) {
    const uint32_t blocks = cell.placement.BlocksOn(sm);
    servers.push_back(cell.MakeServer(
        blocks, StreamSeed({kLaunchStream, launch, sm}), cell.SmScale(sm)));
    for (uint32_t slot = 0; slot < blocks; ++slot)
      servers[sm].RestartAt(slot, 0);
    running.push_back(blocks);
    const SmServer::Passing at = servers[sm].NextBoundary();
    boundaries.emplace(at.time_ps, sm, at.slot);
  }
  // Boundaries in the order of time over all SMs: each pops a tile while there
  // are any, and is the end of the block where there are none.
  int64_t last = 0;
  while (!boundaries.empty()) {
    const auto [time, sm, slot] = boundaries.top();
    boundaries.pop();
    last = time;
    if (tasks > 0) {
      --tasks;
    } else {
      servers[sm].Leave(slot);
      --running[sm];
    }
    if (running[sm] == 0) continue;
    const SmServer::Passing at = servers[sm].NextBoundary();
    boundaries.emplace(at.time_ps, sm, at.slot);
  }
  return last;
}

}  // namespace tilebound::model
