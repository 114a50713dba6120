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

// A fit with few tiles and events does the same in a fraction of the time; only
// its digits are less certain. The command uses FitOptions' own numbers. What
// the cycle level finds is kept from one fit to the next.
const FitOptions kQuick = {
    .cycle = {.tiles = 24, .cache_folder = ::testing::TempDir() + "/cycles"},
    .events = 500};

const Catalog& TheCatalog() {
  static const Catalog& catalog = *new Catalog(*Catalog::Open());
  return catalog;
}

// All that a recipe of the catalog is about.
struct Subject {
  explicit Subject(const std::string& name)
      : recipe(*TheCatalog().FindRecipe(name)),
        part(*TheCatalog().FindPart(recipe.part())),
        kernel(*TheCatalog().FindKernel(recipe.kernel())),
        surfaces(*TheCatalog().Surfaces("")) {
    if (!recipe.has_transfer()) return;
    const std::string& from = recipe.transfer().kernel();
    transferred = *TheCatalog().FindCalibration(
        recipe.transfer().part(), from.empty() ? recipe.kernel() : from);
  }

  absl::StatusOr<pb::Calibration> Fit() const {
    return FitCalibration(part, kernel, recipe, surfaces,
                          recipe.has_transfer() ? &transferred : nullptr,
                          kQuick);
  }

