#include "model/guests.h"

#include <cmath>

#include "data/schema/calibration.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/baseline.h"
#include "model/finite_launch.h"
#include "model/reserved.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

// An A10 whose tiles take exactly as long as the numbers say: no spread, no
// load on the memory.
class GuestsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto catalog = Catalog::Open();
    ASSERT_TRUE(catalog.ok()) << catalog.status();
    part_ = *catalog->FindPart("a10");
    kernel_ = *catalog->FindKernel("sgemm64");
    calibration_ = *catalog->FindCalibration("a10", "sgemm64");
    for (const char* quantity :
         {kServiceSpread, kSmSpread, kMemoryLatencyLoad}) {
      Set(quantity, 0);
    }
    key_ = DefaultCellKey();
    key_.set_part("a10");
    key_.set_kernel("sgemm64");
    key_.set_k(64);
    key_.set_setter(pb::HOST);
    key_.set_arm(pb::NONE);
  }

  void Set(const char* quantity, double value) {
    for (auto* group :
         {calibration_.mutable_measured(), calibration_.mutable_declared(),
          calibration_.mutable_fitted()}) {
      for (pb::CalibrationValue& entry : *group) {
        if (entry.quantity() == quantity) {
          entry.set_value(value);
          return;
        }
      }
    }
    pb::CalibrationValue* entry = calibration_.add_declared();
    entry->set_quantity(quantity);
    entry->set_unit(FindQuantityInfo(quantity)->unit);
    entry->set_value(value);
    entry->set_source("this test");
  }

  CellInputs Inputs() const { return {part_, kernel_, calibration_}; }

  Background Make(uint32_t blocks) {
    key_.set_blocks(blocks);
    const auto background = MakeBackground(Inputs(), key_, options_);
    EXPECT_TRUE(background.ok()) << background.status();
    return *background;
  }

  pb::Part part_;
  pb::Kernel kernel_;
  pb::Calibration calibration_;
  pb::CellKey key_;
  PredictOptions options_;
};

constexpr int64_t kUs = 1'000'000;

TEST_F(GuestsTest, AloneOnItsSmAGuestTakesASoloTile) {
  const Background background = Make(71);
  EXPECT_EQ(background.total_free(), 4u * 72 - 71);
  Guests guests(background, 1, 5 * kUs, 1);
  // The 72nd SM is empty, so the guest goes there.
  EXPECT_NEAR(guests.Run(1000 * kUs, 1) - 1000 * kUs,
              5 * kUs + background.cell.timing.SoloPs(), 10);
}

TEST_F(GuestsTest, OneSlotTakesTilesOneAfterAnotherAndManySlotsAtOnce) {
  const Background background = Make(40);
  const int64_t tile = 5 * kUs + background.cell.timing.SoloPs();
  Guests one(background, 1, 5 * kUs, 1);
  EXPECT_NEAR(one.Run(1000 * kUs, 3) - 1000 * kUs, 3 * tile, 30);
  // 32 SMs are empty: 64 guests through 32 slots are two waves.
  Guests many(background, 32, 5 * kUs, 1);
  EXPECT_NEAR(many.Run(1000 * kUs, 32) - 1000 * kUs, tile, 10);
  EXPECT_NEAR(many.Run(2000 * kUs, 64) - 2000 * kUs, 2 * tile, 20);
}

// A guest is the youngest block: served at w / (1 + w) of the SM while its only
// neighbour is served too, so never faster than alone and never slower than if
// that were always.
TEST_F(GuestsTest, BesideAWorkerAGuestTakesLongerButNotMoreThanItsLeastShare) {
  const Background background = Make(72);
  const int64_t solo = background.cell.timing.SoloPs();
  const SlotWeights& share = background.cell.slot_sharing.at(2);
  const double sum = static_cast<double>(share.weights[0] + share.weights[1]);
  const double stretch =
      share.service_scale * sum / static_cast<double>(share.weights[1]);
  const double most =
      static_cast<double>(solo) +
      static_cast<double>(background.cell.timing.ServicePs()) * (stretch - 1);
  Guests guests(background, 1, 0, 1);
  int64_t begin = 1000 * kUs;
  for (int event = 0; event < 500; ++event) {
    const int64_t end = guests.Run(begin, 1);
    EXPECT_GT(end - begin, solo);
    EXPECT_LT(static_cast<double>(end - begin), most + 10);
    begin = end + 37 * kUs + event * 1000;
  }
}

TEST_F(GuestsTest, SampledAgreesWithExact) {
  const Background background = Make(280);
  options_.events = 4000;
  const Histogram sampled =
      GuestTimes(background, key_, 8, 26 * kUs, nullptr, options_, 1);
  options_.fidelity = Fidelity::kExact;
  const Histogram exact =
      GuestTimes(background, key_, 8, 26 * kUs, nullptr, options_, 1);
  for (double q : {0.1, 0.5, 0.9}) {
    const double s = sampled.ToMicroseconds(*sampled.Quantile(q));
    EXPECT_NEAR(s, exact.ToMicroseconds(*exact.Quantile(q)), 0.02 * s) << q;
  }
}

TEST_F(GuestsTest, TimesDoNotDependOnThreads) {
  const Background background = Make(280);
  options_.events = 1300;
  const Histogram one =
      GuestTimes(background, key_, 8, 0, nullptr, options_, 1);
  const Histogram three =
      GuestTimes(background, key_, 8, 0, nullptr, options_, 3);
  EXPECT_EQ(one.bins(), three.bins());
}

