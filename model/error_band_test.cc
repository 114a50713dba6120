#include "model/error_band.h"

#include <cmath>

#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kSms = 72;

pb::CellKey Key(uint32_t blocks) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("mine");
  key.set_k(64);
  key.set_blocks(blocks);
  return key;
}

pb::CalibrationValue SlotTime(uint32_t slot, double value, double half) {
  pb::CalibrationValue result;
  result.set_quantity(kTileTimeSlot);
  result.set_k(64);
  result.set_blocks_per_sm(4);
  result.set_slot(slot);
  result.set_value(value);
  if (half > 0) {
    result.set_low(value - half);
    result.set_high(value + half);
  }
  return result;
}

TEST(ErrorBand, FollowsTheIntervalOfTheYoungestSlot) {
  pb::Calibration calibration;
  *calibration.add_measured() = SlotTime(0, 16, 8);
  *calibration.add_measured() = SlotTime(3, 60, 6);
  const ErrorBand band = BandOf(calibration, Key(288), kSms);
  EXPECT_NEAR(band.p50_pct, std::hypot(kModelP50Pct, 10), 1e-9);
  EXPECT_NEAR(band.p99_pct, std::hypot(kModelP99CrowdedPct, 10), 1e-9);
  EXPECT_FALSE(band.uncalibrated);
}

TEST(ErrorBand, NarrowsToTheModelsOwnErrorWithAPerfectCalibration) {
  pb::Calibration calibration;
  *calibration.add_measured() = SlotTime(3, 60, 1e-6);
  EXPECT_NEAR(BandOf(calibration, Key(288), kSms).p50_pct, kModelP50Pct, 1e-6);
}

TEST(ErrorBand, IsWiderForAComputedTimeThanForAMeasuredOne) {
  pb::Calibration measured, computed;
  *measured.add_measured() = SlotTime(3, 60, 0);
  *computed.add_measured() = SlotTime(0, 16, 0);
  *computed.add_computed() = SlotTime(3, 60, 0);
  EXPECT_LT(BandOf(measured, Key(288), kSms).p99_pct,
            BandOf(computed, Key(288), kSms).p99_pct);
  EXPECT_THAT(BandOf(computed, Key(288), kSms).why, HasSubstr("computed"));
}

TEST(ErrorBand, IsWiderInTheTailOfCrowdedSms) {
  pb::Calibration calibration;
  *calibration.add_measured() = SlotTime(3, 60, 1e-6);
  calibration.add_measured()->set_quantity(kTileTimeSolo);
  EXPECT_LT(BandOf(calibration, Key(72), kSms).p99_pct,
            BandOf(calibration, Key(288), kSms).p99_pct);
}

// The cycle level gives the error of its own simulation; that is no
// measurement.
TEST(ErrorBand, DoesNotTakeAComputationsIntervalForAMeasurement) {
  pb::Calibration computed;
  *computed.add_measured() = SlotTime(0, 16, 0);
  *computed.add_computed() = SlotTime(3, 60, 1e-6);
  EXPECT_NEAR(BandOf(computed, Key(288), kSms).p50_pct,
              std::hypot(kModelP50Pct, kComputedPct), 1e-6);
}

TEST(ErrorBand, IsWidestWhereNothingWasMeasured) {
  pb::Calibration calibration;
  *calibration.add_computed() = SlotTime(3, 60, 0.1);
  const ErrorBand band = BandOf(calibration, Key(288), kSms);
  EXPECT_TRUE(band.uncalibrated);
  EXPECT_THAT(band.why, HasSubstr("UNCALIBRATED"));
  EXPECT_NEAR(band.p50_pct, std::hypot(kModelP50Pct, kUncalibratedP50Pct),
              1e-9);
}

TEST(ErrorBand, IsNeverNarrowerThanATick) {
  pb::Cell cell;
  pb::Metric* latency = cell.add_metrics();
  latency->set_name(kLatency);
  latency->set_unit("us");
  for (const auto& [q, value] : {std::pair(0.5, 5.0), std::pair(0.99, 100.0)}) {
    latency->mutable_quantiles()->add_q(q);
    latency->mutable_quantiles()->add_value(value);
  }
  ErrorBand band;
  band.p50_pct = 5;
  band.p99_pct = 6;
  AddErrorBand(band, 1'000'000, cell);
  const pb::Metric* added = FindMetric(cell, kErrorBand);
  ASSERT_NE(added, nullptr);
  EXPECT_TRUE(ValidateMetric(*added).ok()) << ValidateMetric(*added);
  EXPECT_DOUBLE_EQ(*MetricQuantile(*added, 0.5), 20);
  // A tick is a percent of 100 us, but nobody knows a tail better than a
  // median.
  EXPECT_DOUBLE_EQ(*MetricQuantile(*added, 0.99), 20);
}

TEST(ErrorBand, IsLeftOutWhereNothingWasPredicted) {
  pb::Cell cell;
  *cell.add_metrics() =
      AbsentMetric(kLatency, pb::Metric::NOT_MODELLED, "no law");
  AddErrorBand({5, 6, false, ""}, 1'000'000, cell);
  EXPECT_EQ(FindMetric(cell, kErrorBand), nullptr);
}

}  // namespace
}  // namespace tilebound::model
