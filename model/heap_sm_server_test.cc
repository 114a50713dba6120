#include "model/heap_sm_server.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/sm_server.h"

namespace tilebound::model {
namespace {

// The benchmark's rival does the same work: boundary for boundary the same
// picosecond.
TEST(HeapSmServer, AgreesWithSmServerToThePicosecond) {
  TileTiming timing;
  timing.phases = {{false, 2'200'000},
                   {true, 2'770'000},
                   {false, 1'450'000},
                   {true, 3'540'000}};
  timing.service_spread = 0.08;
  for (uint32_t blocks = 1; blocks <= 8; ++blocks) {
    timing.unclaimed_share = blocks % 2 == 0 ? 0.5 : 0;
    std::vector<int64_t> weights;
    for (uint32_t slot = 0; slot < blocks; ++slot) {
      weights.push_back(kWeightOne >> slot);
    }
    SmServer server(timing, weights, Random(blocks), 1);
    HeapSmServer heap(timing, weights, Random(blocks));
    for (int i = 0; i < 20'000; ++i) {
      const SmServer::Passing ours = server.NextBoundary();
      const SmServer::Passing theirs = heap.NextBoundary();
      ASSERT_EQ(ours.time_ps, theirs.time_ps) << blocks << " blocks, " << i;
      ASSERT_EQ(ours.slot, theirs.slot) << blocks << " blocks, " << i;
    }
    EXPECT_EQ(server.phase_events(), heap.phase_events());
  }
}

}  // namespace
}  // namespace tilebound::model
