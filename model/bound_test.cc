// The analytic worst case: a closed form, and never under what a simulation
// gives.
#include "model/bound.h"

#include <string>
#include <vector>

#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gtest/gtest.h"
#include "model/catalog_surface.h"
#include "model/exact.h"
#include "model/random.h"
#include "model/sampled.h"

namespace tilebound::model {
namespace {

struct Drawn {
  Resources resources;
  pb::CellKey key;
};

uint32_t Pick(Random& random, const std::vector<uint32_t>& from) {
  return from[random.Below(from.size())];
}

// A cell of any site, variant, period and residency; kernels of one and of
// several programs.
Drawn DrawCell(Random& random) {
  Drawn drawn;
  pb::CellKey& key = drawn.key;
  key = DefaultCellKey();
  const bool tensor = random.Below(3) == 0;
  key.set_part("a10");
  key.set_kernel(tensor ? "tensor128" : "sgemm64_cpasync");
  key.set_k(tensor ? Pick(random, {32, 128, 256})
                   : Pick(random, {16, 64, 128}));
  key.set_blocks(tensor ? Pick(random, {1, 5, 72})
                        : Pick(random, {2, 30, 73, 144, 200, 288}));
  key.set_site(static_cast<pb::Site>(1 + random.Below(4)));
  const char* const variants[] = {"default", "volatile_flag", "pipelined_flag",
                                  "sync_flag"};
  key.set_variant(key.site() == pb::FOLDED ? "default"
                                           : variants[random.Below(4)]);
  key.set_period(Pick(random, {1, 1, 2, 3, 7}));
  key.set_urgent_tiles(Pick(random, {1, 4, 20}));
  const auto loaded = CatalogResources({key});
  EXPECT_TRUE(loaded.ok()) << loaded.status();
  drawn.resources = *loaded;
  if (random.Below(3) == 0) {
    pb::Kernel& kernel = drawn.resources.kernels.begin()->second;
    pb::TileProgram* other = kernel.add_programs();
    *other = kernel.programs(0);
    other->set_fixed_k(kernel.programs(0).chunk_k() *
                       (1 + static_cast<uint32_t>(random.Below(12))));
    other->set_weight(0.3);
  }
  return drawn;
}

double MaxLatencyUs(const HandoffMetrics& metrics) {
  for (const pb::Metric& metric : metrics.ToMetrics()) {
    if (metric.name() == kLatency) {
      return MetricQuantile(metric, 1).value_or(0);
    }
  }
  return 0;
}

TEST(Bound, IsNeverUnderASimulatedMaximum) {
  Random random(31);
  for (int number = 0; number < 60; ++number) {
    const Drawn drawn = DrawCell(random);
    const Resources& in = drawn.resources;
    const auto cell = MakeCellModel(
        in.parts.begin()->second, in.kernels.begin()->second,
        in.calibrations.begin()->second, drawn.key, Sharing::kSlot, number + 1);
    ASSERT_TRUE(cell.ok()) << cell.status();
    const double bound_us = static_cast<double>(LatencyBoundPs(*cell)) * 1e-6;
    EXPECT_LE(MaxLatencyUs(SampleHandoff(*cell, 3000, 2)), bound_us)
        << "sampled, " << CanonicalText(drawn.key);
    EXPECT_LE(MaxLatencyUs(SimulateHandoff(*cell, 60, 0, nullptr)), bound_us)
        << "exact, " << CanonicalText(drawn.key);
  }
}

// Alone, at boundaries, without spread: read in the middle of one boundary, B/2
// too early, answered at the end of the next: a tile and B/2.
TEST(Bound, IsATileAndHalfABoundaryForABlockAlone) {
  pb::CellKey key = A10ReferenceKeys()[0];
  key.set_blocks(72);
  const auto resources = CatalogResources({key});
  ASSERT_TRUE(resources.ok()) << resources.status();
  auto cell = MakeCellModel(
      resources->parts.at("a10"), resources->kernels.at("sgemm64"),
      resources->calibrations.begin()->second, key, Sharing::kSlot, 1);
  ASSERT_TRUE(cell.ok()) << cell.status();
  cell->timing.service_spread = cell->timing.sm_spread = 0;
  cell->clock_sag = {};
  cell->setter_delay_ps = 0;
  const Mark& start = cell->timing.marks[0];
  const int64_t answer = start.observe_offset_ps - start.sample_offset_ps;
  for (uint32_t period : {1u, 2u, 8u}) {
    cell->period = period;
    EXPECT_NEAR(static_cast<double>(BoundOfSlot(*cell, 1, 0).latency_ps),
                static_cast<double>(period * cell->timing.SoloPs() + answer),
                1000.0 * period);
  }
  // A stale value costs a period more.
  cell->period = 3;
  cell->timing.stale_looks = 1;
  EXPECT_NEAR(static_cast<double>(BoundOfSlot(*cell, 1, 0).latency_ps),
              static_cast<double>(6 * cell->timing.SoloPs() + answer), 6000.0);
}

TEST(Bound, YoungerSlotsAndLongerPeriodsHaveLaterBounds) {
  pb::CellKey key = A10ReferenceKeys()[20];
  const auto resources = CatalogResources({key});
  ASSERT_TRUE(resources.ok()) << resources.status();
  const auto cell = MakeCellModel(
      resources->parts.at("a10"), resources->kernels.at("sgemm64"),
      resources->calibrations.begin()->second, key, Sharing::kSlot, 1);
  ASSERT_TRUE(cell.ok()) << cell.status();
  for (uint32_t slot = 1; slot < 4; ++slot) {
    EXPECT_GT(BoundOfSlot(*cell, 4, slot).latency_ps,
              BoundOfSlot(*cell, 4, slot - 1).latency_ps);
  }
  EXPECT_EQ(BoundOfGrid(*cell).latency_ps, BoundOfSlot(*cell, 4, 3).latency_ps);
}

}  // namespace
}  // namespace tilebound::model
