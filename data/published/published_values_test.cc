// Values of the published surfaces against a second reading of the study's
// tables, by eye and independent of the importer.
#include <string>

#include "data/published/cell_at.h"
#include "data/schema/catalog.h"
#include "data/schema/metric.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

// The study prints at most three decimals.
constexpr double kPrint = 0.0051;

double P50(const pb::Metric& metric) {
  return MetricQuantile(metric, 0.5).value_or(-1);
}
double P99(const pb::Metric& metric) {
  return MetricQuantile(metric, 0.99).value_or(-1);
}
double Number(const pb::Metric& metric) {
  return MetricScalar(metric).value_or(-1);
}

At Reference(uint32_t blocks, uint32_t period) {
  return At("a10_reference").Blocks(blocks).Period(period);
}

At FirstBuild(uint32_t blocks, uint32_t period) {
  return At("a10_first_build")
      .Blocks(blocks)
      .Period(period)
      .Variant("volatile_flag");
}

TEST(PublishedValues, ReferenceBuild) {
  EXPECT_NEAR(P50(Reference(288, 1)["latency"]), 64.51, kPrint);
  EXPECT_NEAR(P99(Reference(288, 1)["latency"]), 86.02, kPrint);
  EXPECT_NEAR(P50(Reference(16, 1)["latency"]), 9.22, kPrint);
  EXPECT_NEAR(P99(Reference(216, 8)["latency"]), 303.10, kPrint);
  EXPECT_NEAR(P50(Reference(144, 4)["latency"]), 62.46, kPrint);
  EXPECT_EQ(Number(Reference(36, 2)["overhead"]), 2.123);
  EXPECT_EQ(Number(Reference(288, 8)["overhead"]), -0.561);
  EXPECT_EQ(Reference(288, 1)["latency"].n(), 9900u);
}

TEST(PublishedValues, FirstBuild) {
  EXPECT_NEAR(P50(FirstBuild(16, 1)["latency"]), 8.19, kPrint);
  EXPECT_NEAR(P50(FirstBuild(16, 1)["latency_with_setter"]), 10.24, kPrint);
  EXPECT_NEAR(P99(FirstBuild(216, 4)["latency"]), 162.82, kPrint);
  EXPECT_NEAR(P99(FirstBuild(288, 8)["latency_with_setter"]), 603.14, kPrint);
  EXPECT_EQ(Number(FirstBuild(36, 1)["setter_last"]), 68.485);
  EXPECT_EQ(Number(FirstBuild(72, 2)["overhead"]), -9.809);
  EXPECT_EQ(Number(FirstBuild(144, 8)["anomalies"]), 0);
}

TEST(PublishedValues, SpreadOfTheFirstBuild) {
  EXPECT_NEAR(P50(FirstBuild(288, 4)["spread"]), 260.10, kPrint);
  EXPECT_NEAR(*MetricQuantile(FirstBuild(72, 8)["spread"], 0.95), 86.02,
              kPrint);
  EXPECT_NEAR(P99(FirstBuild(144, 4)["spread"]), 74.75, kPrint);
  EXPECT_NEAR(P99(FirstBuild(16, 8)["first"]), 32.768, kPrint);
  EXPECT_NEAR(P50(FirstBuild(36, 8)["first"]), 3.072, kPrint);
}

TEST(PublishedValues, ThirdBuild) {
  EXPECT_EQ(Number(At("a10_third_build").Blocks(16)["overhead"]), 3.36);
  EXPECT_EQ(Number(At("a10_third_build").Blocks(216)["overhead"]), 1.77);
  EXPECT_EQ(Number(At("a10_third_build").Blocks(288)["overhead"]), 0.82);
}

TEST(PublishedValues, ReservedSlotsAreHostTimeAsPrinted) {
  const auto reserved = [](uint32_t slots, uint32_t urgent) {
    return At("a10_pareto").Blocks(288 - slots).Reserve(slots).Urgent(urgent);
  };
  EXPECT_EQ(P50(reserved(1, 16)["e2e"]), 964);
  EXPECT_EQ(P99(reserved(1, 16)["e2e"]), 1338);
  EXPECT_EQ(P50(reserved(8, 1)["e2e"]), 99.8);
  EXPECT_EQ(P50(reserved(8, 16)["e2e"]), 195.3);
  EXPECT_EQ(P99(reserved(32, 4)["e2e"]), 120.7);
  EXPECT_EQ(Number(reserved(4, 16)["rate_loss"]), 0.22);
  EXPECT_EQ(reserved(4, 16)["e2e"].n(), 10000u);
}

TEST(PublishedValues, CooperativeUrgentQueueIsDeviceTime) {
  const auto coop = [](uint32_t urgent) {
    return At("a10_pareto").Blocks(288).Urgent(urgent);
  };
  EXPECT_NEAR(P50(coop(1)["e2e"]), 22.53, kPrint);
  EXPECT_NEAR(P99(coop(4)["e2e"]), 68.61, kPrint);
  EXPECT_NEAR(P50(coop(16)["e2e"]), 40.96, kPrint);
  EXPECT_EQ(Number(coop(16)["rate_loss"]), 3.362);
  EXPECT_EQ(coop(1)["e2e"].n(), 9900u);
}

