// The bars for sites and what they cost, against published measurements by
// others. Fitted were tile times and the overheads of two arms: tensor128 at
// k 256, stage sites, with pipelined_flag and with sync_flag.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/schema/metric.h"
#include "gtest/gtest.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

constexpr double kQuantumUs = 1.024;

pb::Surface Published(const std::string& name) {
  const auto surfaces = Catalog::Open()->Surfaces("");
  EXPECT_TRUE(surfaces.ok()) << surfaces.status();
  for (const pb::Surface& surface : *surfaces) {
    if (surface.name() == name) return surface;
  }
  ADD_FAILURE() << "no published surface " << name;
  return {};
}

pb::CellKey Key(const char* kernel, uint32_t k, uint32_t blocks, pb::Site site,
                const char* variant) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel(kernel);
  key.set_k(k);
  key.set_blocks(blocks);
  key.set_site(site);
  key.set_variant(variant);
  return key;
}

pb::Cell Predicted(const pb::CellKey& key) {
  const auto surface = PredictFromCatalog({key}, PredictOptions());
  EXPECT_TRUE(surface.ok()) << surface.status();
  return surface->cells(0);
}

const pb::Metric& Truth(const pb::Surface& published, const pb::CellKey& key,
                        const char* metric) {
  static const auto* none = new pb::Metric;
  for (const pb::Cell& cell : published.cells()) {
    if (Fingerprint(cell.key()) != Fingerprint(key)) continue;
    const pb::Metric* found = FindMetric(cell, metric);
    if (found != nullptr) return *found;
  }
  ADD_FAILURE() << "not published: " << metric << " of " << CanonicalText(key);
  return *none;
}

TEST(SiteAccuracy,
     TensorBoundaryAndStageLatencyAreWithinAQuantumOrFivePercent) {
  const pb::Surface published = Published("a10_tensor128");
  for (pb::Site site : {pb::BOUNDARY, pb::STAGE}) {
    const pb::CellKey key = Key("tensor128", 256, 72, site, "pipelined_flag");
    const pb::Cell cell = Predicted(key);
    for (double q : {0.5, 0.99}) {
      const double measured =
          *MetricQuantile(Truth(published, key, kLatency), q);
      const double ours = *MetricQuantile(*FindMetric(cell, kLatency), q);
      EXPECT_LE(std::abs(ours - measured),
                std::max(kQuantumUs, 0.05 * measured) + 1e-9)
          << SiteName(site) << " q " << q << ": " << ours << ", published "
          << measured;
    }
  }
}

// Nothing of issue sites was fitted, nor do they drain here.
TEST(SiteAccuracy, TensorIssueLatencyIsWithinAQuantum) {
  pb::CellKey key = Key("tensor128", 256, 72, pb::ISSUE, "pipelined_flag");
  key.set_discipline(pb::NAIVE);
  const pb::Surface published = Published("a10_tensor128");
  const pb::Cell cell = Predicted(key);
  for (double q : {0.5, 0.99}) {
    EXPECT_NEAR(*MetricQuantile(*FindMetric(cell, kLatency), q),
                *MetricQuantile(Truth(published, key, kLatency), q),
                kQuantumUs + 1e-9);
  }
}

struct Overhead {
  const char* kernel;
  uint32_t k, blocks;
  pb::Site site;
  const char* variant;
  const char* surface;
};

double OffBy(const Overhead& o) {
  const pb::CellKey key = Key(o.kernel, o.k, o.blocks, o.site, o.variant);
  const auto ours = MetricScalar(*FindMetric(Predicted(key), kOverhead));
  const auto truth = MetricScalar(Truth(Published(o.surface), key, kOverhead));
  EXPECT_TRUE(ours.has_value() && truth.has_value()) << CanonicalText(key);
  return ours.value_or(1e9) - truth.value_or(0);
}

// The bar is 1.5 points.
TEST(SiteAccuracy, OverheadsAreWithinOneAndAHalfPoints) {
  const char* const kTensor = "a10_tensor128";
  const char* const kPipelined = "pipelined_flag";
  for (const Overhead& o : {
           Overhead{"tensor128", 128, 72, pb::BOUNDARY, kPipelined, kTensor},
           Overhead{"tensor128", 256, 72, pb::BOUNDARY, kPipelined, kTensor},
           Overhead{"tensor128", 128, 72, pb::STAGE, kPipelined, kTensor},
           Overhead{"tensor128", 512, 72, pb::STAGE, kPipelined, kTensor},
           Overhead{"tensor128", 128, 72, pb::ISSUE, kPipelined, kTensor},
           Overhead{"tensor128", 256, 72, pb::ISSUE, kPipelined, kTensor},
           Overhead{"tensor128", 256, 72, pb::STAGE, "sync_flag_hoisted",
                    kTensor},
           Overhead{"sgemm64", 64, 16, pb::BOUNDARY, "default",
                    "a10_reference"},
           Overhead{"sgemm64", 64, 36, pb::BOUNDARY, "default",
                    "a10_reference"},
           Overhead{"sgemm64", 64, 144, pb::BOUNDARY, "default",
                    "a10_reference"},
           Overhead{"sgemm64", 64, 216, pb::BOUNDARY, "default",
                    "a10_reference"},
           Overhead{"sgemm64", 64, 288, pb::BOUNDARY, "default",
                    "a10_reference"},
           Overhead{"sgemm64_cpasync", 64, 288, pb::BOUNDARY, "default",
                    "a10_sgemm64_cpasync"},
       }) {
    EXPECT_LE(std::abs(OffBy(o)), 1.5)
        << o.kernel << " k " << o.k << ", " << o.blocks << " blocks, "
        << SiteName(o.site) << ", " << o.variant;
  }
}

// What was fitted comes back.
TEST(SiteAccuracy, FittedOverheadIsReproduced) {
  EXPECT_NEAR(OffBy({"tensor128", 256, 72, pb::STAGE, "pipelined_flag",
                     "a10_tensor128"}),
              0, 0.1);
}

// Two published overheads grow with k as no cost per tile or per site can; the
// polled loop itself is slower there. They stay misses (docs/model.md).
TEST(SiteAccuracy, TwoOverheadsAtTheLargestKAreStillTooLow) {
  for (pb::Site site : {pb::BOUNDARY, pb::ISSUE}) {
    const double off =
        OffBy({"tensor128", 512, 72, site, "pipelined_flag", "a10_tensor128"});
    EXPECT_LT(off, -1.5) << SiteName(site);
    EXPECT_GT(off, -2.6) << SiteName(site);
  }
}

}  // namespace
}  // namespace tilebound::model
