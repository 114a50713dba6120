// The bar for the fast fidelity: over the 24 cells of the A10 surface with
// 10,000 events each, sampled agrees with exact on every p50 and p99 within a
// quantum or 2 %.
#include <algorithm>
#include <cmath>
#include <thread>

#include "gtest/gtest.h"
#include "data/schema/metric.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

TEST(Fidelity, SampledAgreesWithExactInEveryCell) {
  PredictOptions options;
  options.events = 10'000;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  const auto sampled = PredictFromCatalog(A10ReferenceKeys(), options);
  options.fidelity = Fidelity::kExact;
  const auto exact = PredictFromCatalog(A10ReferenceKeys(), options);
  ASSERT_TRUE(sampled.ok() && exact.ok());
  constexpr double kQuantumUs = 1.024;
  for (int i = 0; i < exact->cells_size(); ++i) {
    for (double q : {0.5, 0.99}) {
      const double fast =
          *MetricQuantile(*FindMetric(sampled->cells(i), kLatency), q);
      const double slow =
          *MetricQuantile(*FindMetric(exact->cells(i), kLatency), q);
      EXPECT_LE(std::abs(fast - slow),
                std::max(kQuantumUs, 0.02 * slow) + 1e-9)
          << CanonicalText(exact->cells(i).key()) << " q " << q << ": sampled "
          << fast << ", exact " << slow;
    }
  }
}

}  // namespace
}  // namespace tilebound::model
