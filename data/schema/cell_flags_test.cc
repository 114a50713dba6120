#include "data/schema/cell_flags.h"

#include <filesystem>

#include "absl/flags/reflection.h"
#include "data/io/command.h"
#include "data/schema/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What ExperimentFromFlags makes of these arguments.
absl::StatusOr<pb::Experiment> From(const std::vector<std::string>& arguments) {
  const absl::FlagSaver saver;
  const auto files = ParseFlags(
      {.name = "try", .summary = "", .usage = "", .flags = CellFlagNames()},
      arguments);
  if (!files.ok()) return files.status();
  return ExperimentFromFlags();
}

std::string WriteExperiment() {
  pb::Experiment experiment;
  experiment.add_k("64");
  experiment.add_blocks("16:288:16");
  experiment.set_events(500);
  const std::string path = ::testing::TempDir() + "/cell_flags.textproto";
  EXPECT_TRUE(WriteContent(path, experiment).ok());
  return path;
}

TEST(CellFlagNames, AreAllDefined) {
  for (const std::string& name : CellFlagNames()) {
    EXPECT_NE(absl::FindCommandLineFlag(name), nullptr) << name;
  }
}

TEST(CellFlagNames, CoverEveryAxisOfAnExperiment) {
  const std::vector<std::string> names = CellFlagNames();
  const auto* type = pb::Experiment::descriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    if (!type->field(i)->is_repeated()) continue;
    EXPECT_THAT(names, ::testing::Contains(type->field(i)->name()));
    // A flag reaches the axis of its own name.
    const pb::Experiment experiment =
        *From({"--" + type->field(i)->name() + "=x,y"});
    ASSERT_EQ(experiment.GetReflection()->FieldSize(experiment, type->field(i)),
              2)
        << type->field(i)->name();
    EXPECT_EQ(experiment.GetReflection()->GetRepeatedString(experiment,
                                                            type->field(i), 1),
              "y");
  }
}

TEST(ExperimentFromFlags, WithoutFlagsIsEmpty) {
  EXPECT_EQ(From({})->ByteSizeLong(), 0u);
}

TEST(ExperimentFromFlags, PutsFlagsOverTheFile) {
  const pb::Experiment experiment =
      *From({"--experiment=" + WriteExperiment(), "--k=128,256"});
  EXPECT_THAT(experiment.k(), ElementsAre("128", "256"));
  EXPECT_THAT(experiment.blocks(), ElementsAre("16:288:16"));
  EXPECT_EQ(experiment.events(), 500u);
}

TEST(ExperimentFromFlags, RefusesAnEmptyAxis) {
  EXPECT_EQ(From({"--k="}).status().message(),
            "--k= has an empty entry; a comma list of values is needed");
  EXPECT_THAT(From({"--site=stage,"}).status().message(),
              HasSubstr("--site=stage, has an empty entry"));
}

TEST(ExperimentFromFlags, RefusesAFileOfAnotherKind) {
  pb::Surface surface;
  surface.mutable_provenance()->set_kind(pb::Provenance::PREDICTED);
  const std::string path = ::testing::TempDir() + "/surface.binpb";
  ASSERT_TRUE(WriteContent(path, surface).ok());
  EXPECT_THAT(From({"--experiment=" + path}).status().message(),
              HasSubstr("its content is surface; accepted here is experiment"));
}

TEST(ParseShard, CountsFromOne) {
  EXPECT_EQ(*ParseShard("2/3"), (std::pair<uint32_t, uint32_t>{1, 3}));
  EXPECT_EQ(*ParseShard(""), (std::pair<uint32_t, uint32_t>{0, 1}));
}

TEST(ParseShard, SaysWhatIsAccepted) {
  for (const char* text :
       {"0/3", "4/3", "1", "1/", "/3", "a/b", "-1/3", "1/0", "1/2/3"}) {
    EXPECT_EQ(
        ParseShard(text).status().message(),
        std::string("--shard=") + text + ": accepted is I/N with 1 <= I <= N");
  }
}

TEST(ShardOf, DealsEveryKeyToExactlyOneShard) {
  std::vector<pb::CellKey> keys(10);
  for (uint32_t i = 0; i < 10; ++i) keys[i].set_blocks(i);
  std::vector<uint32_t> seen;
  for (uint32_t shard = 0; shard < 3; ++shard) {
    const auto mine = ShardOf(keys, {shard, 3});
    EXPECT_GE(mine.size(), 3u);
    EXPECT_LE(mine.size(), 4u);
    for (const auto& key : mine) seen.push_back(key.blocks());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_TRUE(ShardOf({}, {0, 1}).empty());
}

}  // namespace
}  // namespace tilebound
