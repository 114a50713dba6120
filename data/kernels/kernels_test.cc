// The kernels of the catalog against arithmetic on their own geometry, and the
// calibrations against the parts and kernels that they name.
#include <filesystem>
#include <string>
#include <vector>

#include "data/schema/catalog.h"
#include "data/schema/file.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

const std::vector<std::string> kKernels = {"sgemm64", "sgemm64_cpasync",
                                           "tensor128"};

Catalog CatalogOrDie() {
  const auto catalog = Catalog::Open();
  EXPECT_TRUE(catalog.ok()) << catalog.status();
  return *catalog;
}

pb::Kernel KernelOrDie(const std::string& name) {
  const auto kernel = CatalogOrDie().FindKernel(name);
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  return *kernel;
}

TEST(Kernels, AreTheThreeOfTheDesignAndNoneAndAllValid) {
  std::vector<std::string> names = kKernels;
  names.insert(names.begin(), "none");
  EXPECT_EQ(CatalogOrDie().KernelNames(), names);
  EXPECT_EQ(KernelOrDie("none").name(), "none");
  for (const std::string& name : kKernels) {
    EXPECT_EQ(KernelOrDie(name).name(), name);
    EXPECT_FALSE(KernelOrDie(name).source().empty()) << name;
  }
}

TEST(Kernels, ChunksOfATileAddUpToTheMatrixProduct) {
  for (const std::string& name : kKernels) {
    const pb::TileProgram program = KernelOrDie(name).programs(0);
    const uint64_t chunks = program.reference_k() / program.chunk_k();
    EXPECT_EQ(
        chunks * program.chunk().flops(),
        2ull * program.tile_m() * program.tile_n() * program.reference_k())
        << name;
  }
}

TEST(Kernels, ChunksLoadTheirRowsAndColumnsOnceAndStoreThemOnce) {
  for (const std::string& name : kKernels) {
    const pb::TileProgram program = KernelOrDie(name).programs(0);
    const uint64_t element = name == "tensor128" ? 2 : 4;
    EXPECT_EQ(
        program.chunk().global_load_bytes(),
        (program.tile_m() + program.tile_n()) * program.chunk_k() * element)
        << name;
    EXPECT_EQ(program.chunk().shared_store_bytes(),
              program.chunk().global_load_bytes())
        << name;
    EXPECT_EQ(program.epilogue().global_store_bytes(),
              4ull * program.tile_m() * program.tile_n())
        << name;
  }
}

// Each thread of the SGEMM has 4x4 outputs; the machine code's wavefronts are
// within 1 % of the operands that this needs.
TEST(Kernels, SharedLoadsOfTheSgemmFeedFourByFourOutputsAThread) {
  for (const char* name : {"sgemm64", "sgemm64_cpasync"}) {
    const pb::TileProgram program = KernelOrDie(name).programs(0);
    const double operands = 256.0 * program.chunk_k() * (4 + 4) * 4;
    EXPECT_NEAR(static_cast<double>(program.chunk().shared_load_bytes()),
                operands, 0.01 * operands)
        << name;
  }
}

// The study pins the SGEMM to 4 blocks an SM and its tensor-core tile to 1.
TEST(Kernels, FillAnA10AsTheStudySays) {
  const auto part = CatalogOrDie().FindPart("a10");
  ASSERT_TRUE(part.ok()) << part.status();
  const pb::ResidencyLimits& limits = part->limits();
  for (const std::string& name : kKernels) {
    const pb::Kernel kernel = KernelOrDie(name);
    const uint32_t shared = kernel.shared_bytes_per_block() +
                            limits.shared_bytes_reserved_per_block();
    const uint32_t registers =
        kernel.registers_per_thread() * kernel.threads_per_block();
    if (name == "tensor128") {
      EXPECT_EQ(limits.shared_bytes_per_sm() / shared, 1u);
    } else {
      EXPECT_EQ(limits.registers_per_sm() / registers, 4u) << name;
      EXPECT_GE(limits.shared_bytes_per_sm() / shared, 4u) << name;
    }
  }
}

TEST(Kernels, TensorTileHasThreePaddedStagesOfThirtyTwo) {
  const pb::Kernel kernel = KernelOrDie("tensor128");
  const uint32_t a_bytes = 128 * (32 + 8) * 2;
  const uint32_t b_bytes = 32 * (128 + 8) * 2;
  EXPECT_EQ(kernel.shared_bytes_per_block(), 3 * (a_bytes + b_bytes));
  EXPECT_EQ(kernel.programs(0).chunk_k(), 32u);
  EXPECT_EQ(kernel.programs(0).pipeline_stages(), 3u);
}

TEST(Kernels, OnlyPipelinedTilesHaveStageAndIssueSites) {
  const auto sites = [](const std::string& name) {
    const pb::TileProgram program = KernelOrDie(name).programs(0);
    return std::vector<std::string>(program.sites().begin(),
                                    program.sites().end());
  };
  EXPECT_EQ(sites("sgemm64"), (std::vector<std::string>{"boundary", "folded"}));
  for (const char* name : {"sgemm64_cpasync", "tensor128"}) {
    EXPECT_EQ(sites(name), (std::vector<std::string>{"boundary", "stage",
                                                     "issue", "folded"}))
        << name;
  }
}

TEST(Calibrations, AreFiledUnderThePartAndKernelThatTheyName) {
  const Catalog catalog = CatalogOrDie();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           catalog.root() + "/kernels/calibration")) {
    if (entry.path().extension() != ".textproto") continue;
    const auto calibration =
        ReadContent<pb::Calibration>(entry.path().string());
    ASSERT_TRUE(calibration.ok()) << calibration.status();
    EXPECT_EQ(entry.path().stem().string(),
              calibration->part() + "." + calibration->kernel());
    EXPECT_TRUE(catalog.FindPart(calibration->part()).ok());
    EXPECT_TRUE(catalog.FindKernel(calibration->kernel()).ok());
    ++files;
  }
  EXPECT_GE(files, 3);
}

}  // namespace
}  // namespace tilebound
