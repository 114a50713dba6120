#include "validate/baseline_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/io/atomic_file.h"
#include "validate/planted.h"
#include "validate/render_json.h"

namespace tilebound::validate {
namespace {

using ::testing::HasSubstr;

PlantedOptions Far() {
  PlantedOptions options;
  options.blocks = {100, 200};
  options.period = {1};
  return options;
}

Findings WithFactor(double factor) {
  ReportInputs inputs;
  inputs.predicted = {AsInput(Scaled(PlantedSurface(Far()), factor))};
  inputs.measured = {AsInput(PlantedSurface(Far()))};
  inputs.tolerances.set_confidence(0.95);
  inputs.tolerances.add_tolerance()->set_relative(0.05);
  return Find(std::move(inputs));
}

std::string Save(const std::string& name, const std::string& bytes) {
  const std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_TRUE(WriteFileAtomically(path, bytes).ok());
  return path;
}

EarlierReport Earlier(double factor) {
  auto earlier =
      ReadEarlierReport(Save("earlier.json", RenderJson(WithFactor(factor))));
  EXPECT_TRUE(earlier.ok()) << earlier.status();
  return *std::move(earlier);
}

TEST(DiffAgainst, TellsBetterFromWorse) {
  const BaselineDiff better = DiffAgainst(Earlier(0.9), WithFactor(1.02));
  EXPECT_EQ(better.better.size(), 4u);
  EXPECT_TRUE(better.worse.empty());
  // 250 us: 10 % off before, 2 % now.
  EXPECT_NEAR(better.better[0].change, 250 * (0.02 - 0.10), 1e-9);
  EXPECT_EQ(better.better[0].before.verdict, "OPTIMISTIC");
  EXPECT_EQ(better.unchanged, 2u);  // the two overheads

  const BaselineDiff worse = DiffAgainst(Earlier(1.02), WithFactor(0.9));
  EXPECT_EQ(worse.worse.size(), 4u);
  EXPECT_TRUE(worse.better.empty());
}

TEST(DiffAgainst, AChangeWithinOneQuantumIsNoise) {
  // 0.4 % of 250 us is one microsecond, under a quantum of 1.024 us.
  const BaselineDiff diff = DiffAgainst(Earlier(1), WithFactor(1.004));
  EXPECT_TRUE(diff.worse.empty());
  EXPECT_EQ(diff.unchanged, 6u);
}

TEST(DiffAgainst, CountsFiguresThatOnlyOneReportHas) {
  EarlierReport earlier = Earlier(1);
  earlier.figures.erase(earlier.figures.begin());
  earlier.figures["elsewhere"] = {1, 1, "AGREES"};
  earlier.figures["elsewhere too"] = {1, 1, "AGREES"};
  const BaselineDiff diff = DiffAgainst(earlier, WithFactor(1));
  EXPECT_EQ(diff.added, 1u);
  EXPECT_EQ(diff.gone, 2u);
}

TEST(ReadEarlierReport, RefusesWhatIsNoReport) {
  const auto error = [](const std::string& bytes) {
    return std::string(
        ReadEarlierReport(Save("bad.json", bytes)).status().message());
  };
  EXPECT_THAT(error("{\"a\": "), HasSubstr("not a report"));
  EXPECT_THAT(error("[]"), HasSubstr("not a report"));
  EXPECT_THAT(error("{\"schema\": \"tilebound.report\", \"schema_major\": 2}"),
              HasSubstr("newer"));
  EXPECT_THAT(error("{\"schema\": \"tilebound.report\", \"schema_major\": 1}"),
              HasSubstr("cells"));
  EXPECT_FALSE(ReadEarlierReport("/nowhere/report.json").ok());
}

}  // namespace
}  // namespace tilebound::validate
