#include "data/schema/experiment.h"

#include "data/schema/cell_key.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 72 SMs with four blocks each.
NameResolvers Resolvers() {
  const auto same = [](const std::string& name) -> absl::StatusOr<std::string> {
    return name;
  };
  return {.part = same,
          .kernel = same,
          .blocks = [](const std::string&, const std::string&,
                       absl::string_view word) -> absl::StatusOr<uint32_t> {
            return word == "saturation" ? 288 : 72;
          }};
}

pb::Experiment Example() {
  pb::Experiment experiment;
  experiment.add_part("a10");
  experiment.add_kernel("sgemm64");
  experiment.add_k("64");
  experiment.add_blocks("288");
  return experiment;
}

std::string Error(const pb::Experiment& experiment) {
  return std::string(
      ExpandExperiment(experiment, Resolvers()).status().message());
}

std::vector<uint32_t> Blocks(const pb::Experiment& experiment) {
  std::vector<uint32_t> blocks;
  for (const auto& key : *ExpandExperiment(experiment, Resolvers())) {
    blocks.push_back(key.blocks());
  }
  return blocks;
}

TEST(ExpandRange, IncludesBothEnds) {
  EXPECT_THAT(*ExpandRange("k", "16"), ElementsAre(16));
  EXPECT_THAT(*ExpandRange("k", "3:6"), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(*ExpandRange("k", "16:64:16"), ElementsAre(16, 32, 48, 64));
  EXPECT_THAT(*ExpandRange("k", "5:5"), ElementsAre(5));
}

TEST(ExpandRange, StopsBeforeAnEndThatTheStepSkips) {
  EXPECT_THAT(*ExpandRange("k", "1:10:4"), ElementsAre(1, 5, 9));
}

TEST(ExpandRange, DoesNotWrapAtTheLargestNumber) {
  EXPECT_THAT(*ExpandRange("k", "4294967290:4294967295:4"),
              ElementsAre(4294967290u, 4294967294u));
}

TEST(ExpandRange, SaysWhatIsWrongAndWhatIsAccepted) {
  const auto error = [](const char* entry) {
    return std::string(ExpandRange("blocks", entry).status().message());
  };
  EXPECT_EQ(error("288:16"),
            "blocks=288:16: the range is reversed; accepted are whole numbers, "
            "FIRST:LAST and FIRST:LAST:STEP");
  EXPECT_THAT(error("16:288:0"), HasSubstr("a step of 0 never ends"));
  EXPECT_THAT(error("0:1000000"), HasSubstr("over a million values"));
  EXPECT_THAT(error("1:2:3:4"), HasSubstr("too many ':'"));
  EXPECT_THAT(error(""), HasSubstr("\"\" is not a whole number"));
  EXPECT_THAT(error("16:"), HasSubstr("\"\" is not a whole number"));
  EXPECT_THAT(error("-1"), HasSubstr("\"-1\" is not a whole number"));
  EXPECT_THAT(error("1.5"), HasSubstr("\"1.5\" is not a whole number"));
  EXPECT_THAT(error("4294967296"), HasSubstr("up to 4294967295"));
  EXPECT_EQ(ExpandRange("blocks", "1:1000000")->size(), 1'000'000u);
}

TEST(ExpandExperiment, FillsInTheDefaultsOfAKey) {
  pb::CellKey expected = DefaultCellKey();
  expected.set_part("a10");
  expected.set_kernel("sgemm64");
  expected.set_k(64);
  expected.set_blocks(288);
  const auto keys = *ExpandExperiment(Example(), Resolvers());
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(CanonicalText(keys[0]), CanonicalText(expected));
}

TEST(ExpandExperiment, RunsBlocksAndPeriodFastest) {
  pb::Experiment experiment = Example();
  experiment.add_k("128");
  experiment.set_blocks(0, "72:144:72");
  experiment.add_period("1");
  experiment.add_period("4");
  std::vector<std::string> cells;
  const auto keys = *ExpandExperiment(experiment, Resolvers());
  for (const auto& key : keys) {
    cells.push_back(std::to_string(key.k()) + "/" +
                    std::to_string(key.blocks()) + "/" +
                    std::to_string(key.period()));
  }
  EXPECT_THAT(cells,
              ElementsAre("64/72/1", "64/72/4", "64/144/1", "64/144/4",
                          "128/72/1", "128/72/4", "128/144/1", "128/144/4"));
  EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end(), CellKeyLess));
}

TEST(ExpandExperiment, GivesWordsTheirMeaningAndDropsDuplicates) {
  pb::Experiment experiment = Example();
  experiment.add_blocks("1persm");
  experiment.add_blocks("saturation");
  experiment.add_blocks("72");
  EXPECT_THAT(Blocks(experiment), ElementsAre(288, 72));
}

TEST(ExpandExperiment, PassesOnWhatTheResolversRefuse) {
  NameResolvers resolvers = Resolvers();
  resolvers.part = [](const std::string& name) -> absl::StatusOr<std::string> {
    return absl::NotFoundError("unknown part \"" + name + "\"");
  };
  EXPECT_EQ(ExpandExperiment(Example(), resolvers).status().message(),
            "unknown part \"a10\"");
}

TEST(ExpandExperiment, NamesTheAxisThatIsMissingOrEmpty) {
  pb::Experiment experiment = Example();
  experiment.clear_part();
  EXPECT_EQ(Error(experiment), "part is not given and has no default");
  experiment = Example();
  experiment.clear_k();
  EXPECT_EQ(Error(experiment), "k is not given and has no default");
  experiment = Example();
  experiment.clear_blocks();
  EXPECT_EQ(Error(experiment), "blocks is not given and has no default");
  experiment = Example();
  experiment.add_site("");
  EXPECT_THAT(Error(experiment), HasSubstr("site has an empty entry"));
}

TEST(ExpandExperiment, RefusesWordsAndNumbersThatNoKeyHas) {
  pb::Experiment experiment = Example();
  experiment.add_blocks("saturated");
  EXPECT_THAT(
      Error(experiment),
      HasSubstr("blocks=saturated: \"saturated\" is not a whole number"));
  EXPECT_THAT(Error(experiment), HasSubstr("the words saturation and 1persm"));
  experiment = Example();
  experiment.add_site("stages");
  EXPECT_THAT(Error(experiment), HasSubstr("did you mean stage?"));
  experiment = Example();
  experiment.add_arrivals("uniform:-1:5");
  EXPECT_THAT(Error(experiment), HasSubstr("\"-1\" is not a time"));
}

TEST(ExpandExperiment, ValidatesEveryKey) {
  pb::Experiment experiment = Example();
  experiment.add_period("0");
  EXPECT_THAT(Error(experiment), HasSubstr("key.period is 0"));
  experiment = Example();
  experiment.set_blocks(0, "0");
  EXPECT_THAT(Error(experiment), HasSubstr("key.blocks is 0"));
  experiment = Example();
  experiment.add_reserve("4");
  EXPECT_THAT(Error(experiment), HasSubstr("key.reserve is 4 with arm coop"));
}

TEST(ExpandExperiment, RefusesAProductOfOverAMillionCells) {
  pb::Experiment experiment = Example();
  experiment.set_blocks(0, "1:1000");
  experiment.add_period("1:1001");
  EXPECT_THAT(Error(experiment), HasSubstr("over 1000000 cells"));
}

}  // namespace
}  // namespace tilebound
