#include "data/schema/merge_files.h"

#include <filesystem>

#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

namespace fs = std::filesystem;
using ::google::protobuf::util::MessageDifferencer;
using ::testing::AllOf;
using ::testing::HasSubstr;

pb::Surface Shard(std::vector<uint32_t> blocks, const std::string& finished) {
  pb::Surface surface;
  surface.set_name("try");
  surface.mutable_provenance()->set_kind(pb::Provenance::PREDICTED);
  surface.mutable_provenance()->set_finished_utc(finished);
  pb::InputFile& part = *surface.mutable_provenance()->add_inputs();
  part.set_name("a10");
  part.set_sha256(std::string(64, 'a'));
  for (uint32_t count : blocks) {
    pb::Cell& cell = *surface.add_cells();
    *cell.mutable_key() = DefaultCellKey();
    cell.mutable_key()->set_part("a10");
    cell.mutable_key()->set_kernel("sgemm64");
    cell.mutable_key()->set_k(64);
    cell.mutable_key()->set_blocks(count);
    Histogram histogram(1'024'000);
    histogram.Add(count, 10);
    *cell.add_metrics() = HistogramMetric(kLatency, histogram);
  }
  return surface;
}

class MergeFilesTest : public ::testing::Test {
 protected:
  MergeFilesTest() : folder_(fs::path(::testing::TempDir()) / "merge_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~MergeFilesTest() override { fs::remove_all(folder_); }

  std::string Put(const std::string& name, const pb::Surface& surface) {
    const std::string path = folder_ / name;
    EXPECT_TRUE(WriteContent(path, surface).ok());
    return path;
  }

  const fs::path folder_;
};

TEST_F(MergeFilesTest, ShardsAreTheWholeSurfaceWithTheirNamesAsInputs) {
  const pb::Surface one = Shard({72, 288}, "2026-01-01T00:00:02Z");
  const pb::Surface two = Shard({144}, "2026-01-01T00:00:03Z");
  const pb::Surface merged =
      *MergeSurfaceFiles({Put("1.binpb", one), Put("2.textproto", two)});

  pb::Surface whole = Shard({72, 144, 288}, "2026-01-01T00:00:03Z");
  for (const auto& [name, shard] :
       {std::pair("1.binpb", &one), std::pair("2.textproto", &two)}) {
    pb::InputFile& input = *whole.mutable_provenance()->add_inputs();
    input.set_name(name);
    input.set_sha256(ContentSha256(MakeFile(*shard)));
  }
  EXPECT_TRUE(MessageDifferencer::Equals(merged, whole))
      << merged.provenance().ShortDebugString();
}

TEST_F(MergeFilesTest, ASingleShardMayBeMerged) {
  EXPECT_EQ(MergeSurfaceFiles({Put("1.binpb", Shard({72}, ""))})->cells_size(),
            1);
}

TEST_F(MergeFilesTest, TheSameContentTwiceIsRefusedWhateverItIsCalled) {
  const std::string binary = Put("1.binpb", Shard({72}, "2026"));
  const std::string text = Put("2.textproto", Shard({72}, "2027"));
  EXPECT_THAT(MergeSurfaceFiles({binary, text}).status().message(),
              HasSubstr(text + ": has the content of " + binary));
}

TEST_F(MergeFilesTest, ErrorsNameTheFiles) {
  pb::Surface other = Shard({144}, "");
  other.mutable_conditions()->set_build("other");
  const std::string one = Put("1.binpb", Shard({72}, ""));
  const std::string two = Put("2.binpb", other);
  EXPECT_THAT(
      MergeSurfaceFiles({one, two}).status().message(),
      AllOf(HasSubstr(two), HasSubstr("conditions.build is \"other\"")));
  EXPECT_THAT(MergeSurfaceFiles({one, "no.binpb"}).status().message(),
              HasSubstr("cannot read no.binpb"));
  EXPECT_THAT(MergeSurfaceFiles({}).status().message(),
              HasSubstr("no shard is given"));
}

}  // namespace
}  // namespace tilebound
