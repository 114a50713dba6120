// The bars for accuracy, against published measurements by others. Fitted were
// solo tile time, saturated throughput and the median of one handoff cell.
#include <algorithm>
#include <cmath>

#include "data/schema/metric.h"
#include "gtest/gtest.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

constexpr double kQuantumUs = 1.024;

struct Errors {
  double mape = 0;
  int within = 0;
  int cells = 0;
};

// Errors of one quantile over the A10 surface; within = max(1 quantum,
// tolerance).
Errors Against(const pb::Surface& predicted, const pb::Surface& published,
               double q, double tolerance) {
  Errors errors;
  for (const pb::Cell& truth : published.cells()) {
    for (const pb::Cell& cell : predicted.cells()) {
      if (Fingerprint(cell.key()) != Fingerprint(truth.key())) continue;
      const double measured = *MetricQuantile(*FindMetric(truth, kLatency), q);
      const double ours = *MetricQuantile(*FindMetric(cell, kLatency), q);
      errors.mape += std::abs(ours - measured) / measured;
      errors.within += std::abs(ours - measured) <=
                       std::max(kQuantumUs, tolerance * measured) + 1e-9;
      ++errors.cells;
    }
  }
  errors.mape *= 100.0 / std::max(1, errors.cells);
  return errors;
}

pb::Surface Published(const std::string& name) {
  const auto surfaces = Catalog::Open()->Surfaces("");
  EXPECT_TRUE(surfaces.ok()) << surfaces.status();
  for (const pb::Surface& surface : *surfaces) {
    if (surface.name() == name) return surface;
  }
  ADD_FAILURE() << "no published surface " << name;
  return {};
}

pb::Surface Predicted(Sharing sharing) {
  PredictOptions options;
  options.sharing = sharing;
  const auto surface = PredictFromCatalog(A10ReferenceKeys(), options);
  EXPECT_TRUE(surface.ok()) << surface.status();
  return *surface;
}

TEST(Accuracy, A10ReferenceSurfaceMeetsTheBars) {
  const pb::Surface predicted = Predicted(Sharing::kSlot);
  const pb::Surface published = Published("a10_reference");
  const Errors p50 = Against(predicted, published, 0.5, 0.05);
  const Errors p99 = Against(predicted, published, 0.99, 0.06);
  ASSERT_EQ(p50.cells, 24);
  RecordProperty("p50_mape_pct", std::to_string(p50.mape));
  RecordProperty("p99_mape_pct", std::to_string(p99.mape));
  EXPECT_LE(p50.mape, 4.0);
  EXPECT_GE(p50.within, 18);
  EXPECT_LE(p99.mape, 9.0);
}

// What the slot-dependent share buys: the same calibration without it.
TEST(Accuracy, SharingBySlotBeatsBothBaselines) {
  const pb::Surface published = Published("a10_reference");
  const double slot =
      Against(Predicted(Sharing::kSlot), published, 0.5, 0.05).mape;
  const double fair =
      Against(Predicted(Sharing::kFair), published, 0.5, 0.05).mape;
  const double iid =
      Against(Predicted(Sharing::kIid), published, 0.5, 0.05).mape;
  EXPECT_LT(3 * slot, fair);
  EXPECT_LT(3 * slot, iid);
}

}  // namespace
}  // namespace tilebound::model
