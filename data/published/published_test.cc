// The published surfaces as files: valid, complete, citing their source, with
// keys that the catalog's kernels can run. Values: published_values_test.cc.
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "data/io/data_root.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/kernel.h"
#include "data/schema/metric.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

// By file name without ending.
std::map<std::string, pb::Surface> ReadAll() {
  const auto root = DataRoot();
  EXPECT_TRUE(root.ok()) << root.status();
  std::map<std::string, pb::Surface> surfaces;
  for (const auto& entry :
       std::filesystem::directory_iterator(*root + "/published")) {
    if (entry.path().extension() != ".textproto") continue;
    const auto surface = ReadContent<pb::Surface>(entry.path().string());
    EXPECT_TRUE(surface.ok()) << surface.status();
    if (surface.ok()) surfaces[entry.path().stem().string()] = *surface;
  }
  return surfaces;
}

TEST(Published, FilesAreAllThereWithAllTheirCells) {
  const std::map<std::string, int> expected = {
      {"a100_heldout_iid", 1},
      {"a100_heldout_measured", 1},
      {"a100_sgemm64", 6},
      {"a100_sgemm64_cpasync", 1},
      {"a100_visibility", 4},
      {"a10_baseline", 3},
      {"a10_calibration", 4},
      {"a10_first_build", 24},
      {"a10_heldout_iid", 1},
      {"a10_heldout_measured", 1},
      {"a10_oracle", 1},
      {"a10_pareto", 21},
      {"a10_reference", 24},
      {"a10_sgemm64_cpasync", 4},
      {"a10_sgemm64_cpasync_other_build", 1},
      // 3 K x (off, boundary, stage, issue drain), and at K = 256 sync_flag,
      // sync_flag_hoisted, issue naive, stage poison, stage naive.
      {"a10_tensor128", 17},
      {"a10_third_build", 6},
      {"a10_visibility", 6},
  };
  std::map<std::string, int> found;
  for (const auto& [name, surface] : ReadAll()) {
    EXPECT_EQ(surface.name(), name);
    found[name] = surface.cells_size();
  }
  EXPECT_EQ(found, expected);
}

TEST(Published, EveryFileCitesTheStudyAndOnlyItsModelIsAPrediction) {
  for (const auto& [name, surface] : ReadAll()) {
    const pb::Provenance& provenance = surface.provenance();
    EXPECT_NE(provenance.citation().find("A. Faisal"), std::string::npos);
    EXPECT_NE(provenance.citation().find("commit 4ee6557"), std::string::npos);
    const bool model = name.find("_iid") != std::string::npos;
    EXPECT_EQ(provenance.kind(),
              model ? pb::Provenance::PREDICTED : pb::Provenance::PUBLISHED)
        << name;
  }
}

TEST(Published, NoTwoCellsOfAFileShareAFingerprint) {
  for (const auto& [name, surface] : ReadAll()) {
    std::set<std::string> fingerprints;
    for (const pb::Cell& cell : surface.cells()) {
      EXPECT_TRUE(fingerprints.insert(Fingerprint(cell.key())).second)
          << name << ": " << CanonicalText(cell.key());
    }
  }
}

TEST(Published, EveryCellHasAMetricAndAKeyThatItsKernelCanRun) {
  const auto catalog = Catalog::Open();
  ASSERT_TRUE(catalog.ok()) << catalog.status();
  for (const auto& [name, surface] : ReadAll()) {
    for (const pb::Cell& cell : surface.cells()) {
      EXPECT_GT(cell.metrics_size(), 0) << CanonicalText(cell.key());
      EXPECT_TRUE(catalog->FindPart(cell.key().part()).ok());
      if (cell.key().kernel() == "none") continue;
      const auto kernel = catalog->FindKernel(cell.key().kernel());
      ASSERT_TRUE(kernel.ok()) << kernel.status();
      EXPECT_TRUE(ValidateCellForKernel(cell.key(), *kernel).ok())
          << name << ": " << ValidateCellForKernel(cell.key(), *kernel);
    }
  }
}

TEST(Published, ReferenceSurfaceIsAFullGridOfBlocksAndPeriods) {
  std::set<std::pair<uint32_t, uint32_t>> expected;
  for (uint32_t blocks : {16, 36, 72, 144, 216, 288}) {
    for (uint32_t period : {1, 2, 4, 8}) expected.insert({blocks, period});
  }
  for (const char* name : {"a10_reference", "a10_first_build"}) {
    std::set<std::pair<uint32_t, uint32_t>> found;
    const std::map<std::string, pb::Surface> all = ReadAll();
    for (const pb::Cell& cell : all.at(name).cells()) {
      found.insert({cell.key().blocks(), cell.key().period()});
      EXPECT_EQ(cell.key().k(), 64u);
      EXPECT_EQ(cell.key().kernel(), "sgemm64");
    }
    EXPECT_EQ(found, expected) << name;
  }
}

// What `--part=a10 --kernel=sgemm64 --k=64 --blocks=288` asks for is a cell of
// the reference surface: nothing else would ever join it.
TEST(Published, ReferenceCellsHaveTheKeysThatDefaultFlagsMake) {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(288);
  int hits = 0;
  const std::map<std::string, pb::Surface> all = ReadAll();
  for (const pb::Cell& cell : all.at("a10_reference").cells()) {
    hits += Fingerprint(cell.key()) == Fingerprint(key);
  }
  EXPECT_EQ(hits, 1);
}

// A wrong rounding back to quanta, or a host time taken for a device time,
// shows here.
TEST(Published, DeviceTimesAreWholeQuantaOfTheTimer) {
  const std::set<std::string> device = {"latency",
                                        "latency_with_setter",
                                        "first",
                                        "spread",
                                        "e2e",
                                        "notification_floor",
                                        "notification_loaded"};
  int checked = 0;
  for (const auto& [name, surface] : ReadAll()) {
    if (surface.provenance().kind() != pb::Provenance::PUBLISHED) continue;
    const double quantum_us = surface.conditions().timer_quantum_ps() * 1e-6;
    for (const pb::Cell& cell : surface.cells()) {
      if (cell.key().setter() == pb::HOST) continue;
      for (const pb::Metric& metric : cell.metrics()) {
        if (device.count(metric.name()) == 0) continue;
        for (double us : metric.quantiles().value()) {
          EXPECT_NEAR(us / quantum_us, std::round(us / quantum_us), 1e-9)
              << name << " " << metric.name() << " " << us;
          ++checked;
        }
      }
    }
  }
  // 24 x 2 in the reference, 24 x 9 in the first build, and the small tables.
  EXPECT_GT(checked, 24 * 11);
}

}  // namespace
}  // namespace tilebound
