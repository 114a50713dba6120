// The bands of predictions against the published A10 surface.
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gtest/gtest.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

class ErrorBandCells : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto surfaces = Catalog::Open()->Surfaces("");
    ASSERT_TRUE(surfaces.ok()) << surfaces.status();
    for (const pb::Surface& surface : *surfaces) {
      if (surface.name() == "a10_reference") published_ = surface;
    }
    PredictOptions options;
    options.events = 10'000;
    auto predicted = PredictFromCatalog(A10ReferenceKeys(), options);
    ASSERT_TRUE(predicted.ok()) << predicted.status();
    predicted_ = *std::move(predicted);
  }

  // How many published quantiles lie in the band of the predicted ones.
  int Inside(double q) const {
    int inside = 0;
    for (const pb::Cell& cell : predicted_.cells()) {
      const pb::Metric* band = FindMetric(cell, kErrorBand);
      const pb::Metric* latency = FindMetric(cell, kLatency);
      for (const pb::Cell& other : published_.cells()) {
        if (Fingerprint(other.key()) != Fingerprint(cell.key())) continue;
        const double value = *MetricQuantile(*latency, q);
        const double truth = *MetricQuantile(*FindMetric(other, kLatency), q);
        const double half = value * *MetricQuantile(*band, q) / 100;
        inside += truth >= value - half && truth <= value + half;
      }
    }
    return inside;
  }

  pb::Surface published_;
  pb::Surface predicted_;
};

// Outside lie 16 blocks at period 2, two ticks off, and 216 at period 1, by 6
// %.
TEST_F(ErrorBandCells, HoldEveryPublishedMedianButTwo) {
  EXPECT_GE(Inside(0.5), 22);
}

// The published p99 of 216 and 288 blocks at period 8 are 1.2 times their
// medians, ours 1.15.
TEST_F(ErrorBandCells, HoldAllPublishedTailsButTwo) {
  EXPECT_GE(Inside(0.99), 22);
}

}  // namespace
}  // namespace tilebound::model
