#include "model/occupancy.h"

#include <string>

#include "data/schema/catalog.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

pb::Part PartOrDie(const std::string& name) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  const auto part = catalog->FindPart(name);
  EXPECT_TRUE(part.ok()) << part.status();
  return *part;
}

pb::Kernel CatalogKernel(const std::string& name) {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  const auto kernel = catalog->FindKernel(name);
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return *kernel;
}

pb::Kernel MakeKernel(uint32_t threads, uint32_t registers,
                      uint32_t shared_bytes) {
  pb::Kernel kernel;
  kernel.set_name("made_up");
  kernel.set_threads_per_block(threads);
  kernel.set_registers_per_thread(registers);
  kernel.set_shared_bytes_per_block(shared_bytes);
  return kernel;
}

// 40 registers x 32 lanes = 1280 a warp, a multiple of 256; a subpartition of
// 16384 holds 12 such warps, the SM 48, and 48 / 8 warps a block = 6.
TEST(Occupancy, RegistersBindAsOftenAsWholeWarpsFitIntoASubpartition) {
  const Occupancy occupancy =
      ComputeOccupancy(PartOrDie("a100_sxm4_40gb"), MakeKernel(256, 40, 0));
  EXPECT_EQ(occupancy.by_registers, 6u);
  EXPECT_EQ(occupancy.blocks_per_sm, 6u);
  EXPECT_EQ(occupancy.binding, "registers");
}

// 33 x 32 = 1056 is handed out as 1280: the same as for 40.
TEST(Occupancy, RegistersOfAWarpRoundUpToTheAllocationUnit) {
  const pb::Part part = PartOrDie("a100_sxm4_40gb");
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(256, 33, 0)).by_registers, 6u);
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(256, 32, 0)).by_registers, 8u);
}

// 176 x 32 = 5632 registers a warp: the whole SM has room for 65536 / 5632 = 11
// warps, but each of its four subpartitions for 16384 / 5632 = 2. With 168
// (5376) it is 12 either way.
TEST(Occupancy, RegistersCannotBeBorrowedFromAnotherSubpartition) {
  const pb::Part part = PartOrDie("a10");
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(32, 168, 0)).by_registers, 12u);
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(32, 176, 0)).by_registers, 8u);
}

// 255 registers are 8192 a warp. 8 warps fill all 65536; a ninth makes the
// launch check count 12.
TEST(Occupancy, LaunchCheckCountsWarpsInRoundsOfSubpartitions) {
  const pb::Part part = PartOrDie("a10");
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(256, 255, 0)).by_registers, 1u);
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(257, 255, 0)).by_registers, 0u);
}

// 11 KiB + 1 KiB reserved = 12 KiB; 100 / 12 = 8.
TEST(Occupancy, SharedMemoryCountsTheKibibyteReservedInEveryBlock) {
  const Occupancy occupancy =
      ComputeOccupancy(PartOrDie("a10"), MakeKernel(64, 32, 11 * 1024));
  EXPECT_EQ(occupancy.by_shared_memory, 8u);
  EXPECT_EQ(occupancy.blocks_per_sm, 8u);
  EXPECT_EQ(occupancy.binding, "shared memory");
}

// 25 KiB a block with the reserve makes exactly 4; one byte more takes another
// 128.
TEST(Occupancy, SharedMemoryRoundsUpToItsUnit) {
  const pb::Part part = PartOrDie("a10");
  const uint32_t quarter = 24 * 1024;
  EXPECT_EQ(
      ComputeOccupancy(part, MakeKernel(64, 32, quarter)).by_shared_memory, 4u);
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(64, 32, quarter - 127))
                .by_shared_memory,
            4u);
  EXPECT_EQ(
      ComputeOccupancy(part, MakeKernel(64, 32, quarter + 1)).by_shared_memory,
      3u);
}

