#include "model/explain.h"

#include <utility>

#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/sampled.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

CellModel Cell(uint32_t blocks, uint32_t period,
               Sharing sharing = Sharing::kSlot) {
  const Catalog catalog = *Catalog::Open();
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(blocks);
  key.set_period(period);
  auto cell = MakeCellModel(
      *catalog.FindPart("a10"), *catalog.FindKernel("sgemm64"),
      *catalog.FindCalibration("a10", "sgemm64"), key, sharing, /*seed=*/1);
  EXPECT_TRUE(cell.ok()) << cell.status();
  return *std::move(cell);
}

Explanation Explain(const CellModel& cell) {
  const auto explanation = ExplainLatency(cell, 2000);
  EXPECT_TRUE(explanation.ok()) << explanation.status();
  return *explanation;
}

double MeanOfHistogram(const pb::Metric& metric) {
  double sum = 0, n = 0;
  for (int i = 0; i < metric.histogram().bin_size(); ++i) {
    sum += static_cast<double>(metric.histogram().bin(i)) *
           metric.histogram().count(i);
    n += metric.histogram().count(i);
  }
  return sum / n * metric.histogram().quantum_ps() * 1e-6;
}

// Flooring both stamps leaves the mean alone, so the prediction's mean is the
// second method for the sum of the parts.
TEST(ExplainLatency, PartsAddUpToThePredictedMean) {
  for (const auto& [blocks, period] :
       {std::pair(288u, 1u), std::pair(100u, 4u), std::pair(16u, 2u)}) {
    const CellModel cell = Cell(blocks, period);
    const Explanation parts = Explain(cell);
    EXPECT_NEAR(parts.notification_us + parts.service_us + parts.memory_us +
                    parts.period_us,
                parts.latency_us, 1e-6 * parts.latency_us);
    for (const pb::Metric& metric :
         SampleHandoff(cell, 10'000, 1).ToMetrics()) {
      if (metric.name() != kLatency) continue;
      EXPECT_NEAR(parts.latency_us, MeanOfHistogram(metric),
                  0.015 * parts.latency_us)
          << blocks << " blocks, period " << period;
    }
  }
}

TEST(ExplainLatency, BlamesTheServiceOfTheYoungestSlotAtSaturation) {
  const Explanation parts = Explain(Cell(288, 1));
  ASSERT_EQ(parts.slots.size(), 4u);
  EXPECT_EQ(parts.slots[3].slot, 3u);
  EXPECT_EQ(parts.slots[3].blocks, 72u);
  EXPECT_GT(parts.slots[3].last_pct, 99);
  EXPECT_GT(parts.service_us, 0.8 * parts.latency_us);
  EXPECT_EQ(parts.period_us, 0);
  EXPECT_NEAR(parts.slots[3].service_us, parts.service_us,
              0.01 * parts.latency_us);
}

// Of sites that come at even distances the look is the last of up to seven
// more: most of what a block waits is the period's.
TEST(ExplainLatency, BlamesThePeriodWhereThatIsLong) {
  const Explanation parts = Explain(Cell(72, 8));
  EXPECT_GT(parts.period_us, 0.7 * parts.latency_us);
  EXPECT_NEAR(parts.slots[0].last_pct, 100, 1e-9);
}

TEST(ExplainLatency, SharesLastPlaceByHowManyBlocksThereAre) {
  // 100 blocks: 28 SMs with two, 44 with one.
  const Explanation parts = Explain(Cell(100, 1));
  ASSERT_EQ(parts.slots.size(), 3u);
  double sum = 0;
  uint32_t blocks = 0;
  for (const SlotExplanation& slot : parts.slots) {
    sum += slot.last_pct;
    blocks += slot.blocks;
  }
  EXPECT_NEAR(sum, 100, 1e-9);
  EXPECT_EQ(blocks, 100u);
  // The younger of two is slowest.
  EXPECT_GT(parts.slots[1].last_pct, 80);
}

TEST(ExplainLatency, RefusesIndependentTiles) {
  EXPECT_THAT(
      ExplainLatency(Cell(288, 1, Sharing::kIid), 10).status().message(),
      HasSubstr("--sharing=iid"));
}

TEST(ExplanationText, SaysItInWordsAndNumbers) {
  Explanation explanation;
  explanation.latency_us = 60;
  explanation.service_us = 48;
  explanation.memory_us = 6;
  explanation.period_us = 3;
  explanation.notification_us = 3;
  explanation.slots = {{4, 3, 72, 57.2, 99.5, 48}, {4, 2, 72, 34, 0.5, 0}};
  const std::string text = ExplanationText(explanation);
  EXPECT_THAT(text, HasSubstr("takes 60.0 us on average"));
  EXPECT_THAT(text, HasSubstr("48.0 us (80 %) of service"));
  EXPECT_THAT(text, HasSubstr("In 99.5 % of events a block in slot 3 of 4 "
                              "observes last (72 such blocks, 57.2 us"));
}

TEST(ExplanationTable, HoldsThePartsAndTheSlots) {
  Explanation explanation;
  explanation.latency_us = 10;
  explanation.slots = {{1, 0, 72, 10, 100, 5}};
  Table table = ExplanationTable();
  AddExplanation("cell", explanation, table);
  EXPECT_EQ(table.rows().size(), 7u);
  EXPECT_THAT(table.ToCsv(), HasSubstr("cell,observes last,1,0,,100"));
}

}  // namespace
}  // namespace tilebound::model
