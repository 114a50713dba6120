#include "model/fit.h"

#include "data/schema/calibration.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

using ::testing::HasSubstr;

// A fit with few tiles does the same in a fraction of the time; only its digits
// are less certain. The command uses CycleOptions' own number. What the cycle
// level finds is kept from one fit to the next.
const CycleOptions kQuick = {.tiles = 24,
                             .cache_folder = ::testing::TempDir() + "/cycles"};

class FitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto catalog = Catalog::Open();
    ASSERT_TRUE(catalog.ok()) << catalog.status();
    part_ = *catalog->FindPart("a10");
    kernel_ = *catalog->FindKernel("sgemm64");
    recipe_ = *catalog->FindRecipe("a10.sgemm64");
    committed_ = *catalog->FindCalibration("a10", "sgemm64");
    const auto surfaces = catalog->Surfaces("");
    ASSERT_TRUE(surfaces.ok()) << surfaces.status();
    surfaces_ = *surfaces;
  }

  absl::StatusOr<pb::Calibration> Fit() const {
    return FitCalibration(part_, kernel_, recipe_, surfaces_, nullptr, kQuick);
  }

  bool Allowed(const std::string& surface, const pb::CellKey& key,
               const std::string& metric, double q) const {
    for (const pb::FitObservation& observation : recipe_.observations()) {
      if (observation.surface() == surface && observation.metric() == metric &&
          Fingerprint(observation.cell()) == Fingerprint(key) &&
          observation.quantile() == q) {
        return true;
      }
    }
    return false;
  }

  // Multiplies every published number that the recipe does not list; returns
  // how many there were.
  int PerturbTheRest(double factor) {
    int changed = 0;
    for (pb::Surface& surface : surfaces_) {
      for (pb::Cell& cell : *surface.mutable_cells()) {
        for (pb::Metric& metric : *cell.mutable_metrics()) {
          changed += Perturb(surface.name(), cell.key(), factor, metric);
        }
      }
    }
    return changed;
  }

  int Perturb(const std::string& surface, const pb::CellKey& key, double factor,
              pb::Metric& metric) const {
    int changed = 0;
    if (metric.has_quantiles()) {
      pb::Quantiles& quantiles = *metric.mutable_quantiles();
      for (int i = 0; i < quantiles.q_size(); ++i) {
        if (Allowed(surface, key, metric.name(), quantiles.q(i))) continue;
        quantiles.set_value(i, quantiles.value(i) * factor);
        ++changed;
      }
    } else if (metric.value_case() == pb::Metric::kScalar &&
               !Allowed(surface, key, metric.name(), 0)) {
      metric.set_scalar(metric.scalar() * factor);
      ++changed;
    }
    return changed;
  }

  pb::Part part_;
  pb::Kernel kernel_;
  pb::FitRecipe recipe_;
  pb::Calibration committed_;
  std::vector<pb::Surface> surfaces_;
};

// The committed file is what `calibrate --recipe=a10.sgemm64` writes. Its
// fitted values take minutes to find; all else follows from them.
TEST_F(FitTest, CommittedValuesFollowFromTheFittedOnes) {
  pb::Calibration bare = committed_;
  bare.clear_computed();
  const auto slots = ComputeSlotTimes(part_, kernel_, bare, {});
  ASSERT_TRUE(slots.ok()) << slots.status();
  bare.mutable_computed()->Add(slots->begin(), slots->end());
  const auto server = ComputeServerParameters(part_, kernel_, bare);
  ASSERT_TRUE(server.ok()) << server.status();
  bare.mutable_computed()->Add(server->begin(), server->end());
  EXPECT_EQ(FileToText(MakeFile(bare)), FileToText(MakeFile(committed_)));
}

TEST_F(FitTest, ComesNearTheCommittedCalibrationWithFewTiles) {
  const auto fitted = Fit();
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  for (const pb::CalibrationValue& value : committed_.fitted()) {
    const auto quick = CalibrationNumber(*fitted, value.quantity());
    ASSERT_TRUE(quick.ok()) << quick.status();
    EXPECT_NEAR(*quick / value.value(), 1, 0.3) << value.quantity();
  }
}

TEST_F(FitTest, ReadsNothingThatTheRecipeDoesNotList) {
  const auto before = Fit();
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_GT(PerturbTheRest(1.37), 200);
  const auto fitted = Fit();
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  EXPECT_EQ(FileToText(MakeFile(*fitted)), FileToText(MakeFile(*before)));
}

