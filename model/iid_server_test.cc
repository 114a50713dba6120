#include "model/iid_server.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

constexpr double kZ99 = 2.3263478740408408;

// p99 over mean of a lognormal distribution is exp(z s - s^2 / 2).
TEST(LogDeviationFromP99, InvertsTheRatioOfALognormal) {
  for (double s : {0.01, 0.1, 0.3, 0.5, 1.0, 2.0}) {
    EXPECT_NEAR(LogDeviationFromP99(std::exp(kZ99 * s - s * s / 2)), s, 1e-12);
  }
}

TEST(LogDeviationFromP99, IsZeroForATailThatIsNotAboveTheMean) {
  EXPECT_EQ(LogDeviationFromP99(1), 0);
  EXPECT_EQ(LogDeviationFromP99(0.9), 0);
}

TEST(LogDeviationFromP99, IsTheLargestPossibleForATailThatNoLognormalHas) {
  EXPECT_NEAR(LogDeviationFromP99(14.97), kZ99, 0.03);
  EXPECT_EQ(LogDeviationFromP99(15), kZ99);
  EXPECT_EQ(LogDeviationFromP99(1e6), kZ99);
}

// Tile times of slot 0.
std::vector<double> TileTimes(IidServer server, size_t count) {
  std::vector<double> times;
  int64_t last = -1;
  while (times.size() < count) {
    const SmServer::Passing at = server.NextPassing();
    if (at.slot != 0) continue;
    if (last >= 0) times.push_back(static_cast<double>(at.time_ps - last));
    last = at.time_ps;
  }
  return times;
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The study's tile at saturation: mean 25.4 us, 99th percentile 57.6 us.
TEST(IidServer, HasTheMeanAndTheTailThatItWasGiven) {
  constexpr double kMean = 25.4e6, kP99 = 57.6e6;
  constexpr size_t kTiles = 400'000;
  const double s = LogDeviationFromP99(kP99 / kMean);
  std::vector<double> times = TileTimes(
      IidServer({static_cast<int64_t>(kMean), s}, 1, Random(1), 1), kTiles);
  // A lognormal's coefficient of variation is sqrt(exp(s^2) - 1); 4 standard
  // errors.
  EXPECT_NEAR(Mean(times), kMean,
              4 * kMean * std::sqrt(std::expm1(s * s) / kTiles));
  std::nth_element(times.begin(), times.begin() + kTiles * 99 / 100,
                   times.end());
  // The error of a 99th percentile is sqrt(0.0099 / n) over its density, here
  // s x p99 / phi(z) = s x p99 / 0.0267.
  EXPECT_NEAR(times[kTiles * 99 / 100], kP99,
              4 * std::sqrt(0.0099 / kTiles) * s * kP99 / 0.0267);
}

TEST(IidServer, WithoutSpreadTakesTheMeanEveryTime) {
  for (double time : TileTimes(IidServer({5000, 0}, 3, Random(2), 1.5), 1000)) {
    EXPECT_NEAR(time, 7500, 1);
  }
}

TEST(IidServer, BlocksDoNotSlowOneAnotherDown) {
  const double alone =
      Mean(TileTimes(IidServer({1'000'000, 0.3}, 1, Random(3), 1), 100'000));
  const double crowded =
      Mean(TileTimes(IidServer({1'000'000, 0.3}, 8, Random(4), 1), 100'000));
  EXPECT_NEAR(crowded / alone, 1, 0.01);
}

TEST(IidServer, TimesNeverDecreaseAndEveryBlockGetsItsTurn) {
  IidServer server({1'000'000, 0.5}, 4, Random(5), 1);
  EXPECT_EQ(server.blocks(), 4u);
  std::vector<int> tiles(4);
  int64_t last = 0;
  for (int i = 0; i < 40'000; ++i) {
    const SmServer::Passing at = server.NextPassing();
    ASSERT_GE(at.time_ps, last);
    last = at.time_ps;
    ++tiles.at(at.slot);
  }
  for (int count : tiles) EXPECT_NEAR(count, 10'000, 300);
}

TEST(IidServer, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto first = [](uint64_t seed) {
    return TileTimes(IidServer({1'000'000, 0.5}, 2, Random(seed), 1), 20);
  };
  EXPECT_EQ(first(6), first(6));
  EXPECT_NE(first(6), first(7));
}

}  // namespace
}  // namespace tilebound::model