// One block per SM, every tile alike: a launch of n tiles on each SM takes n
// tiles; one more tile takes one tile more.
TEST_F(GuestsTest, MakespanOfEqualTilesIsTheirNumber) {
  const Background background = Make(72);
  const int64_t tile = background.cell.timing.SoloPs();
  EXPECT_NEAR(MakespanPs(background.cell, 72 * 100, 0), 100 * tile, 100);
  EXPECT_NEAR(MakespanPs(background.cell, 72 * 100 + 1, 0), 101 * tile, 100);
  EXPECT_NEAR(MakespanPs(background.cell, 1, 0), tile, 10);
}

// Saturated: tasks over the steady rate, and at the end no more than a tile of
// the youngest.
TEST_F(GuestsTest, MakespanFollowsTheRate) {
  const Background background = Make(288);
  const double steady_us = 20'000 / background.cell.tile_rate;
  const double makespan_us =
      static_cast<double>(MakespanPs(background.cell, 20'000, 0)) * 1e-6;
  // The rate is known to some 0.2 %.
  EXPECT_GT(makespan_us, 0.997 * steady_us);
  EXPECT_LT(makespan_us, steady_us + 70);
}

TEST_F(GuestsTest, UrgentWorkWithoutASlotWaitsForTheEnd) {
  Set(kBackgroundTasks, 72 * 4 * 100);
  key_.set_blocks(288);
  options_.events = 1000;
  key_.mutable_arrivals()->set_min_gap_ns(500'000);
  key_.mutable_arrivals()->set_max_gap_ns(500'000);
  const auto cell = PredictBaseline(Inputs(), key_, options_, 1);
  ASSERT_TRUE(cell.ok()) << cell.status();
  const double makespan = *MetricScalar(*FindMetric(*cell, kMakespan));
  const double wait = *MetricQuantile(*FindMetric(*cell, kWait), 0.5);
  const double solo_us = Make(288).cell.timing.SoloPs() * 1e-6;
  EXPECT_NEAR(wait, makespan - 500 + solo_us, 0.02 * makespan);
}

TEST_F(GuestsTest, TasksOfTheOptionsComeBeforeTheCalibrations) {
  key_.set_blocks(288);
  EXPECT_EQ(Make(288).tasks, 0u);
  Set(kBackgroundTasks, 1000);
  EXPECT_EQ(Make(288).tasks, 1000u);
  options_.background_tasks = 20'000;
  EXPECT_EQ(Make(288).tasks, 20'000u);
}

// Sixteen tiles through one slot take over a thousand microseconds; with 400 us
// of background left they are done once that is over.
TEST_F(GuestsTest, NobodyQueuesForASlotLongerThanTheBackgroundLasts) {
  key_.set_arm(pb::RESERVED);
  key_.set_blocks(287);
  key_.set_reserve(1);
  key_.set_urgent_tiles(16);
  key_.mutable_arrivals()->set_min_gap_ns(100'000);
  key_.mutable_arrivals()->set_max_gap_ns(100'000);
  options_.events = 500;
  const double rate = Make(287).cell.tile_rate;
  Set(kBackgroundTasks, std::round(500 * rate));
  const auto cell = PredictReserved(Inputs(), key_, options_, 1);
  ASSERT_TRUE(cell.ok()) << cell.status();
  const Background background = Make(287);
  const double alone_us =
      *CalibrationNumber(calibration_, kNewcomerDelay) +
      (background.cell.timing.SoloPs() + background.completion_ps) * 1e-6;
  const double e2e = *MetricQuantile(*FindMetric(*cell, kE2e), 0.5);
  // The last tiles of a launch end later than its rate alone says.
  EXPECT_GT(e2e, 395 + alone_us);
  EXPECT_LT(e2e, 400 + alone_us + 70);
}

TEST_F(GuestsTest, EnvelopeIsNamedWhereAnUrgentBlockDoesNotFit) {
  kernel_.mutable_urgent()->set_threads_per_block(256);
  kernel_.mutable_urgent()->set_registers_per_thread(79);
  kernel_.mutable_urgent()->set_shared_bytes_per_block(16384);
  key_.set_arm(pb::RESERVED);
  key_.set_blocks(280);
  key_.set_reserve(8);
  const auto cell = PredictReserved(Inputs(), key_, options_, 1);
  ASSERT_TRUE(cell.ok()) << cell.status();
  EXPECT_EQ(FindMetric(*cell, kE2e)->status(), pb::Metric::NOT_MODELLED);
  EXPECT_THAT(FindMetric(*cell, kE2e)->reason(), HasSubstr("registers 0"));
}

TEST_F(GuestsTest, MoreSlotsThanAreFreeCannotBeReserved) {
  key_.set_arm(pb::RESERVED);
  key_.set_blocks(280);
  key_.set_reserve(9);
  const auto cell = PredictReserved(Inputs(), key_, options_, 1);
  EXPECT_THAT(cell.status().message(), HasSubstr("accepted are 1 to 8"));
}

TEST_F(GuestsTest, HostDelaysAreChecked) {
  Set(kCompletionDelay, 17);
  key_.set_blocks(280);
  EXPECT_THAT(MakeBackground(Inputs(), key_, options_).status().message(),
              HasSubstr("completion_delay 17 us; up to 16"));
}

}  // namespace
}  // namespace tilebound::model
