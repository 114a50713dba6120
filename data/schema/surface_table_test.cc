#include "data/schema/surface_table.h"

#include "data/schema/text_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tilebound {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// One cell of a published table (quantiles without n), one of a simulation
// (100 events: 99 of 63 ticks and one of 84 ticks of 1.024 us).
pb::Surface Example() {
  pb::Surface surface;
  const absl::Status parsed = ParseText("example", R"(
    cells {
      key {
        part: "a10" kernel: "sgemm64" k: 64 blocks: 144 site: BOUNDARY period: 1
        variant: "default" discipline: DRAIN arm: COOPERATIVE urgent_tiles: 1
        setter: DEVICE cluster_size: 1
        arrivals { process: UNIFORM min_gap_ns: 150000 max_gap_ns: 400000 }
      }
      metrics {
        name: "latency" unit: "us"
        quantiles { q: [0.5, 0.99] value: [32.768, 43.008] }
      }
      metrics { name: "overhead" unit: "percent" scalar: -0.25 }
      metrics { name: "wait" unit: "us" status: NOT_MODELLED reason: "no law" }
      metrics {
        name: "tile_time" unit: "us" slot: 3
        quantiles { q: [0.5] value: [40.5] }
      }
    }
    cells {
      key {
        part: "a10" kernel: "sgemm64" k: 64 blocks: 288 site: BOUNDARY period: 4
        variant: "default" discipline: DRAIN arm: COOPERATIVE urgent_tiles: 1
        setter: DEVICE cluster_size: 1
        arrivals { process: UNIFORM min_gap_ns: 150000 max_gap_ns: 400000 }
      }
      metrics {
        name: "latency" unit: "us" n: 100
        histogram { quantum_ps: 1024000 bin: [63, 84] count: [99, 1] }
      }
      metrics { name: "first" unit: "us" status: FAILED reason: "no, really" }
    })",
                                        &surface);
  EXPECT_TRUE(parsed.ok()) << parsed;
  return surface;
}

TEST(RenderSurface, CsvHasTheColumnsOfTheDesignAndEmptyFields) {
  EXPECT_EQ(
      *RenderSurface(Example(), "csv"),
      "part,kernel,k,blocks,site,period,variant,discipline,arm,reserve,"
      "urgent_tiles,setter,n,latency_p50_us,latency_p90_us,latency_p95_us,"
      "latency_p99_us,latency_max_us,first_p50_us,first_p99_us,spread_p50_us,"
      "spread_p99_us,e2e_p50_us,e2e_p99_us,wait_p50_us,wait_p99_us,"
      "rate_loss_pct,overhead_pct,status\n"
      "a10,sgemm64,64,144,boundary,1,default,drain,cooperative,0,1,device,0,"
      "32.768,,,43.008,,,,,,,,,,,-0.25,OK\n"
      "a10,sgemm64,64,288,boundary,4,default,drain,cooperative,0,1,device,100,"
      "64.512,64.512,64.512,64.512,86.016,,,,,,,,,,,\"FAILED(no, really)\"\n");
}

TEST(RenderSurface, JsonCarriesEveryMetricUnderTheSameNames) {
  const auto rows = nlohmann::json::parse(*RenderSurface(Example(), "json"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["latency_p50_us"], 32.768);
  EXPECT_EQ(rows[0]["tile_time_slot3_p50_us"], 40.5);
  EXPECT_EQ(rows[0]["arrivals"], "uniform:150:400");
  EXPECT_TRUE(rows[1]["tile_time_slot3_p50_us"].is_null());
  EXPECT_EQ(rows[1]["latency_max_us"], 86.016);
}

TEST(RenderSurface, TextSaysOnceWhatEveryRowShares) {
  const std::string text = *RenderSurface(Example(), "table");
  const std::string head = text.substr(0, text.find('\n'));
  EXPECT_THAT(head, HasSubstr("part=a10 kernel=sgemm64 k=64 site=boundary"));
  const std::string table = text.substr(text.find("\n\n") + 2);
  EXPECT_THAT(table, HasSubstr("blocks"));
  EXPECT_THAT(table, Not(HasSubstr("sgemm64")));
  // Absent everywhere.
  EXPECT_THAT(text, Not(HasSubstr("e2e_p50_us")));
}

TEST(RenderSurface, OfNoCellsIsStillATable) {
  EXPECT_EQ(*RenderSurface(pb::Surface(), "json"), "[]\n");
  EXPECT_THAT(*RenderSurface(pb::Surface(), "table"),
              HasSubstr("latency_p99_us"));
}

TEST(RenderSurface, RefusesAnUnknownFormat) {
  EXPECT_EQ(RenderSurface(Example(), "xml").status().message(),
            "--format=xml: accepted are table, csv, json");
}

TEST(CellStatus, NotModelledCountsOnlyForTheLatencyOrWhenAllAre) {
  pb::Cell cell = Example().cells(0);
  EXPECT_EQ(CellStatus(cell), "OK");
  cell.mutable_metrics(0)->clear_value();
  cell.mutable_metrics(0)->set_status(pb::Metric::NOT_MODELLED);
  cell.mutable_metrics(0)->set_reason("too deep");
  EXPECT_EQ(CellStatus(cell), "NOT_MODELLED(too deep)");
  cell = Example().cells(0);
  cell.mutable_metrics()->DeleteSubrange(0, 2);
  cell.mutable_metrics()->DeleteSubrange(1, 1);
  EXPECT_EQ(CellStatus(cell), "NOT_MODELLED(no law)");
}

TEST(CellStatus, TellsTheWorst) {
  pb::Cell cell = Example().cells(1);
  EXPECT_EQ(CellStatus(cell), "FAILED(no, really)");
  pb::Metric skipped = cell.metrics(1);
  skipped.set_name("e2e");
  skipped.set_status(pb::Metric::SKIPPED);
  *cell.add_metrics() = skipped;
  EXPECT_EQ(CellStatus(cell), "FAILED(no, really)");
  EXPECT_EQ(CellStatus(pb::Cell()), "OK");
}

}  // namespace
}  // namespace tilebound
