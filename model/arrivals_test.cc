#include "model/arrivals.h"

#include "data/schema/cell_key.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

constexpr int64_t kUs = 1'000'000;
constexpr int kEvents = 100'000;

Arrivals Make(const char* text) {
  const auto arrivals = ParseArrivals(text);
  EXPECT_TRUE(arrivals.ok()) << arrivals.status();
  return Arrivals(*arrivals, Random(5));
}

// Time from the first set to the last due, with events that last `busy_ps`.
int64_t Span(Arrivals& arrivals, int64_t busy_ps) {
  const int64_t first = arrivals.First(17);
  int64_t due = first;
  for (int event = 0; event < kEvents; ++event) {
    const int64_t end = due + busy_ps;
    const int64_t next = arrivals.Next(due, end);
    EXPECT_GE(next, end);
    due = next;
  }
  return due - first;
}

TEST(Arrivals, UniformGapsCountFromTheEndOfTheEvent) {
  Arrivals arrivals = Make("uniform:150:400");
  int64_t due = arrivals.First(0);
  double sum = 0;
  for (int event = 0; event < kEvents; ++event) {
    const int64_t end = due + 70 * kUs;
    const int64_t next = arrivals.Next(due, end);
    ASSERT_GE(next - end, 150 * kUs);
    ASSERT_LE(next - end, 400 * kUs);
    sum += static_cast<double>(next - end) / kUs;
    due = next;
  }
  // Mean 275, deviation 250 / sqrt(12) = 72.2 us; five deviations of the mean.
  EXPECT_NEAR(sum / kEvents, 275, 5 * 72.2 / 316.2);
}

// The mean gap of a Poisson process does not depend on how long events take, as
// long as they fit in between on average.
TEST(Arrivals, PoissonKeepsItsRateThoughWorkWaits) {
  for (int64_t busy_us : {1, 50, 150}) {
    Arrivals arrivals = Make("poisson:200");
    const double mean =
        static_cast<double>(Span(arrivals, busy_us * kUs)) / kUs / kEvents;
    EXPECT_NEAR(mean, 200, 5 * 200 / 316.2 + 1) << busy_us;
    EXPECT_NEAR(arrivals.Utilization(), static_cast<double>(busy_us) / 200,
                0.02);
  }
}

// One server, Poisson arrivals, fixed service: an arrival has to wait with the
// probability that the server is busy (Poisson arrivals see time averages).
TEST(Arrivals, PoissonWorkWaitsAsOftenAsTheFlagIsInUse) {
  Arrivals arrivals = Make("poisson:200");
  Span(arrivals, 100 * kUs);
  EXPECT_NEAR(static_cast<double>(arrivals.waited()) / kEvents, 0.5, 0.01);
}

TEST(Arrivals, ClosedLoopHoldsTheUtilization) {
  for (double utilization : {0.05, 0.5, 0.95}) {
    const std::string text = "closed:" + std::to_string(utilization);
    Arrivals arrivals = Make(text.c_str());
    const double span = static_cast<double>(Span(arrivals, 65 * kUs));
    EXPECT_NEAR(65.0 * kUs * kEvents / span, utilization, 1e-4);
    EXPECT_NEAR(arrivals.Utilization(), utilization, 1e-4);
  }
}

}  // namespace
}  // namespace tilebound::model