TEST(PublishedValues, Visibility) {
  const auto at = [](const char* file, uint32_t blocks) {
    return At(file).Kernel("none").K(0).Alone().Blocks(blocks);
  };
  EXPECT_NEAR(P99(at("a10_visibility", 288)["notification_floor"]), 1.02,
              kPrint);
  EXPECT_NEAR(P50(at("a10_visibility", 288)["notification_loaded"]), 97.28,
              kPrint);
  EXPECT_NEAR(P99(at("a10_visibility", 216)["notification_loaded"]), 23.55,
              kPrint);
  EXPECT_NEAR(P50(at("a100_visibility", 432)["notification_loaded"]), 3776.51,
              kPrint);
  EXPECT_NEAR(P50(at("a100_visibility", 216)["notification_floor"]), 1.02,
              kPrint);
}

TEST(PublishedValues, HeldOutHalfAndItsIidPrediction) {
  EXPECT_NEAR(P99(At("a10_heldout_measured").Blocks(288)["latency"]), 75.78,
              kPrint);
  EXPECT_NEAR(P99(At("a10_heldout_iid").Blocks(288)["latency"]), 91.14, kPrint);
  const pb::Metric a100 = At("a100_heldout_measured").Blocks(432)["latency"];
  EXPECT_NEAR(*MetricQuantile(a100, 0.9), 59.39, kPrint);
  EXPECT_NEAR(*MetricQuantile(a100, 0.95), 61.44, kPrint);
  EXPECT_NEAR(P50(At("a100_heldout_iid").Blocks(432)["latency"]), 55.30,
              kPrint);
}

TEST(PublishedValues, TensorCore) {
  const auto at = [](uint32_t k) {
    return At("a10_tensor128").Kernel("tensor128").Blocks(72).K(k);
  };
  EXPECT_EQ(Number(at(128).Alone()["tile_time_mean"]), 10.9);
  EXPECT_EQ(Number(at(512).Variant("pipelined_flag")["overhead"]), 3.4);
  const At stage = at(256).Site(pb::STAGE).Variant("pipelined_flag");
  EXPECT_EQ(Number(stage["overhead"]), 13.72);
  EXPECT_NEAR(P50(stage["latency"]), 9.22, kPrint);
  EXPECT_NEAR(P99(stage["e2e"]), 48.13, kPrint);
  EXPECT_EQ(Number(stage["executions"]), 14328838);
  EXPECT_EQ(Number(stage["registers_per_thread"]), 220);
  EXPECT_EQ(Number(at(256).Alone()["registers_per_thread"]), 120);
  EXPECT_EQ(Number(at(256).Site(pb::STAGE).Variant("sync_flag")["overhead"]),
            41.1);
  EXPECT_EQ(
      Number(at(256).Site(pb::STAGE).Variant("sync_flag_hoisted")["overhead"]),
      41.76);
  const At naive =
      at(256).Site(pb::ISSUE).Variant("pipelined_flag").With(pb::NAIVE);
  EXPECT_NEAR(P99(naive["latency"]), 9.22, kPrint);
  EXPECT_EQ(Number(naive["corrupt"]), 0);
  EXPECT_EQ(naive["duplicates"].n(), 14290145u);
  EXPECT_EQ(Number(at(256)
                       .Site(pb::STAGE)
                       .Variant("pipelined_flag")
                       .With(pb::POISON)["poison_caught"]),
            10000);
}

// The study prints time and rate of the same tiles; a 128x128xK tile on each
// of 72 SMs joins them.
TEST(PublishedValues, TensorCoreTimesAndRatesSayTheSame) {
  for (const uint32_t k : {128u, 256u, 512u}) {
    const At cell =
        At("a10_tensor128").Kernel("tensor128").Blocks(72).K(k).Alone();
    const double flops = 2.0 * 128 * 128 * k * 72;
    EXPECT_NEAR(flops / Number(cell["tile_time_mean"]) * 1e-6,
                Number(cell["arithmetic_rate"]), 0.06)
        << k;
  }
}

TEST(PublishedValues, BaselineWaitsAndBacklog) {
  const auto at = [](uint32_t blocks) {
    return At("a10_baseline").Alone().Host().Blocks(blocks);
  };
  EXPECT_EQ(P50(at(288)["wait"]), 957);
  EXPECT_EQ(P99(at(288)["wait"]), 1476);
  EXPECT_EQ(P50(at(287)["wait"]), 76);
  EXPECT_EQ(P50(at(72)["wait"]), 26);
  EXPECT_EQ(Number(at(288)["backlog_correlation"]), 0.993);
  // 288 blocks at 25.4 us a tile finish one tile every 88.2 ns.
  const At saturated = At("a10_calibration").Alone().Blocks(288);
  EXPECT_NEAR(Number(at(288)["backlog_slope"]),
              1000 * Number(saturated["tile_time_mean"]) / 288, 0.2);
}

