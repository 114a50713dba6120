#include "model/batch_estimate.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "model/random.h"

namespace tilebound::model {
namespace {

// Tables of Student's distribution, two-sided 95 %.
TEST(StudentQuantile, AgreesWithPrintedTables) {
  EXPECT_NEAR(StudentQuantile975(5), 2.571, 2e-3);
  EXPECT_NEAR(StudentQuantile975(9), 2.262, 1e-3);
  EXPECT_NEAR(StudentQuantile975(19), 2.093, 1e-3);
  EXPECT_NEAR(StudentQuantile975(29), 2.045, 1e-3);
  EXPECT_NEAR(StudentQuantile975(1000), 1.962, 1e-3);
}

// Mean of equal batches by leaving one out.
Estimate MeanOf(const std::vector<double>& batch_means) {
  const int batches = static_cast<int>(batch_means.size());
  return EstimateByBatches(batches, [&](int left_out) {
    double sum = 0;
    int n = 0;
    for (int j = 0; j < batches; ++j) {
      if (j == left_out) continue;
      sum += batch_means[j];
      ++n;
    }
    return sum / n;
  });
}

// For a mean the jackknife is the textbook's s / sqrt(n).
TEST(EstimateByBatches, OfAMeanIsTheStandardErrorOfTheMean) {
  const Estimate estimate = MeanOf({1, 2, 3, 4, 5, 6});
  EXPECT_DOUBLE_EQ(estimate.value, 3.5);
  EXPECT_NEAR(estimate.standard_error, std::sqrt(3.5 / 6), 1e-12);
  EXPECT_NEAR(estimate.high - estimate.value, 2.5706 * estimate.standard_error,
              2e-3);
}

// Observations that remember: each is 0.7 of the one before and new noise. The
// standard error of the mean of n is sqrt((1 + 0.7) / (1 - 0.7) / n) = 2.38 of
// what independent ones would have; the intervals must be wide enough for it.
TEST(EstimateByBatches, CoversTheMeanOfCorrelatedObservations) {
  constexpr int kSeeds = 400, kBatches = 20, kBatch = 60;
  constexpr double kMemory = 0.7;
  int covered = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(StreamSeed({1, static_cast<uint64_t>(seed)}));
    double value = random.Normal();
    std::vector<double> means(kBatches);
    for (double& mean : means) {
      for (int i = 0; i < kBatch; ++i) {
        value = kMemory * value +
                std::sqrt(1 - kMemory * kMemory) * random.Normal();
        mean += value / kBatch;
      }
    }
    const Estimate estimate = MeanOf(means);
    covered += estimate.low <= 0 && 0 <= estimate.high;
  }
  EXPECT_GE(covered, 0.92 * kSeeds);
  EXPECT_LE(covered, 0.98 * kSeeds);
}

}  // namespace
}  // namespace tilebound::model
