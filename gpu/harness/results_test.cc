#include "gpu/harness/results.h"

#include <filesystem>

#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

pb::Surface Empty() {
  pb::Surface surface;
  surface.set_name("h200");
  pb::Provenance& provenance = *surface.mutable_provenance();
  provenance.set_kind(pb::Provenance::MEASURED);
  provenance.set_commit("4ee6557");
  provenance.set_seed(7);
  provenance.set_started_utc("2026-08-01T00:00:00Z");
  pb::Conditions& conditions = *surface.mutable_conditions();
  conditions.set_events(10000);
  conditions.set_sm_clock_mhz(1980);
  conditions.set_machine_code("compute_80 PTX, JIT");
  conditions.set_timer_quantum_ps(32'000);
  return surface;
}

pb::Cell CellOf(uint32_t blocks) {
  pb::Cell cell;
  *cell.mutable_key() = DefaultCellKey();
  cell.mutable_key()->set_part("h200");
  cell.mutable_key()->set_kernel("sgemm64");
  cell.mutable_key()->set_k(64);
  cell.mutable_key()->set_blocks(blocks);
  Histogram histogram(32'000);
  histogram.Add(blocks, 3);
  *cell.add_metrics() = HistogramMetric(kLatency, histogram);
  return cell;
}

class ResultsTest : public ::testing::Test {
 protected:
  ResultsTest() : folder_(fs::path(::testing::TempDir()) / "results_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ResultsTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) { return folder_ / name; }
  std::string OpenError(const pb::Surface& empty, bool resume) {
    return std::string(
        Results::Open(Path("s.binpb"), empty, resume).status().message());
  }

  const fs::path folder_;
};

TEST_F(ResultsTest, EveryCellIsReadableAsSoonAsItIsAdded) {
  for (const std::string name : {"s.textproto", "s.binpb"}) {
    auto results = Results::Open(Path(name), Empty(), false);
    ASSERT_TRUE(results.ok()) << results.status();
    for (uint32_t blocks : {528u, 132u}) {
      ASSERT_TRUE(results->Add(CellOf(blocks)).ok());
      const auto partial = ReadContent<pb::Surface>(Path(name + ".partial"));
      ASSERT_TRUE(partial.ok()) << partial.status();
      EXPECT_EQ(partial->cells_size(), results->surface().cells_size());
      EXPECT_FALSE(fs::exists(Path(name)));
    }
    ASSERT_TRUE(results->Finish(absl::UnixEpoch()).ok());
    EXPECT_FALSE(fs::exists(Path(name + ".partial")));
    const auto whole = ReadContent<pb::Surface>(Path(name));
    ASSERT_TRUE(whole.ok()) << whole.status();
    EXPECT_EQ(whole->cells(0).key().blocks(), 132u) << "in canonical order";
    EXPECT_EQ(whole->provenance().finished_utc(), "1970-01-01T00:00:00Z");
  }
}

TEST_F(ResultsTest, ResumeKeepsWhatWasMeasuredAndKnowsIt) {
  {
    auto results = Results::Open(Path("s.binpb"), Empty(), false);
    ASSERT_TRUE(results->Add(CellOf(132)).ok());
  }
  pb::Surface later = Empty();
  later.mutable_provenance()->set_started_utc("2026-08-02T00:00:00Z");
  auto results = Results::Open(Path("s.binpb"), later, true);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(results->Has(CellOf(132).key()));
  EXPECT_FALSE(results->Has(CellOf(264).key()));
  EXPECT_EQ(results->surface().provenance().started_utc(),
            "2026-08-01T00:00:00Z");
  ASSERT_TRUE(results->Add(CellOf(264)).ok());
  EXPECT_THAT(results->Add(CellOf(264)).message(), HasSubstr("once"));
}

TEST_F(ResultsTest, ResumeOfAFinishedFileMeasuresOnlyWhatIsNew) {
  {
    auto results = Results::Open(Path("s.binpb"), Empty(), true);
    ASSERT_TRUE(results.ok()) << "nothing there to resume from is no error";
    ASSERT_TRUE(results->Add(CellOf(132)).ok());
    ASSERT_TRUE(results->Finish(absl::UnixEpoch()).ok());
  }
  auto results = Results::Open(Path("s.binpb"), Empty(), true);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_TRUE(results->Has(CellOf(132).key()));
}

TEST_F(ResultsTest, RefusesToThrowAwayOrToMix) {
  {
    auto results = Results::Open(Path("s.binpb"), Empty(), false);
    ASSERT_TRUE(results->Add(CellOf(132)).ok());
  }
  EXPECT_THAT(OpenError(Empty(), false), HasSubstr("--resume"));
  pb::Surface other = Empty();
  other.mutable_conditions()->set_machine_code("sm_90");
  EXPECT_THAT(OpenError(other, true),
              AllOf(HasSubstr("machine_code"), HasSubstr("sm_90"),
                    HasSubstr("compute_80")));
  other = Empty();
  other.mutable_provenance()->set_seed(8);
  EXPECT_THAT(OpenError(other, true), HasSubstr("seed was 7 and is 8"));
  other = Empty();
  other.mutable_provenance()->set_commit("abc");
  EXPECT_THAT(OpenError(other, true), HasSubstr("commit"));
  other = Empty();
  other.mutable_conditions()->set_sm_clock_mhz(1980 * 0.96);
  EXPECT_THAT(OpenError(other, true), HasSubstr("sm_clock_mhz"));
  other.mutable_conditions()->set_sm_clock_mhz(1980 * 0.98);
  EXPECT_EQ(OpenError(other, true), "") << "clocks are never held exactly";
  other.mutable_conditions()->set_sm_clock_mhz(0);
  EXPECT_EQ(OpenError(other, true), "") << "not measured yet";
}

TEST_F(ResultsTest, ACellThatTheSchemaRefusesIsNotWritten) {
  auto results = Results::Open(Path("s.binpb"), Empty(), false);
  pb::Cell cell = CellOf(132);
  cell.mutable_metrics(0)->set_unit("furlongs");
  EXPECT_THAT(results->Add(cell).message(), HasSubstr("furlongs"));
  EXPECT_FALSE(fs::exists(Path("s.binpb.partial")));
  EXPECT_TRUE(results->Add(CellOf(132)).ok()) << "as if never tried";
}

}  // namespace
}  // namespace tilebound::gpu
