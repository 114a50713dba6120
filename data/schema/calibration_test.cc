#include "data/schema/calibration.h"

#include <limits>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::CalibrationValue Value(const std::string& quantity, double value,
                           uint32_t k) {
  pb::CalibrationValue result;
  result.set_quantity(quantity);
  result.set_unit(FindQuantityInfo(quantity)->unit);
  result.set_value(value);
  result.set_k(k);
  result.set_source("table 1");
  return result;
}

pb::Calibration Example() {
  pb::Calibration calibration;
  calibration.set_part("a10");
  calibration.set_kernel("sgemm64");
  calibration.set_sm_clock_mhz(1695);
  *calibration.add_measured() = Value(kTileTimeSolo, 10.5, 64);
  *calibration.add_declared() = Value(kSmSpread, 0.5, 0);
  pb::CalibrationValue fitted = Value(kServiceTime, 6.25, 64);
  fitted.add_fitted_from("tile_time_solo");
  *calibration.add_fitted() = fitted;
  return calibration;
}

std::string Error(const pb::Calibration& calibration) {
  return std::string(ValidateCalibration(calibration).message());
}

TEST(QuantityRegistry, NamesEachQuantityOnce) {
  std::set<std::string> names;
  for (const QuantityInfo& info : QuantityRegistry()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(FindQuantityInfo(info.name), &info);
  }
  EXPECT_EQ(FindQuantityInfo("tile_time"), nullptr);
}

TEST(CalibrationNumber, ComesFromWhicheverGroupHasIt) {
  const pb::Calibration calibration = Example();
  EXPECT_EQ(*CalibrationNumber(calibration, kTileTimeSolo, {.k = 64}), 10.5);
  EXPECT_EQ(*CalibrationNumber(calibration, kSmSpread), 0.5);
  EXPECT_EQ(*CalibrationNumber(calibration, kServiceTime, {.k = 64}), 6.25);
}

TEST(CalibrationNumber, MatchesConditionsExactlyAndSaysWhichAreMissing) {
  const auto missing = CalibrationNumber(
      Example(), kServiceTime,
      {.k = 128, .blocks = 72, .site = "stage", .variant = "sync_flag"});
  EXPECT_TRUE(absl::IsNotFound(missing.status()));
  EXPECT_EQ(missing.status().message(),
            "the calibration of sgemm64 on a10 has no service_time at k 128 "
            "with 72 blocks at site stage with variant sync_flag");
  EXPECT_FALSE(CalibrationNumber(Example(), kServiceTime).ok());
  EXPECT_THAT(CalibrationNumber(Example(), kTileTimeSlot,
                                {.k = 64, .blocks_per_sm = 4, .slot = 3})
                  .status()
                  .message(),
              HasSubstr("with 4 blocks per SM, slot 3"));
}

TEST(ValidateCalibration, AcceptsTheThreeGroups) {
  EXPECT_EQ(Error(Example()), "");
}

TEST(ValidateCalibration, NamesGroupIndexAndField) {
  pb::Calibration calibration = Example();
  calibration.mutable_declared(0)->set_quantity("sm_spraed");
  EXPECT_THAT(Error(calibration),
              HasSubstr("calibration.declared[0].quantity \"sm_spraed\" is "
                        "not registered (did you mean sm_spread?); accepted "
                        "are tile_time_solo"));
  calibration = Example();
  calibration.mutable_measured(0)->set_unit("ms");
  EXPECT_EQ(Error(calibration),
            "calibration.measured[0].unit is \"ms\"; tile_time_solo is always "
            "in \"us\"");
}

TEST(ValidateCalibration, RefusesNegativeTimesAndNaN) {
  pb::Calibration calibration = Example();
  calibration.mutable_measured(0)->set_value(-10.5);
  EXPECT_EQ(
      Error(calibration),
      "calibration.measured[0].value is -10.5; tile_time_solo is a number "
      "of at least 0");
  calibration.mutable_measured(0)->set_value(
      std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(Error(calibration), HasSubstr("value is nan"));
}

TEST(ValidateCalibration, RefusesAReversedInterval) {
  pb::Calibration calibration = Example();
  calibration.mutable_fitted(0)->set_low(7);
  calibration.mutable_fitted(0)->set_high(6);
  EXPECT_THAT(Error(calibration),
              HasSubstr("interval from 7 to 6 is reversed"));
}

TEST(ValidateCalibration, WantsToKnowWhereAValueComesFrom) {
  pb::Calibration calibration = Example();
  calibration.mutable_measured(0)->clear_source();
  EXPECT_THAT(Error(calibration), HasSubstr("measured[0].source is empty"));
  calibration = Example();
  calibration.mutable_fitted(0)->clear_fitted_from();
  EXPECT_THAT(Error(calibration), HasSubstr("fitted[0].fitted_from is empty"));
  calibration = Example();
  calibration.mutable_declared(0)->add_fitted_from("x");
  EXPECT_THAT(Error(calibration), HasSubstr("only fitted and computed values have it"));
}

TEST(ValidateCalibration, RefusesTwoValuesForOneThingAcrossGroups) {
  pb::Calibration calibration = Example();
  *calibration.add_declared() = Value(kTileTimeSolo, 11, 64);
  EXPECT_THAT(Error(calibration),
              HasSubstr("declared[1] says tile_time_solo a second time"));
  calibration.mutable_declared(1)->set_k(128);
  EXPECT_EQ(Error(calibration), "");
}

TEST(ValidateCalibration, WantsPartKernelAndClock) {
  pb::Calibration calibration = Example();
  calibration.clear_part();
  EXPECT_THAT(Error(calibration), HasSubstr("calibration.part \"\""));
  calibration = Example();
  calibration.set_kernel("SGEMM");
  EXPECT_THAT(Error(calibration), HasSubstr("calibration.kernel \"SGEMM\""));
  calibration = Example();
  calibration.clear_sm_clock_mhz();
  EXPECT_THAT(Error(calibration), HasSubstr("sm_clock_mhz is 0"));
}

}  // namespace
}  // namespace tilebound