  bool Allowed(const std::string& surface, const pb::CellKey& key,
               const std::string& metric, double q) const {
    for (const pb::FitObservation& observation : recipe.observations()) {
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
    for (pb::Surface& surface : surfaces) {
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

  pb::FitRecipe recipe;
  pb::Part part;
  pb::Kernel kernel;
  pb::Calibration transferred;
  std::vector<pb::Surface> surfaces;
};

std::string Text(const pb::Calibration& calibration) {
  return FileToText(MakeFile(calibration));
}

// The fit that most tests compare with, made once.
const pb::Calibration& SgemmFit() {
  static const pb::Calibration& fit =
      *new pb::Calibration(*Subject("a10.sgemm64").Fit());
  return fit;
}

// The committed file is what `calibrate --recipe=a10.sgemm64` writes. Its
// fitted values take minutes to find; all else follows from them.
TEST(Fit, CommittedValuesFollowFromTheFittedOnes) {
  const Subject sgemm("a10.sgemm64");
  const pb::Calibration committed =
      *TheCatalog().FindCalibration("a10", "sgemm64");
  pb::Calibration bare = committed;
  bare.clear_computed();
  const auto slots = ComputeSlotTimes(sgemm.part, sgemm.kernel, bare, {});
  ASSERT_TRUE(slots.ok()) << slots.status();
  bare.mutable_computed()->Add(slots->begin(), slots->end());
  const auto server = ComputeServerParameters(sgemm.part, sgemm.kernel, bare);
  ASSERT_TRUE(server.ok()) << server.status();
  bare.mutable_computed()->Add(server->begin(), server->end());
  EXPECT_EQ(Text(bare), Text(committed));
}

// Nothing of it is simulated, so that the whole of it is at hand.
TEST(Fit, CommittedTensorTileIsWhatItsRecipeGives) {
  const auto fitted = Subject("a10.tensor128").Fit();
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  EXPECT_EQ(Text(*fitted),
            Text(*TheCatalog().FindCalibration("a10", "tensor128")));
}

TEST(Fit, ComesNearTheCommittedCalibrationWithFewTiles) {
  const auto committed = TheCatalog().FindCalibration("a10", "sgemm64");
  EXPECT_GE(SgemmFit().fitted_size(), 4);
  for (const pb::CalibrationValue& value : SgemmFit().fitted()) {
    const auto number = CalibrationNumber(*committed, value.quantity());
    ASSERT_TRUE(number.ok()) << number.status();
    EXPECT_NEAR(value.value() / *number, 1, 0.3) << value.quantity();
  }
}

TEST(Fit, ReadsNothingThatItsRecipeDoesNotList) {
  for (const std::string& name : TheCatalog().RecipeNames()) {
    Subject subject(name);
    const auto before = name == "a10.sgemm64"
                            ? absl::StatusOr<pb::Calibration>(SgemmFit())
                            : subject.Fit();
    ASSERT_TRUE(before.ok()) << name << ": " << before.status();
    EXPECT_GT(subject.PerturbTheRest(1.37), 200) << name;
    const auto fitted = subject.Fit();
    ASSERT_TRUE(fitted.ok()) << name << ": " << fitted.status();
    EXPECT_EQ(Text(*fitted), Text(*before)) << name;
  }
}

// Multiplies what `observation` reads by 1.05.
void Raise(const pb::FitObservation& observation,
           std::vector<pb::Surface>& surfaces) {
  for (pb::Surface& surface : surfaces) {
    if (surface.name() != observation.surface()) continue;
    for (pb::Cell& cell : *surface.mutable_cells()) {
      if (Fingerprint(cell.key()) != Fingerprint(observation.cell())) continue;
      for (pb::Metric& metric : *cell.mutable_metrics()) {
        if (metric.name() != observation.metric()) continue;
        for (double& value : *metric.mutable_quantiles()->mutable_value()) {
          value *= 1.05;
        }
        if (observation.quantile() == 0)
          metric.set_scalar(metric.scalar() * 1.05);
      }
    }
  }
}

// The test above could not fail if the fit ignored its data altogether.
TEST(Fit, FollowsEachValueThatItMayRead) {
  for (const char* name : {"a10.sgemm64", "a10.tensor128"}) {
    const Subject whole(name);
    for (const pb::FitObservation& observation : whole.recipe.observations()) {
      Subject subject(name);
      // The rest of the measured group is copied, which needs no long fit.
      if (whole.recipe.kernel() == "sgemm64" &&
          (observation.cell().k() != 64 ||
           observation.quantity() == kTileWallP99)) {
        continue;
      }
      if (observation.quantity() != kLatency &&
          whole.recipe.kernel() == "sgemm64") {
        // Most of a fit's time goes into the queue; declared, it is not looked
        // for.
        pb::CalibrationValue& queue = *subject.recipe.add_declared();
        queue.set_quantity(kAdmissionQueue);
        queue.set_unit("1");
        queue.set_value(13);
        queue.set_source("this test");
      }
      const auto before = observation.quantity() == kLatency
                              ? absl::StatusOr<pb::Calibration>(SgemmFit())
                              : subject.Fit();
      ASSERT_TRUE(before.ok()) << before.status();
      Raise(observation, subject.surfaces);
      // A fit that fails has read the value too.
      const auto fitted = subject.Fit();
      EXPECT_TRUE(!fitted.ok() || Text(*fitted) != Text(*before))
          << observation.ShortDebugString();
    }
  }
}

TEST(Fit, SaysWhichMeasurementIsMissing) {
  Subject sgemm("a10.sgemm64");
  auto& observations = *sgemm.recipe.mutable_observations();
  for (int i = observations.size() - 1; i >= 0; --i) {
    if (observations[i].quantity() == kLatency) {
      observations.DeleteSubrange(i, 1);
    }
  }
  EXPECT_THAT(sgemm.Fit().status().message(),
              HasSubstr("no observation of latency at k 64"));
}

TEST(Fit, SaysWhichObservationNoSurfaceHolds) {
  Subject sgemm("a10.sgemm64");
  sgemm.recipe.mutable_observations(0)->set_surface("nowhere");
  EXPECT_THAT(sgemm.Fit().status().message(),
              HasSubstr("no surface holds the observation nowhere"));
}

TEST(Fit, RefusesALatencyThatNoSlotCanHave) {
  Subject sgemm("a10.sgemm64");
  for (pb::Surface& surface : sgemm.surfaces) {
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
  EXPECT_THAT(std::string(sgemm.Fit().status().message()),
              HasSubstr("calibration of sgemm64 on a10"));
}

// 0.155 us per tile/us is time squared per tile: the same cycles at 1410 MHz as
// at 1200 take (1200 / 1410)^2 of it.
TEST(Fit, TransferScalesATimeSquaredTwice) {
  const auto calibration =
      TheCatalog().FindCalibration("a100_sxm4_40gb", "sgemm64");
  ASSERT_TRUE(calibration.ok());
  EXPECT_NEAR(*CalibrationNumber(*calibration, kMemoryLatencyLoad, {.k = 64}),
              0.1123, 5e-5);
  EXPECT_NEAR(*CalibrationNumber(*calibration, kBoundaryTime), 0.6383, 5e-5);
}

TEST(Fit, RefusesAMisspeltQuantity) {
  pb::FitRecipe recipe = Subject("a10.sgemm64").recipe;
  recipe.mutable_observations(0)->set_quantity("tile_time_sol");
  EXPECT_THAT(std::string(ValidateFitRecipe(recipe).message()),
              HasSubstr("did you mean tile_time_solo?"));
}

TEST(Fit, TransferCopiesWithoutRefitting) {
  const auto fitted = Subject("a10.sgemm64_cpasync").Fit();
  ASSERT_TRUE(fitted.ok()) << fitted.status();
  EXPECT_EQ(fitted->fitted_size(), 0);
  const auto source = TheCatalog().FindCalibration("a10", "sgemm64");
  for (const char* quantity : {kAdmissionQueue, kPipeCost, kGlobalLatency}) {
    EXPECT_EQ(*CalibrationNumber(*fitted, quantity),
              *CalibrationNumber(*source, quantity));
  }
}

}  // namespace
}  // namespace tilebound::model