TEST(Occupancy, LargestBlockOfSharedMemoryFitsOnceAndOneByteMoreDoesNot) {
  for (const char* name :
       {"a10", "a100_sxm4_40gb", "rtx3090", "a30", "l4", "h100_sxm", "h200"}) {
    const pb::Part part = PartOrDie(name);
    const uint32_t most = part.limits().shared_bytes_per_block();
    EXPECT_EQ(ComputeOccupancy(part, MakeKernel(64, 32, most)).blocks_per_sm,
              1u)
        << name;
    const Occupancy over = ComputeOccupancy(part, MakeKernel(64, 32, most + 1));
    EXPECT_EQ(over.blocks_per_sm, 0u) << name;
    EXPECT_EQ(over.binding, "shared memory") << name;
  }
}

// 1536 threads are 48 warps; 5 warps of 129 threads go in 9 times.
TEST(Occupancy, WarpsBindAndAPartOfAWarpCountsAsAWhole) {
  const Occupancy occupancy =
      ComputeOccupancy(PartOrDie("a10"), MakeKernel(129, 16, 0));
  EXPECT_EQ(occupancy.by_warps, 9u);
  EXPECT_EQ(occupancy.blocks_per_sm, 9u);
  EXPECT_EQ(occupancy.binding, "warps");
}

TEST(Occupancy, BlocksBindWhereTheyAreSmall) {
  const pb::Kernel small = MakeKernel(32, 16, 0);
  for (const auto& [name, blocks] :
       {std::pair("a10", 16u), std::pair("l4", 24u),
        std::pair("a100_sxm4_40gb", 32u), std::pair("h200", 32u)}) {
    const Occupancy occupancy = ComputeOccupancy(PartOrDie(name), small);
    EXPECT_EQ(occupancy.blocks_per_sm, blocks) << name;
    EXPECT_EQ(occupancy.binding, "blocks") << name;
  }
}

TEST(Occupancy, SaysWhatEachResourceWouldAllow) {
  EXPECT_EQ(
      ComputeOccupancy(PartOrDie("a10"), CatalogKernel("sgemm64")).ToString(),
      "4 blocks per SM, bound by registers (registers 4, shared memory 5, "
      "warps 6, blocks 16)");
  EXPECT_EQ(
      ComputeOccupancy(PartOrDie("a10"), MakeKernel(256, 0, 0)).ToString(),
      "6 blocks per SM, bound by warps (registers any, shared memory 100, "
      "warps "
      "6, blocks 16)");
}

// The study's grids at saturation: 288 on an A10, 432 on an A100.
TEST(Occupancy, FillsThePublishedPartsAsTheStudyDid) {
  const pb::Kernel sgemm = CatalogKernel("sgemm64");
  EXPECT_EQ(*SaturationBlocks(PartOrDie("a10"), sgemm), 288u);
  EXPECT_EQ(*SaturationBlocks(PartOrDie("a100_sxm4_40gb"), sgemm), 432u);
  const Occupancy tensor =
      ComputeOccupancy(PartOrDie("a10"), CatalogKernel("tensor128"));
  EXPECT_EQ(tensor.blocks_per_sm, 1u);
  EXPECT_EQ(tensor.binding, "shared memory");
}

// A fault that the study recorded: a few registers more, and the grid of 4
// blocks an SM left a quarter of its blocks without a place.
TEST(Occupancy, OneRegisterMoreCostsTheFourthBlock) {
  pb::Kernel kernel = CatalogKernel("sgemm64");
  kernel.set_registers_per_thread(65);
  const pb::Part part = PartOrDie("a10");
  EXPECT_EQ(ComputeOccupancy(part, kernel).blocks_per_sm, 3u);
  EXPECT_EQ(CheckResident(part, kernel, 216), absl::OkStatus());
  EXPECT_FALSE(CheckResident(part, kernel, 288).ok());
}