TEST(PublishedValues, SgemmWithCpAsync) {
  const auto at = [](const char* file) {
    return At(file).Kernel("sgemm64_cpasync");
  };
  const auto a10 = [&] { return at("a10_sgemm64_cpasync").Blocks(288); };
  EXPECT_NEAR(P50(a10()["latency"]), 50.2, 0.051);
  EXPECT_NEAR(P99(a10()["latency"]), 58.4, 0.051);
  EXPECT_EQ(Number(a10()["overhead"]), 2.0);
  EXPECT_NEAR(P50(a10().Site(pb::STAGE)["latency"]), 17.4, 0.051);
  EXPECT_NEAR(P99(a10().Site(pb::STAGE)["latency"]), 22.5, 0.051);
  EXPECT_EQ(a10().Site(pb::STAGE)["corrupt"].n(), 28859u);
  EXPECT_EQ(a10().Site(pb::ISSUE).With(pb::NAIVE)["corrupt"].n(), 6376u);
  const At other =
      at("a10_sgemm64_cpasync_other_build").Blocks(288).Site(pb::STAGE);
  EXPECT_NEAR(P99(other["latency"]), 23.6, 0.051);
  const At a100 = at("a100_sgemm64_cpasync").Blocks(432).Site(pb::STAGE);
  EXPECT_NEAR(P50(a100["latency"]), 16.4, 0.051);
  EXPECT_NEAR(P99(a100["latency"]), 21.5, 0.051);
  EXPECT_EQ(Number(a100["overhead"]), 2.5);
}

TEST(PublishedValues, A100Anchors) {
  const auto at = [](uint32_t blocks) {
    return At("a100_sgemm64").Blocks(blocks);
  };
  EXPECT_EQ(Number(at(108).Alone()["tile_time_mean"]), 7.8);
  EXPECT_NEAR(P50(at(432)["latency"]), 55.3, 0.051);
  EXPECT_NEAR(P99(at(432)["latency"]), 64.5, 0.051);
  EXPECT_NEAR(P50(at(432)["e2e"]), 15.4, 0.051);
  EXPECT_NEAR(P50(at(432).Urgent(16)["e2e"]), 34.8, 0.051);
  EXPECT_EQ(P50(at(424).Reserve(8)["e2e"]), 90);
  EXPECT_EQ(P50(at(424).Reserve(8).Urgent(16)["e2e"]), 175);
}

TEST(PublishedValues, SoftCellsSayWhyAndSoundOnesDoNot) {
  EXPECT_NE(Reference(72, 1)["overhead"].soft_reason(), "");
  EXPECT_NE(Reference(144, 2)["overhead"].soft_reason(), "");
  EXPECT_EQ(Reference(144, 1)["overhead"].soft_reason(), "");
  EXPECT_NE(Reference(288, 1)["latency"].soft_reason(), "");
  EXPECT_EQ(Reference(288, 2)["latency"].soft_reason(), "");
  EXPECT_EQ(Reference(72, 1)["latency"].soft_reason(), "");
  const At loaded =
      At("a10_visibility").Kernel("none").K(0).Alone().Blocks(216);
  EXPECT_NE(loaded["notification_loaded"].soft_reason(), "");
  EXPECT_EQ(loaded["notification_floor"].soft_reason(), "");
  const auto loss = [](uint32_t slots, uint32_t urgent) {
    return At("a10_pareto")
        .Blocks(288 - slots)
        .Reserve(slots)
        .Urgent(urgent)["rate_loss"];
  };
  EXPECT_NE(loss(1, 1).soft_reason(), "");
  EXPECT_EQ(loss(4, 16).soft_reason(), "");
}

// A fit reads its figures here, so the calibrations may hold no others.
TEST(PublishedValues, HoldEveryTileTimeThatACalibrationCallsMeasured) {
  const auto catalog = Catalog::Open();
  ASSERT_TRUE(catalog.ok()) << catalog.status();
  struct Pair {
    const char *part, *kernel, *file;
  };
  int checked = 0;
  for (const Pair& pair : {Pair{"a10", "sgemm64", "a10_calibration"},
                           Pair{"a100_sxm4_40gb", "sgemm64", "a100_sgemm64"},
                           Pair{"a10", "tensor128", "a10_tensor128"}}) {
    const auto calibration = catalog->FindCalibration(pair.part, pair.kernel);
    ASSERT_TRUE(calibration.ok()) << calibration.status();
    for (const pb::CalibrationValue& value : calibration->measured()) {
      const At cell = At(pair.file)
                          .Kernel(pair.kernel)
                          .K(value.k())
                          .Blocks(value.blocks())
                          .Alone();
      if (value.quantity() == "tile_time_solo" ||
          value.quantity() == "tile_time_mean") {
        EXPECT_EQ(Number(cell["tile_time_mean"]), value.value());
        ++checked;
      } else if (value.quantity() == "tile_wall_p99") {
        EXPECT_EQ(P99(cell["tile_wall"]), value.value());
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 9);
}

}  // namespace
}  // namespace tilebound
