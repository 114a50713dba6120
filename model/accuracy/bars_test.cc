// Which bars are met, against published measurements by others. A bar that is
// lost, or won, has to be told to docs/model.md and to the list below.
#include <set>
#include <string>

#include "data/schema/catalog.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/accuracy/bar.h"
#include "model/accuracy/evaluate.h"

namespace tilebound::model {
namespace {

// Not met; docs/model.md says by how much and what was tried.
const std::set<std::string>& Unmet() {
  static const auto* unmet = new std::set<std::string>{
      "A10, p50 cell by cell",
      "A100 cp.async stage, p50",
      "A100 cp.async stage, p99",
      "overhead, tensor core, not fitted",
      "cooperative e2e, A10, p50",
      "cooperative e2e, A10, p99",
      "reserved e2e, p50, not fitted",
  };
  return *unmet;
}

TEST(AccuracyBars, AreMetButForThoseThatTheDocumentationNames) {
  const auto published = Catalog::Open()->Surfaces("");
  ASSERT_TRUE(published.ok()) << published.status();
  const auto results = EvaluateBars(*published, {});
  ASSERT_TRUE(results.ok()) << results.status();
  std::set<std::string> unmet;
  for (size_t i = 0; i < results->size(); ++i) {
    EXPECT_FALSE((*results)[i].comparisons.empty())
        << AccuracyBars()[i].name << ": " << (*results)[i].missing_reason;
    if (!(*results)[i].met) unmet.insert(AccuracyBars()[i].name);
  }
  EXPECT_EQ(unmet, Unmet());
}

TEST(Judge, CountsWhatIsWithinTheLargerOfTickAndPercent) {
  pb::Surface published;
  published.mutable_conditions()->set_timer_quantum_ps(1'000'000);
  pb::Surface predicted = published;
  const double pairs[][2] = {{10, 11}, {10, 11.2}, {100, 104}, {100, 106}};
  for (uint32_t i = 0; i < 4; ++i) {
    for (auto* surface : {&published, &predicted}) {
      pb::Cell* cell = surface->add_cells();
      cell->mutable_key()->set_blocks(i + 1);
      pb::Metric* metric = cell->add_metrics();
      metric->set_name("latency");
      metric->set_unit("us");
      metric->mutable_quantiles()->add_q(0.5);
      metric->mutable_quantiles()->add_value(
          pairs[i][surface == &predicted ? 1 : 0]);
    }
  }
  AccuracyBar bar = {.name = "planted",
                     .surface = "planted",
                     .metric = "latency",
                     .q = 0.5,
                     .rule = AccuracyBar::Rule::kWithin,
                     .limit = 5,
                     .quanta = 1,
                     .at_least = 2,
                     .applies = nullptr};
  BarResult result = Judge(bar, published, {predicted});
  EXPECT_EQ(result.score, 2);
  EXPECT_TRUE(result.met);
  bar.at_least = 3;
  EXPECT_FALSE(Judge(bar, published, {predicted}).met);
  bar.rule = AccuracyBar::Rule::kMeanError;
  EXPECT_NEAR(Judge(bar, published, {predicted}).score, (10 + 12 + 4 + 6) / 4.0,
              1e-9);
  predicted.mutable_cells()->RemoveLast();
  EXPECT_EQ(Judge(bar, published, {predicted}).missing, 1);
}

}  // namespace
}  // namespace tilebound::model
