#include "model/cell_model.h"

#include <cmath>
#include <string>

#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

struct Inputs {
  pb::Part part;
  pb::Kernel kernel;
  pb::Calibration calibration;
  pb::CellKey key;
};

Inputs A10(uint32_t blocks) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  Inputs inputs = {.part = *catalog->FindPart("a10"),
                   .kernel = *catalog->FindKernel("sgemm64"),
                   .calibration = *catalog->FindCalibration("a10", "sgemm64"),
                   .key = {}};
  pb::CellKey& key = inputs.key;
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(blocks);
  key.set_site(pb::BOUNDARY);
  key.set_period(1);
  key.set_variant("default");
  key.set_discipline(pb::DRAIN);
  key.set_arm(pb::COOPERATIVE);
  key.set_urgent_tiles(1);
  key.set_setter(pb::DEVICE);
  key.mutable_arrivals()->set_process(pb::Arrivals::UNIFORM);
  key.mutable_arrivals()->set_min_gap_ns(150'000);
  key.mutable_arrivals()->set_max_gap_ns(400'000);
  key.set_cluster_size(1);
  return inputs;
}

absl::StatusOr<CellModel> Make(const Inputs& inputs,
                               Sharing sharing = Sharing::kSlot) {
  return MakeCellModel(inputs.part, inputs.kernel, inputs.calibration,
                       inputs.key, sharing, /*seed=*/1);
}

void Declare(pb::Calibration* calibration, const std::string& quantity,
             double value) {
  for (auto* group :
       {calibration->mutable_declared(), calibration->mutable_computed(),
        calibration->mutable_fitted()}) {
    for (pb::CalibrationValue& stored : *group) {
      if (stored.quantity() == quantity) stored.set_value(value);
    }
  }
}

// The study's throughput: a tile takes 25.4 us in the mean at saturation, which
// the slot times of the cycle level give within a few percent, and 10.3 us
// alone on each of 72 SMs, which the calibration was fitted to. The load that
// lengthens the latency is the load that comes of it.
TEST(CellModel, SettlesOnThePublishedTileRates) {
  const auto saturated = Make(A10(288));
  ASSERT_TRUE(saturated.ok()) << saturated.status();
  EXPECT_NEAR(saturated->base_tile_rate, 288 / 25.4, 0.03 * 288 / 25.4);
  const auto alone = Make(A10(72));
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_NEAR(alone->base_tile_rate, 72 / 10.3, 0.005 * 72 / 10.3);
}

TEST(CellModel, TakesTheCellsOwnNumbers) {
  Inputs inputs = A10(288);
  inputs.key.set_period(4);
  inputs.key.set_urgent_tiles(16);
  const auto cell = Make(inputs);
  ASSERT_TRUE(cell.ok()) << cell.status();
  EXPECT_EQ(cell->period, 4u);
  EXPECT_EQ(cell->urgent_tiles, 16u);
  EXPECT_EQ(ArrivalsText(cell->arrivals), "uniform:150:400");
  EXPECT_EQ(cell->quantum_ps, 1'024'000u);
  EXPECT_EQ(cell->placement.most_blocks_per_sm(), 4u);
}

TEST(CellModel, StreamDependsOnTheCellAndTheSeed) {
  const Inputs inputs = A10(72);
  Inputs other = inputs;
  other.key.set_period(2);
  const auto make = [](const Inputs& from, uint64_t seed) {
    return MakeCellModel(from.part, from.kernel, from.calibration, from.key,
                         Sharing::kSlot, seed)
        ->stream;
  };
  EXPECT_EQ(make(inputs, 1), make(inputs, 1));
  EXPECT_NE(make(inputs, 1), make(inputs, 2));
  EXPECT_NE(make(inputs, 1), make(other, 1));
}

TEST(CellModel, SmsDifferByTheDeclaredSpreadAndByNoMoreThanThreeAndAHalfOfIt) {
  auto cell = Make(A10(72));
  ASSERT_TRUE(cell.ok()) << cell.status();
  cell->timing.sm_spread = 0.1;
  constexpr uint32_t kSms = 10'000;
  double sum = 0, squares = 0;
  for (uint32_t sm = 0; sm < kSms; ++sm) {
    const double scale = cell->SmScale(sm);
    EXPECT_EQ(cell->SmScale(sm), scale);
    const double off = scale - 1;
    EXPECT_LE(std::abs(off), 0.35);
    sum += off;
    squares += off * off;
  }
  EXPECT_NEAR(sum / kSms, 0, 4e-3);
  // Cut off at three deviations: 0.9866 of the uncut deviation.
  EXPECT_NEAR(std::sqrt(squares / kSms), 0.09866, 3e-3);
}

TEST(CellModel, IidTilesHaveTheMeanOfFairSharingAndTheTailOfTheCalibration) {
  const auto cell = Make(A10(288), Sharing::kIid);
  ASSERT_TRUE(cell.ok()) << cell.status();
  ASSERT_EQ(cell->iid_tiles.size(), 5u);
  EXPECT_EQ(cell->iid_tiles[1].mean_ps, cell->timing.SoloPs());
  EXPECT_EQ(cell->iid_tiles[1].log_deviation, cell->timing.service_spread);
  EXPECT_EQ(cell->iid_tiles[4].mean_ps, 4 * cell->timing.ServicePs());
  // exp(z s - s^2 / 2) = 57.6 / 25.4.
  const double s = cell->iid_tiles[4].log_deviation;
  EXPECT_NEAR(std::exp(2.3263478740408408 * s - s * s / 2), 57.6 / 25.4, 1e-9);
}

TEST(NotModelledReason, IsEmptyForWhatHasALawAndNamesWhatHasNot) {
  const Inputs inputs = A10(288);
  EXPECT_EQ(NotModelledReason(inputs.key, Sharing::kSlot), "");
  const auto reason = [&](auto change, Sharing sharing = Sharing::kSlot) {
    pb::CellKey key = inputs.key;
    change(key);
    return NotModelledReason(key, sharing);
  };
  const auto folded = [](pb::CellKey& key) { key.set_site(pb::FOLDED); };
  EXPECT_EQ(reason(folded), "");
  EXPECT_EQ(reason(folded, Sharing::kIid), "site folded with sharing iid");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_arm(pb::RESERVED); }),
            "arm reserved");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_setter(pb::HOST); }), "");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_variant("sync_flag"); }), "");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_variant("dedicated"); }),
            "variant dedicated");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_cluster_size(2); }),
            "cluster size 2");
  EXPECT_EQ(reason([](pb::CellKey& key) { key.set_urgent_tiles(0); }),
            "events without urgent tiles");
}

