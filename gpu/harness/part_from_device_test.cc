#include "gpu/harness/part_from_device.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::HasSubstr;

// cudaDeviceProp of an A100-SXM4-40GB, as NVIDIA's deviceQuery prints it.
DeviceFacts A100() {
  DeviceFacts facts;
  facts.product = "NVIDIA A100-SXM4-40GB";
  facts.compute_capability = 80;
  facts.sm_count = 108;
  facts.warp_size = 32;
  facts.threads_per_block = 1024;
  facts.threads_per_sm = 2048;
  facts.blocks_per_sm = 32;
  facts.registers_per_block = 65536;
  facts.registers_per_sm = 65536;
  facts.shared_bytes_per_sm = 167936;
  facts.shared_bytes_per_block = 166912;
  facts.shared_bytes_reserved_per_block = 1024;
  facts.clock_mhz = 1410;
  facts.memory_bytes = 42'505'273'344;
  facts.bandwidth_gb_per_s = 1555.2;
  facts.l2_bytes = 41'943'040;
  facts.timer_tick_ns = 1024;
  facts.driver_version = 12040;
  facts.runtime_version = 13000;
  return facts;
}

TEST(PartFromDevice, MakesAPartThatTheCatalogAccepts) {
  const auto part = PartFromDevice(A100(), "my_a100");
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(part->timer_quantum_ps(), 1'024'000u);
  EXPECT_THAT(part->sources(0).citation(), HasSubstr("driver for CUDA 12.4"));
}

TEST(PartFromDevice, RefusesPartsWhoseAllocationUnitsAreNotKnown) {
  DeviceFacts v100 = A100();
  v100.compute_capability = 70;
  EXPECT_THAT(PartFromDevice(v100, "v100").status().message(),
              HasSubstr("compute capability 7.0"));
}

TEST(PartFromDevice, RefusesABadNameAndAMissingFigure) {
  EXPECT_FALSE(PartFromDevice(A100(), "My A100").ok());
  DeviceFacts facts = A100();
  facts.l2_bytes = 0;
  EXPECT_THAT(PartFromDevice(facts, "a100").status().message(),
              HasSubstr("memory.l2_bytes"));
}

}  // namespace
}  // namespace tilebound::gpu
