#include "data/schema/kernel.h"

#include <limits>

#include "data/schema/cell_key.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::Kernel Example() {
  pb::Kernel kernel;
  kernel.set_name("try_kernel");
  kernel.set_threads_per_block(256);
  kernel.set_registers_per_thread(64);
  pb::TileProgram& program = *kernel.add_programs();
  program.set_weight(1);
  program.set_chunk_k(16);
  program.set_reference_k(64);
  program.set_pipeline_stages(2);
  program.add_sites("boundary");
  program.add_sites("stage");
  program.set_chunk_service_share(0.2);
  program.set_epilogue_service_share(0.1);
  return kernel;
}

std::string Error(const pb::Kernel& kernel) {
  return std::string(ValidateKernel(kernel).message());
}

// Error after `change` to the example's program.
template <typename Change>
std::string ProgramError(Change change) {
  pb::Kernel kernel = Example();
  change(*kernel.mutable_programs(0));
  return Error(kernel);
}

TEST(ValidateKernel, AcceptsAWholeKernel) { EXPECT_EQ(Error(Example()), ""); }

TEST(ValidateKernel, RefusesLaunchesThatCudaRefuses) {
  pb::Kernel kernel = Example();
  kernel.set_threads_per_block(1025);
  EXPECT_EQ(Error(kernel),
            "kernel.threads_per_block is 1025; 1 to 1024 is accepted");
  kernel.set_threads_per_block(0);
  EXPECT_THAT(Error(kernel), HasSubstr("threads_per_block is 0"));
  kernel = Example();
  kernel.set_registers_per_thread(256);
  EXPECT_THAT(Error(kernel), HasSubstr("256; 1 to 255 is accepted"));
}

TEST(ValidateKernel, WantsATileProgram) {
  pb::Kernel kernel = Example();
  kernel.clear_programs();
  EXPECT_THAT(Error(kernel), HasSubstr("kernel.programs is empty"));
}

TEST(ValidateKernel, NamesTheProgramAndTheField) {
  using Program = pb::TileProgram;
  EXPECT_EQ(ProgramError([](Program& p) { p.set_weight(0); }),
            "kernel.programs[0].weight is 0; a number over 0 is needed");
  EXPECT_THAT(ProgramError([](Program& p) {
                p.set_weight(std::numeric_limits<double>::quiet_NaN());
              }),
              HasSubstr("weight is nan"));
  EXPECT_THAT(ProgramError([](Program& p) { p.set_chunk_k(24); }),
              HasSubstr("chunk_k is 24 and reference_k is 64"));
  EXPECT_THAT(ProgramError([](Program& p) { p.set_chunk_k(0); }),
              HasSubstr("chunk_k is 0"));
  EXPECT_THAT(ProgramError([](Program& p) { p.set_pipeline_stages(0); }),
              HasSubstr("pipeline_stages is 0"));
  EXPECT_THAT(ProgramError([](Program& p) { p.clear_sites(); }),
              HasSubstr(".sites is empty"));
  EXPECT_THAT(ProgramError([](Program& p) { p.set_sites(1, "stagge"); }),
              HasSubstr("\"stagge\" is not known (did you mean stage?)"));
}

TEST(ValidateKernel, SharesOfATileAddUpToAtMostOne) {
  // 4 chunks x 0.2 + 0.3 = 1.1
  EXPECT_THAT(ProgramError([](pb::TileProgram& p) {
                p.set_epilogue_service_share(0.3);
              }),
              HasSubstr("0.2 x 4 chunks + epilogue_service_share 0.3 is 1.1"));
  EXPECT_EQ(ProgramError(
                [](pb::TileProgram& p) { p.set_epilogue_service_share(0.2); }),
            "");
  EXPECT_NE(
      ProgramError([](pb::TileProgram& p) { p.set_chunk_service_share(-0.1); }),
      "");
}

TEST(ValidateCellForKernel, RefusesAKThatIsNoMultipleOfTheChunk) {
  pb::CellKey key = DefaultCellKey();
  key.set_k(72);
  EXPECT_EQ(ValidateCellForKernel(key, Example()).message(),
            "k 72 is not a multiple of the chunk of try_kernel; accepted are "
            "multiples of 16");
  key.set_k(80);
  EXPECT_TRUE(ValidateCellForKernel(key, Example()).ok());
}

// A mix of depths: a program with a depth of its own does not look at the cell's.
TEST(ValidateCellForKernel, AsksTheProgramsOwnDepthWhereItHasOne) {
  pb::Kernel kernel = Example();
  kernel.mutable_programs(0)->set_fixed_k(128);
  EXPECT_EQ(DepthOf(kernel.programs(0), 50), 128u);
  EXPECT_EQ(DepthOf(Example().programs(0), 50), 50u);
  pb::CellKey key;
  key.set_k(50);
  key.set_site(pb::BOUNDARY);
  EXPECT_TRUE(ValidateCellForKernel(key, kernel).ok());
  EXPECT_FALSE(ValidateCellForKernel(key, Example()).ok());
  kernel.mutable_programs(0)->set_fixed_k(40);
  EXPECT_THAT(Error(kernel), HasSubstr("fixed_k is 40; 0 or a multiple"));
  EXPECT_THAT(
      ProgramError([](pb::TileProgram& p) { p.set_relative_service(-1); }),
      HasSubstr("relative_service is -1; 0 to 1000"));
}

TEST(ValidateCellForKernel, RefusesASiteThatTheKernelLacks) {
  pb::CellKey key = DefaultCellKey();
  key.set_k(64);
  key.set_site(pb::FOLDED);
  EXPECT_EQ(ValidateCellForKernel(key, Example()).message(),
            "site folded does not exist in try_kernel; accepted are boundary, "
            "stage");
}

}  // namespace
}  // namespace tilebound
