#include "gpu/suites/trace_promise.h"

#include "data/schema/cell_key.h"
#include "data/trace/header.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

pb::CellKey Key(pb::Site site) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("h200");
  key.set_kernel("sgemm64_cpasync");
  key.set_k(64);
  key.set_blocks(528);
  key.set_site(site);
  return key;
}

pb::TraceHeader Promise(const pb::CellKey& key) {
  pb::TraceHeader header = TracePromise(key, 4, 16, 32'000);
  header.set_schema_major(kTraceMajor);
  return header;
}

TEST(TracePromise, IsAHeaderThatTheOracleTakesAtEverySite) {
  for (const pb::Site site : {pb::BOUNDARY, pb::STAGE, pb::ISSUE, pb::FOLDED}) {
    EXPECT_TRUE(ValidateTraceHeader(Promise(Key(site))).ok())
        << ValidateTraceHeader(Promise(Key(site)));
  }
}

TEST(TracePromise, CountsTheChunksOfATileAtSitesInsideIt) {
  EXPECT_EQ(Promise(Key(pb::STAGE)).stages_per_tile(), 64 / 16);
  EXPECT_EQ(Promise(Key(pb::BOUNDARY)).stages_per_tile(), 0);
}

TEST(TracePromise, AllowsAPipelinedLookToBeOneBehind) {
  pb::CellKey key = Key(pb::STAGE);
  EXPECT_EQ(Promise(key).stale_looks(), 0);
  key.set_variant("pipelined_flag");
  EXPECT_EQ(Promise(key).stale_looks(), 1);
}

TEST(TracePath, TellsTheCellsOfASuiteApart) {
  EXPECT_EQ(TracePath("a/run.tbtrace", Key(pb::STAGE)),
            "a/run_sgemm64_cpasync_stage.tbtrace");
  EXPECT_EQ(TracePath("run", Key(pb::ISSUE)),
            "run_sgemm64_cpasync_issue.tbtrace");
}

}  // namespace
}  // namespace tilebound::gpu
