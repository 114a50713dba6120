#include "model/missing_metrics.h"

#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MissingMetrics, TellsEachReasonOnce) {
  pb::Surface surface;
  for (const char* reason : {"no law", "no law", "no data"}) {
    pb::Cell& cell = *surface.add_cells();
    for (const char* name : {kWait, kMakespan}) {
      *cell.add_metrics() =
          AbsentMetric(name, pb::Metric::NOT_MODELLED, reason);
    }
    *cell.add_metrics() = ScalarMetric(kBacklogSlope, 88, 0);
  }
  EXPECT_THAT(MissingMetrics(surface),
              ElementsAre("wait, makespan of 2 of 3 cells: no law",
                          "wait, makespan of 1 of 3 cells: no data"));
}

TEST(MissingMetrics, HasNothingToSayOfAWholeSurface) {
  pb::Surface surface;
  *surface.add_cells()->add_metrics() = ScalarMetric(kBacklogSlope, 88, 0);
  EXPECT_THAT(MissingMetrics(surface), IsEmpty());
}

}  // namespace
}  // namespace tilebound::model
