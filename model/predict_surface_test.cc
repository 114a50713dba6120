#include "model/predict_surface.h"

#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

using google::protobuf::util::MessageDifferencer;
using ::testing::HasSubstr;

pb::CellKey Saturated(uint32_t period) {
  pb::CellKey key = A10ReferenceKeys()[20];
  key.set_period(period);
  return key;
}

PredictOptions Few(Fidelity fidelity) {
  PredictOptions options;
  options.events = fidelity == Fidelity::kExact ? 60 : 2500;
  options.warmup_events = 10;
  options.fidelity = fidelity;
  return options;
}

double Quantile(const pb::Cell& cell, const char* name, double q) {
  const pb::Metric* metric = FindMetric(cell, name);
  return metric == nullptr ? -1 : MetricQuantile(*metric, q).value_or(-1);
}

TEST(PredictSurface, DoesNotDependOnThreads) {
  for (Fidelity fidelity : {Fidelity::kSampled, Fidelity::kExact}) {
    PredictOptions options = Few(fidelity);
    std::vector<pb::Surface> surfaces;
    for (uint32_t threads : {1, 2, 7}) {
      options.threads = threads;
      const auto surface =
          PredictFromCatalog({Saturated(1), Saturated(4)}, options);
      ASSERT_TRUE(surface.ok()) << surface.status();
      surfaces.push_back(*surface);
    }
    EXPECT_TRUE(MessageDifferencer::Equals(surfaces[0], surfaces[1]));
    EXPECT_TRUE(MessageDifferencer::Equals(surfaces[0], surfaces[2]));
  }
}

TEST(PredictSurface, OneCellOnManyThreadsEqualsOneThread) {
  PredictOptions options = Few(Fidelity::kSampled);
  const auto one = PredictFromCatalog({Saturated(2)}, options);
  options.threads = 4;
  const auto four = PredictFromCatalog({Saturated(2)}, options);
  ASSERT_TRUE(one.ok() && four.ok());
  EXPECT_TRUE(MessageDifferencer::Equals(*one, *four));
}

TEST(PredictSurface, AnotherSeedGivesOtherEventsAndTheSameMedian) {
  PredictOptions options = Few(Fidelity::kSampled);
  options.events = 10'000;
  const auto first = PredictFromCatalog({Saturated(1)}, options);
  options.seed = 2;
  const auto second = PredictFromCatalog({Saturated(1)}, options);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(MessageDifferencer::Equals(first->cells(0), second->cells(0)));
  EXPECT_NEAR(Quantile(first->cells(0), kLatency, 0.5),
              Quantile(second->cells(0), kLatency, 0.5), 1.03);
}

TEST(PredictSurface, EveryStampIsAWholeNumberOfTicks) {
  const auto surface =
      PredictFromCatalog({Saturated(1)}, Few(Fidelity::kSampled));
  ASSERT_TRUE(surface.ok());
  for (const pb::Metric& metric : surface->cells(0).metrics()) {
    if (!metric.has_histogram()) continue;
    EXPECT_EQ(metric.histogram().quantum_ps(), 1'024'000u) << metric.name();
    EXPECT_EQ(metric.n(), 2500u) << metric.name();
  }
}

TEST(PredictSurface, OrderOfObservationsHoldsInEveryQuantile) {
  const auto surface =
      PredictFromCatalog({Saturated(2)}, Few(Fidelity::kSampled));
  ASSERT_TRUE(surface.ok());
  const pb::Cell& cell = surface->cells(0);
  for (double q : {0.1, 0.5, 0.9, 0.99, 1.0}) {
    EXPECT_LE(Quantile(cell, kFirst, q), Quantile(cell, kLatency, q));
    EXPECT_LE(Quantile(cell, kLatency, q),
              Quantile(cell, kLatencyWithSetter, q));
    EXPECT_LE(Quantile(cell, kFirst, q), Quantile(cell, kE2e, q));
  }
}

TEST(PredictSurface, DeviceCannotLaunchReservedWorkAndHasNoNumber) {
  pb::CellKey key = Saturated(1);
  key.set_arm(pb::RESERVED);
  key.set_reserve(8);
  const auto surface = PredictFromCatalog({key}, Few(Fidelity::kSampled));
  ASSERT_TRUE(surface.ok()) << surface.status();
  for (const pb::Metric& metric : surface->cells(0).metrics()) {
    EXPECT_EQ(metric.status(), pb::Metric::NOT_MODELLED);
    EXPECT_THAT(metric.reason(), HasSubstr("launched by the host"));
    EXPECT_EQ(metric.value_case(), pb::Metric::VALUE_NOT_SET);
  }
}

TEST(PredictSurface, TailOfFewEventsIsMarked) {
  PredictOptions options = Few(Fidelity::kSampled);
  const auto few = PredictFromCatalog({Saturated(1)}, options);
  options.events = 10'000;
  const auto enough = PredictFromCatalog({Saturated(1)}, options);
  ASSERT_TRUE(few.ok() && enough.ok());
  EXPECT_THAT(FindMetric(few->cells(0), kLatency)->soft_reason(),
              HasSubstr("10000 events"));
  EXPECT_EQ(FindMetric(enough->cells(0), kLatency)->soft_reason(), "");
}

TEST(PredictSurface, TooManyBlocksNameTheBindingResource) {
  pb::CellKey key = Saturated(1);
  key.set_blocks(289);
  EXPECT_THAT(
      PredictFromCatalog({key}, Few(Fidelity::kSampled)).status().message(),
      HasSubstr("bound by registers"));
}

TEST(PredictSurface, DepthMustBeWholeChunks) {
  pb::CellKey key = Saturated(1);
  key.set_k(65);
  EXPECT_THAT(
      PredictFromCatalog({key}, Few(Fidelity::kSampled)).status().message(),
      HasSubstr("multiples of 32"));
}

TEST(PredictSurface, PartsOfDifferentClocksDoNotShareASurface) {
  pb::CellKey other = Saturated(1);
  other.set_part("a100_sxm4_40gb");
  EXPECT_THAT(PredictFromCatalog({Saturated(1), other}, Few(Fidelity::kSampled))
                  .status()
                  .message(),
              HasSubstr("one clock"));
}

TEST(PredictSurface, SingleBlockHasNobodyToWaitFor) {
  pb::CellKey key = Saturated(1);
  key.set_blocks(1);
  const auto surface = PredictFromCatalog({key}, Few(Fidelity::kSampled));
  ASSERT_TRUE(surface.ok()) << surface.status();
  EXPECT_EQ(FindMetric(surface->cells(0), kLatency)->status(),
            pb::Metric::SKIPPED);
  EXPECT_GT(Quantile(surface->cells(0), kLatencyWithSetter, 0.5), 0);
}

}  // namespace
}  // namespace tilebound::model