// Another: an urgent kernel of 79 registers was to run in the slot that three
// blocks of 64 registers leave free. They leave 16384 registers, it needs
// 20480.
TEST(Occupancy, UrgentKernelOf79RegistersDoesNotFitBesideThreeBlocks) {
  pb::Part residue = PartOrDie("a10");
  residue.mutable_limits()->set_registers_per_sm(65536 - 3 * 256 * 64);
  const Occupancy urgent = ComputeOccupancy(residue, MakeKernel(256, 79, 0));
  EXPECT_EQ(urgent.blocks_per_sm, 0u);
  EXPECT_EQ(urgent.binding, "registers");
  EXPECT_EQ(ComputeOccupancy(residue, MakeKernel(256, 64, 0)).blocks_per_sm,
            1u);
}

TEST(Occupancy, BlockOverALimitFitsNowhereWhateverElseItTakes) {
  const pb::Part part = PartOrDie("a10");
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(1025, 16, 0)).blocks_per_sm, 0u);
  EXPECT_EQ(ComputeOccupancy(part, MakeKernel(32, 256, 0)).blocks_per_sm, 0u);
  // Numbers at which 32-bit products wrap.
  for (uint32_t threads : {0x0800'0000u, 0x8000'0000u, 0xffff'ffffu}) {
    const Occupancy occupancy =
        ComputeOccupancy(part, MakeKernel(threads, 255, 0xffff'ffffu));
    EXPECT_EQ(occupancy.by_registers, 0u) << threads;
    EXPECT_EQ(occupancy.by_shared_memory, 0u) << threads;
    EXPECT_EQ(occupancy.by_warps, 0u) << threads;
  }
}

TEST(SaturationBlocks, NamesTheKernelThePartAndWhatBindsWhereNothingFits) {
  EXPECT_EQ(SaturationBlocks(PartOrDie("a10"), MakeKernel(512, 200, 1024))
                .status()
                .message(),
            "kernel made_up does not fit on a10: 0 blocks per SM, bound by "
            "registers (registers 0, shared memory 50, warps 3, blocks 16)");
}

TEST(CheckResident, AcceptsUpToSaturationAndNamesTheLimitBeyond) {
  const pb::Part part = PartOrDie("a10");
  const pb::Kernel kernel = CatalogKernel("sgemm64");
  EXPECT_EQ(CheckResident(part, kernel, 1), absl::OkStatus());
  EXPECT_EQ(CheckResident(part, kernel, 288), absl::OkStatus());
  const absl::Status over = CheckResident(part, kernel, 289);
  EXPECT_EQ(over.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(over.message(),
            "blocks 289 are not resident at once: a10 holds 288 of sgemm64, 4 "
            "blocks per SM, bound by registers (registers 4, shared memory 5, "
            "warps 6, blocks 16); accepted are 1 to 288");
}

// The published study's own trap: beside 3 blocks of 256 threads and 64
// registers, 65536 - 3 * 64 * 256 = 16384 registers are left, and a block of 79
// (handed out as 80) takes 20480.
TEST(Occupancy, UrgentKernelOfMoreRegistersDoesNotFitTheSlotHeldFree) {
  const pb::Part part = PartOrDie("a10");
  const pb::Kernel worker = CatalogKernel("sgemm64");
  EXPECT_EQ(OccupancyBeside(part, worker, 3, MakeKernel(256, 64, 16384))
                .blocks_per_sm,
            1u);
  const Occupancy beside =
      OccupancyBeside(part, worker, 3, MakeKernel(256, 79, 16384));
  EXPECT_EQ(beside.blocks_per_sm, 0u);
  EXPECT_EQ(beside.binding, "registers");
}

TEST(Occupancy, BesideNobodyIsAloneAndBesideItsOwnKindIsTheRest) {
  for (const char* name : {"a10", "a100_sxm4_40gb", "h200"}) {
    const pb::Part part = PartOrDie(name);
    const pb::Kernel kernel = CatalogKernel("sgemm64");
    const uint32_t most = ComputeOccupancy(part, kernel).blocks_per_sm;
    for (uint32_t residents = 0; residents <= most; ++residents) {
      EXPECT_EQ(OccupancyBeside(part, kernel, residents, kernel).blocks_per_sm,
                most - residents)
          << name << " " << residents;
    }
  }
}

}  // namespace
}  // namespace tilebound::model