// The test above could not fail if the fit ignored its data altogether.
TEST_F(FitTest, FollowsEachValueThatItMayRead) {
  const pb::FitRecipe whole = recipe_;
  pb::FitRecipe short_one = recipe_;
  // Most of a fit's time goes into the queue; declared, it is not looked for.
  pb::CalibrationValue& queue = *short_one.add_declared();
  queue.set_quantity(kAdmissionQueue);
  queue.set_unit("1");
  queue.set_value(13);
  queue.set_source("this test");
  for (const pb::FitObservation& observation : whole.observations()) {
    recipe_ = observation.quantity() == kLatency ? whole : short_one;
    // The others are copied into the measured group, which needs no long fit.
    if (observation.cell().k() != 64 ||
        observation.quantity() == kTileWallP99) {
      continue;
    }
    const auto before = Fit();
    ASSERT_TRUE(before.ok()) << before.status();
    std::vector<pb::Surface> kept = surfaces_;
    for (pb::Surface& surface : surfaces_) {
      if (surface.name() != observation.surface()) continue;
      for (pb::Cell& cell : *surface.mutable_cells()) {
        if (Fingerprint(cell.key()) != Fingerprint(observation.cell())) {
          continue;
        }
        for (pb::Metric& metric : *cell.mutable_metrics()) {
          if (metric.name() != observation.metric()) continue;
          if (metric.has_quantiles()) {
            for (double& value : *metric.mutable_quantiles()->mutable_value()) {
              value *= 1.05;
            }
          } else {
            metric.set_scalar(metric.scalar() * 1.05);
          }
        }
      }
    }
    // A fit that fails has read the value too.
    const auto fitted = Fit();
    EXPECT_TRUE(!fitted.ok() || FileToText(MakeFile(*fitted)) !=
                                    FileToText(MakeFile(*before)))
        << observation.ShortDebugString();
    surfaces_ = std::move(kept);
  }
}

TEST_F(FitTest, SaysWhichMeasurementIsMissing) {
  for (int i = recipe_.observations_size() - 1; i >= 0; --i) {
    if (recipe_.observations(i).quantity() == "tile_time_mean") {
      recipe_.mutable_observations()->DeleteSubrange(i, 1);
    }
  }
  EXPECT_THAT(Fit().status().message(),
              HasSubstr("no observation of tile_time_mean at k 64"));
}

TEST_F(FitTest, SaysWhichObservationNoSurfaceHolds) {
  recipe_.mutable_observations(0)->set_surface("nowhere");
  EXPECT_THAT(Fit().status().message(),
              HasSubstr("no surface holds the observation nowhere"));
}

TEST_F(FitTest, RefusesALatencyThatNoSlotCanHave) {
  for (pb::Surface& surface : surfaces_) {
    for (pb::Cell& cell : *surface.mutable_cells()) {
      for (pb::Metric& metric : *cell.mutable_metrics()) {
        if (metric.name() == kLatency && metric.has_quantiles()) {
          for (double& value : *metric.mutable_quantiles()->mutable_value()) {
            value /= 10;
          }
        }
      }
    }
  }
  EXPECT_FALSE(Fit().ok());
}

// 0.155 us per tile/us is time squared per tile: the same cycles at 1410 MHz as
// at 1200 take (1200 / 1410)^2 of it.
TEST_F(FitTest, TransferScalesATimeSquaredTwice) {
  const auto calibration =
      Catalog::Open()->FindCalibration("a100_sxm4_40gb", "sgemm64");
  ASSERT_TRUE(calibration.ok());
  EXPECT_NEAR(*CalibrationNumber(*calibration, kMemoryLatencyLoad, {.k = 64}),
              0.1123, 5e-5);
  EXPECT_NEAR(*CalibrationNumber(*calibration, kBoundaryTime), 0.6383, 5e-5);
}

TEST_F(FitTest, RefusesAMisspeltQuantity) {
  recipe_.mutable_observations(0)->set_quantity("tile_time_sol");
  EXPECT_THAT(std::string(ValidateFitRecipe(recipe_).message()),
              HasSubstr("did you mean tile_time_solo?"));
}

TEST_F(FitTest, TransferCopiesWithoutRefitting) {
  const auto catalog = Catalog::Open();
  const auto fitted = FitCalibration(
      *catalog->FindPart("a10"), *catalog->FindKernel("sgemm64_cpasync"),
      *catalog->FindRecipe("a10.sgemm64_cpasync"), surfaces_, &committed_,
      kQuick);
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  EXPECT_EQ(fitted->fitted_size(), 0);
  for (const char* quantity : {kAdmissionQueue, kPipeCost, kGlobalLatency}) {
    EXPECT_EQ(*CalibrationNumber(*fitted, quantity),
              *CalibrationNumber(committed_, quantity));
  }
}

}  // namespace
}  // namespace tilebound::model
