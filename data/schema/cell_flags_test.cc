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

}  // namespace
}  // namespace tilebound