// Alone on its SM a block pays for its look in full, 0.21 us, where the grid is
// too small for its load to lengthen latencies. Of four blocks nobody hides the
// service of it, 0.0162 of 6.48, and others hide the better part of the
// latency, of which all would be 0.2 of the 25.4 us that a tile takes on the
// average.
TEST(CellModel, OverheadIsPaidInFullAloneAndHiddenInCompany) {
  const auto alone = Make(A10(8));
  ASSERT_TRUE(alone.ok()) << alone.status();
  const double tile_us = 8 / alone->base_tile_rate;
  EXPECT_NEAR(alone->OverheadPercent(), 100 * 0.21 / tile_us, 0.1);
  const auto four = Make(A10(288));
  ASSERT_TRUE(four.ok()) << four.status();
  EXPECT_GT(four->OverheadPercent(), 100 * 0.0162 / 6.48);
  EXPECT_LT(four->OverheadPercent(), 0.5 * alone->OverheadPercent());
  Inputs rare = A10(8);
  rare.key.set_period(8);
  EXPECT_NEAR(Make(rare)->OverheadPercent(), 100 * 0.21 / 8 / tile_us, 0.1);
}

// A mix is as fast as the tiles that it is made of, weighted.
TEST(CellModel, MixedKernelRunsAtTheMeanOfItsTiles) {
  Inputs mixed = A10(72);
  mixed.kernel.mutable_programs(0)->set_fixed_k(64);
  pb::TileProgram* deep = mixed.kernel.add_programs();
  *deep = mixed.kernel.programs(0);
  deep->set_fixed_k(256);
  deep->set_weight(0.5);
  mixed.kernel.mutable_programs(0)->set_weight(1.5);
  Inputs shallow = A10(72), full = A10(72);
  full.key.set_k(256);
  const auto mix = Make(mixed);
  ASSERT_TRUE(mix.ok()) << mix.status();
  const double tile = 72 / mix->base_tile_rate;
  const double expected = 0.75 * 72 / Make(shallow)->base_tile_rate +
                          0.25 * 72 / Make(full)->base_tile_rate;
  // The load that lengthens latencies differs among the three.
  EXPECT_NEAR(tile, expected, 0.03 * expected);
}

TEST(MakeCellModel, RefusesWhatCannotBeSimulatedAndSaysWhy) {
  struct Case {
    const char* what;
    void (*change)(Inputs&);
    const char* message;
  };
  for (const Case& c : {
           Case{"blocks", [](Inputs& in) { in.key.set_blocks(289); },
                "blocks 289 are not resident at once"},
           Case{"k", [](Inputs& in) { in.key.set_k(65); }, "k 65"},
           Case{"period", [](Inputs& in) { in.key.set_period(0); },
                "key.period is 0"},
           Case{"missing",
                [](Inputs& in) {
                  in.calibration.clear_fitted();
                  in.calibration.clear_computed();
                },
                "has no service_time"},
           Case{"spread",
                [](Inputs& in) { Declare(&in.calibration, "sm_spread", 0.5); },
                "sm_spread 0.5; under 1/3.5 is accepted"},
           Case{"long",
                [](Inputs& in) {
                  Declare(&in.calibration, "service_time", 1e6);
                },
                "accepted are 0.1 to 34359.7 us"},
       }) {
    Inputs inputs = A10(288);
    c.change(inputs);
    const absl::Status status = Make(inputs).status();
    EXPECT_FALSE(status.ok()) << c.what;
    EXPECT_NE(status.message().find(c.message), absl::string_view::npos)
        << c.what << ": " << status;
  }
  Inputs inputs = A10(72);
  inputs.key.set_cluster_size(2);
  EXPECT_EQ(Make(inputs).status().code(), absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace tilebound::model
