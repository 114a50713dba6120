// The parts of the catalog against figures that do not come from the files:
// NVIDIA's throughputs, and what residency the published study saw.
#include <map>
#include <string>

#include "data/schema/catalog.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

pb::Part PartOrDie(const std::string& name) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  const auto part = catalog->FindPart(name);
  EXPECT_TRUE(part.ok()) << part.status();
  return *part;
}

TEST(Gpus, AreTheSevenOfTheDesignAndAllValid) {
  const auto catalog = Catalog::Open();
  ASSERT_TRUE(catalog.ok()) << catalog.status();
  const std::vector<std::string> names = catalog->PartNames();
  EXPECT_EQ(names,
            (std::vector<std::string>{"a10", "a100_sxm4_40gb", "a30",
                                      "h100_sxm", "h200", "l4", "rtx3090"}));
  for (const std::string& name : names) {
    EXPECT_EQ(PartOrDie(name).name(), name);
  }
}

// SM count and boost clock are listed apart; the data sheets' fp32 throughput
// multiplies them, so that one wrong figure shows.
TEST(Gpus, SmCountAndClockMakeTheDataSheetsThroughput) {
  struct Sheet {
    const char* part;
    double fp32_tflops;
    int lanes_per_sm;
  };
  for (const Sheet& sheet : {Sheet{"a10", 31.2, 128},
                             {"a30", 10.3, 64},
                             {"a100_sxm4_40gb", 19.5, 64},
                             {"rtx3090", 35.6, 128},
                             {"l4", 30.3, 128},
                             {"h100_sxm", 67, 128},
                             {"h200", 67, 128}}) {
    const pb::Part part = PartOrDie(sheet.part);
    const double tflops =
        2e-6 * part.sm_count() * sheet.lanes_per_sm * part.boost_clock_mhz();
    EXPECT_NEAR(tflops, sheet.fp32_tflops, 0.01 * sheet.fp32_tflops)
        << sheet.part;
  }
}

// The largest block with opt-in leaves what the system takes of it.
TEST(Gpus, OneBlockCanHaveAllSharedMemoryButTheReservedKibibyte) {
  for (const char* name :
       {"a10", "a100_sxm4_40gb", "rtx3090", "a30", "l4", "h100_sxm", "h200"}) {
    const pb::ResidencyLimits limits = PartOrDie(name).limits();
    EXPECT_EQ(limits.shared_bytes_per_block() +
                  limits.shared_bytes_reserved_per_block(),
              limits.shared_bytes_per_sm())
        << name;
  }
}

TEST(Gpus, LimitsFollowTheComputeCapability) {
  struct Capability {
    uint32_t threads, blocks, shared_kib;
  };
  const std::map<uint32_t, Capability> table = {{80, {2048, 32, 164}},
                                                {86, {1536, 16, 100}},
                                                {89, {1536, 24, 100}},
                                                {90, {2048, 32, 228}}};
  const std::map<std::string, uint32_t> capability = {
      {"a10", 86}, {"a100_sxm4_40gb", 80}, {"rtx3090", 86}, {"a30", 80},
      {"l4", 89},  {"h100_sxm", 90},       {"h200", 90}};
  for (const auto& [name, number] : capability) {
    const pb::Part part = PartOrDie(name);
    EXPECT_EQ(part.compute_capability(), number) << name;
    EXPECT_EQ(part.limits().threads_per_sm(), table.at(number).threads) << name;
    EXPECT_EQ(part.limits().blocks_per_sm(), table.at(number).blocks) << name;
    EXPECT_EQ(part.limits().shared_bytes_per_sm(),
              table.at(number).shared_kib * 1024)
        << name;
  }
}

TEST(Gpus, TheTickIsKnownWhereSomebodyMeasuredItAndZeroElsewhere) {
  EXPECT_EQ(PartOrDie("a10").timer_quantum_ps(), 1'024'000u);
  EXPECT_EQ(PartOrDie("a100_sxm4_40gb").timer_quantum_ps(), 1'024'000u);
  EXPECT_EQ(PartOrDie("h200").timer_quantum_ps(), 32'000u);
  for (const char* name : {"rtx3090", "a30", "l4", "h100_sxm"}) {
    EXPECT_EQ(PartOrDie(name).timer_quantum_ps(), 0u) << name;
  }
}

}  // namespace
}  // namespace tilebound
