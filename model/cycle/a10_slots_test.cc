// The cycle level against what is known of the A10's slots: one rule, the
// counted stream of the tile, and three fitted numbers.
#include <string>
#include <vector>

#include "data/schema/catalog.h"
#include "gtest/gtest.h"
#include "model/cycle/cycle_parameters.h"
#include "model/cycle/instruction_stream.h"
#include "model/cycle/slot_times.h"

namespace tilebound::model {
namespace {

pb::Kernel KernelOrDie(const std::string& name) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  const auto kernel = catalog->FindKernel(name);
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return *kernel;
}

// As the calibration of sgemm64 on the A10 has them from the solo tile times
// 6.7, 10.3 and 17.8 us at k = 32, 64 and 128, and from the handoff of 288
// blocks at period 1.
CycleParameters FittedA10() {
  CycleParameters parameters = *DefaultCycleParameters(86);
  parameters.clock_mhz = 1200;
  parameters.l2_latency_us = 0.8201;
  parameters.atomic_round_trip_us = 2.53;
  parameters.queue_places = 9.166;
  return parameters;
}

std::vector<CycleSlotTime> SlotsOrDie(const pb::Kernel& kernel, uint32_t k,
                                      uint32_t blocks) {
  const pb::TileProgram& program = kernel.programs(0);
  const auto stream = FindStream(program, 86);
  EXPECT_TRUE(stream.ok()) << stream.status();
  const auto slots =
      ComputeCycleSlotTimes(*stream, FittedA10(),
                            {.blocks = blocks,
                             .warps_per_block = kernel.threads_per_block() / 32,
                             .chunks = k / program.chunk_k()});
  EXPECT_TRUE(slots.ok()) << slots.status();
  return *slots;
}

TEST(KernelStreams, ParseForEveryCapabilityAndDoTheArithmeticOfTheirChunk) {
  for (const std::string name : {"sgemm64", "sgemm64_cpasync"}) {
    const pb::Kernel kernel = KernelOrDie(name);
    const pb::TileProgram& program = kernel.programs(0);
    for (uint32_t capability : {80, 86, 90}) {
      const auto stream = FindStream(program, capability);
      ASSERT_TRUE(stream.ok()) << stream.status();
      double fmas = 0;
      for (const Instruction& instruction : stream->chunk) {
        fmas += instruction.kind == InstructionKind::kFma ? 1 : 0;
      }
      // A few more move constants.
      EXPECT_NEAR(fmas * 2 * kernel.threads_per_block() /
                      static_cast<double>(program.chunk().flops()),
                  1, 0.03)
          << name << " " << capability;
    }
  }
}

TEST(A10Slots, SoloTilesFollowDepth) {
  const pb::Kernel kernel = KernelOrDie("sgemm64");
  EXPECT_NEAR(SlotsOrDie(kernel, 32, 1)[0].mean_us, 6.7, 0.02 * 6.7);
  EXPECT_NEAR(SlotsOrDie(kernel, 64, 1)[0].mean_us, 10.3, 0.02 * 10.3);
  EXPECT_NEAR(SlotsOrDie(kernel, 128, 1)[0].mean_us, 17.8, 0.02 * 17.8);
}

TEST(A10Slots, YoungestSlotsAreAsSlowAsTheHandoffsSay) {
  // 10.2, 15.6, 31 and 62 us for 1 to 4 blocks. Three blocks are given 5 %
  // less: what the rule still misses.
  const pb::Kernel kernel = KernelOrDie("sgemm64");
  EXPECT_NEAR(SlotsOrDie(kernel, 64, 1).back().mean_us, 10.2, 0.08 * 10.2);
  EXPECT_NEAR(SlotsOrDie(kernel, 64, 2).back().mean_us, 15.6, 0.08 * 15.6);
  EXPECT_NEAR(SlotsOrDie(kernel, 64, 3).back().mean_us, 31, 0.08 * 31);
  EXPECT_NEAR(SlotsOrDie(kernel, 64, 4).back().mean_us, 62, 0.08 * 62);
}

TEST(A10Slots, ThroughputAtSaturationNeedsNoScale) {
  const std::vector<CycleSlotTime> slots =
      SlotsOrDie(KernelOrDie("sgemm64"), 64, 4);
  EXPECT_NEAR(MeanCycleTileUs(slots), 25.4, 0.02 * 25.4);
}

TEST(A10Slots, SlotsAreOrderedByAge) {
  const std::vector<CycleSlotTime> slots =
      SlotsOrDie(KernelOrDie("sgemm64"), 64, 4);
  for (size_t i = 1; i < slots.size(); ++i) {
    EXPECT_GT(slots[i].mean_us, 1.1 * slots[i - 1].mean_us) << i;
  }
}

}  // namespace
}  // namespace tilebound::model
