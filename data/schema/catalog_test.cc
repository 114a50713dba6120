#include "data/schema/catalog.h"

#include <filesystem>

#include "data/schema/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

pb::Kernel MakeKernel(const std::string& name) {
  pb::Kernel kernel;
  kernel.set_name(name);
  kernel.set_threads_per_block(256);
  kernel.set_registers_per_thread(64);
  pb::TileProgram& program = *kernel.add_programs();
  program.set_weight(1);
  program.set_chunk_k(16);
  program.set_reference_k(64);
  program.set_pipeline_stages(1);
  program.add_sites("boundary");
  program.set_chunk_service_share(0.25);
  return kernel;
}

pb::Calibration MakeCalibration(const std::string& part,
                                const std::string& kernel) {
  pb::Calibration calibration;
  calibration.set_part(part);
  calibration.set_kernel(kernel);
  calibration.set_sm_clock_mhz(1000);
  return calibration;
}

class CatalogTest : public ::testing::Test {
 protected:
  CatalogTest() : root_(fs::path(::testing::TempDir()) / "catalog_test") {
    fs::remove_all(root_);
    fs::create_directories(root_ / "gpus");
    fs::create_directories(root_ / "kernels" / "calibration");
    Put("kernels/two.textproto", MakeFile(MakeKernel("two")));
    Put("kernels/one.textproto", MakeFile(MakeKernel("one")));
    Put("kernels/calibration/p.one.textproto",
        MakeFile(MakeCalibration("p", "one")));
  }
  ~CatalogTest() override { fs::remove_all(root_); }

  void Put(const std::string& name, const pb::File& file) {
    const absl::Status written = WriteFile(root_ / name, file);
    ASSERT_TRUE(written.ok()) << written;
  }
  Catalog catalog() const { return Catalog(root_); }

  const fs::path root_;
};

TEST_F(CatalogTest, FindsByNameAndByPath) {
  EXPECT_EQ(catalog().FindKernel("one")->name(), "one");
  EXPECT_EQ(catalog().FindKernel(root_ / "kernels/two.textproto")->name(),
            "two");
  EXPECT_THAT(catalog().KernelNames(), ElementsAre("one", "two"));
}

TEST_F(CatalogTest, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_EQ(
      catalog().FindKernel("tvo").status().message(),
      "unknown kernel \"tvo\" (did you mean two?); accepted are one, two, "
      "or a .textproto or .binpb file");
  EXPECT_THAT(catalog().FindPart("").status().message(),
              HasSubstr("unknown part \"\""));
}

TEST_F(CatalogTest, APathThatIsNotThereIsToldAsAPath) {
  EXPECT_EQ(catalog().FindPart("no/such.textproto").status().message(),
            "cannot read no/such.textproto: No such file or directory");
}

TEST_F(CatalogTest, AFileOfAnotherKindIsRefused) {
  EXPECT_THAT(
      catalog().FindPart(root_ / "kernels/one.textproto").status().message(),
      HasSubstr("its content is kernel; accepted here is part"));
}

TEST_F(CatalogTest, AFileMustBeCalledWhatItHolds) {
  Put("kernels/three.textproto", MakeFile(MakeKernel("one")));
  EXPECT_THAT(catalog().FindKernel("three").status().message(),
              HasSubstr("three.textproto: holds kernel \"one\"; the file's own "
                        "name, three, is needed"));
  Put("kernels/calibration/p.two.textproto",
      MakeFile(MakeCalibration("q", "two")));
  EXPECT_THAT(catalog().FindCalibration("p", "two").status().message(),
              HasSubstr("holds the calibration of kernel two on part q; two on "
                        "p is needed"));
}

TEST(Catalog, EveryFileThatShipsIsWhatItIsCalled) {
  const Catalog shipped = *Catalog::Open();
  ASSERT_GE(shipped.PartNames().size(), 7u);
  for (const std::string& name : shipped.PartNames()) {
    EXPECT_TRUE(shipped.FindPart(name).ok()) << shipped.FindPart(name).status();
  }
  ASSERT_GE(shipped.KernelNames().size(), 3u);
  for (const std::string& name : shipped.KernelNames()) {
    EXPECT_TRUE(shipped.FindKernel(name).ok())
        << shipped.FindKernel(name).status();
  }
  for (const char* part : {"a10", "a100_sxm4_40gb"}) {
    const std::string recipe = std::string(part) + ".sgemm64";
    EXPECT_TRUE(shipped.FindRecipe(recipe).ok())
        << shipped.FindRecipe(recipe).status();
    EXPECT_TRUE(shipped.FindCalibration(part, "sgemm64").ok())
        << shipped.FindCalibration(part, "sgemm64").status();
  }
  EXPECT_TRUE(shipped.Surfaces("").ok()) << shipped.Surfaces("").status();
}

TEST_F(CatalogTest, FindsACalibrationOrSaysWhereItWouldBe) {
  EXPECT_EQ(catalog().FindCalibration("p", "one")->kernel(), "one");
  const auto missing = catalog().FindCalibration("q", "one");
  EXPECT_TRUE(absl::IsNotFound(missing.status()));
  EXPECT_THAT(missing.status().message(),
              HasSubstr("kernels/calibration/q.one.textproto does not exist"));
}

}  // namespace
}  // namespace tilebound
