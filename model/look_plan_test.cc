#include "model/look_plan.h"

#include <string>

#include "data/schema/calibration.h"
#include "data/schema/cell_key.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

void Declare(pb::Calibration* calibration, const char* quantity, double value,
             const char* site = "") {
  pb::CalibrationValue* added = calibration->add_declared();
  added->set_quantity(quantity);
  added->set_value(value);
  added->set_site(site);
}

pb::Calibration Costs() {
  pb::Calibration calibration;
  calibration.set_part("a10");
  calibration.set_kernel("sgemm64");
  Declare(&calibration, kFlagRoundTrip, 0.6);
  Declare(&calibration, kSiteCost, 0.4, "boundary");
  Declare(&calibration, kSiteService, 0.1, "boundary");
  Declare(&calibration, kSiteCost, 0.25, "stage");
  Declare(&calibration, kSiteService, 0.05, "stage");
  return calibration;
}

pb::CellKey Key(pb::Site site, const std::string& variant = "default") {
  pb::CellKey key = DefaultCellKey();
  key.set_site(site);
  key.set_variant(variant);
  key.set_period(3);
  return key;
}

LookPlan PlanOf(const pb::CellKey& key, const pb::Calibration& costs) {
  const auto plan = ReadLookPlan(costs, key);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return *plan;
}

TEST(LookPlan, BoundaryPaysForItselfAndStageForBoth) {
  const LookPlan boundary = PlanOf(Key(pb::BOUNDARY), Costs());
  EXPECT_EQ(boundary.tile_us, 0.4);
  EXPECT_EQ(boundary.tile_service_us, 0.1);
  EXPECT_EQ(boundary.site_us, 0);
  EXPECT_EQ(boundary.period, 3u);
  for (pb::Site site : {pb::STAGE, pb::ISSUE}) {
    const LookPlan inside = PlanOf(Key(site), Costs());
    EXPECT_EQ(inside.tile_us, 0.4);
    EXPECT_EQ(inside.site_us, 0.25);
    EXPECT_EQ(inside.site_service_us, 0.05);
    EXPECT_TRUE(inside.cost_known);
  }
}

TEST(LookPlan, FoldedSiteCostsNothingAndNeedsNoFigure) {
  pb::Calibration none;
  Declare(&none, kBoundaryTime, 0.75);
  const LookPlan plan = PlanOf(Key(pb::FOLDED), none);
  EXPECT_TRUE(plan.cost_known);
  EXPECT_EQ(plan.tile_us + plan.site_us, 0);
}

TEST(LookPlan, VariantSaysWhenTheValueWasReadAndWhoWaitsForIt) {
  struct Case {
    pb::Site site;
    const char* variant;
    uint32_t stale;
    bool exposed;
  };
  for (const Case& c : {Case{pb::BOUNDARY, "default", 0, false},
                        Case{pb::BOUNDARY, "volatile_flag", 0, false},
                        Case{pb::BOUNDARY, "pipelined_flag", 1, false},
                        Case{pb::BOUNDARY, "sync_flag", 0, true},
                        Case{pb::STAGE, "default", 0, true},
                        Case{pb::STAGE, "pipelined_flag", 1, false},
                        Case{pb::ISSUE, "sync_flag_hoisted", 0, true},
                        Case{pb::FOLDED, "default", 0, false}}) {
    const LookPlan plan = PlanOf(Key(c.site, c.variant), Costs());
    EXPECT_EQ(plan.stale_looks, c.stale) << c.variant;
    EXPECT_EQ(plan.exposed_round_trip, c.exposed) << c.variant;
  }
}

TEST(LookPlan, NamesTheVariantThatHasNoPlan) {
  EXPECT_EQ(NoLookPlanReason(Key(pb::STAGE, "pipelined_flag")), "");
  EXPECT_EQ(NoLookPlanReason(Key(pb::STAGE, "monitor_warp")),
            "variant monitor_warp");
  EXPECT_EQ(NoLookPlanReason(Key(pb::FOLDED, "sync_flag")),
            "variant sync_flag at folded sites");
}

TEST(LookPlan, CostIsUnknownWithoutAFigureForTheSite) {
  pb::Calibration calibration;
  Declare(&calibration, kBoundaryTime, 0.75);
  EXPECT_FALSE(PlanOf(Key(pb::BOUNDARY), calibration).cost_known);
  Declare(&calibration, kSiteCost, 0.4, "boundary");
  EXPECT_TRUE(PlanOf(Key(pb::BOUNDARY), calibration).cost_known);
  EXPECT_FALSE(PlanOf(Key(pb::STAGE), calibration).cost_known);
  // Where nobody measured a round trip, the boundary's is taken.
  EXPECT_EQ(PlanOf(Key(pb::STAGE), calibration).round_trip_us, 0.75);
}

TEST(LookPlan, OnlyDrainWaitsForCopies) {
  pb::CellKey key = Key(pb::ISSUE);
  EXPECT_TRUE(PlanOf(key, Costs()).drains);
  key.set_discipline(pb::NAIVE);
  EXPECT_FALSE(PlanOf(key, Costs()).drains);
  EXPECT_FALSE(PlanOf(Key(pb::BOUNDARY), Costs()).drains);
}

TEST(LookPlan, RefusesAServiceOverTheWholeCost) {
  pb::Calibration calibration = Costs();
  calibration.mutable_declared(4)->set_value(0.3);
  EXPECT_EQ(ReadLookPlan(calibration, Key(pb::STAGE)).status().message(),
            "the calibration of sgemm64 on a10 has site_service 0.3 us at site "
            "stage; up to its site_cost, 0.25 us, is accepted");
}

}  // namespace
}  // namespace tilebound::model
