#include "validate/hypotheses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "data/schema/file.h"
#include "validate/planted.h"

namespace tilebound::validate {
namespace {

// p50 of latency is blocks * period, overhead 2 % in every cell.
std::vector<Input> Measured() { return {AsInput(PlantedSurface({}))}; }

pb::Clause Latency(double q, pb::Clause::Relation relation, double threshold) {
  pb::Clause clause;
  clause.set_metric(kLatency);
  clause.set_q(q);
  clause.set_relation(relation);
  clause.set_threshold(threshold);
  return clause;
}

void Where(pb::Clause& clause, const std::string& axis,
           const std::string& value) {
  pb::AxisFilter* filter = clause.add_where();
  filter->set_axis(axis);
  filter->add_value(value);
}

HypothesisResult DecideOne(pb::Hypotheses& hypotheses,
                           const std::vector<pb::Clause>& clauses,
                           pb::Hypothesis::Combination combination) {
  pb::Hypothesis* hypothesis = hypotheses.add_hypothesis();
  hypothesis->set_combination(combination);
  for (const pb::Clause& clause : clauses) *hypothesis->add_clause() = clause;
  return Decide(hypotheses, Measured())[0];
}

TEST(Decide, EveryCellMustMeetTheThresholdAndTheWorstIsTheEvidence) {
  pb::Hypotheses hypotheses;
  pb::Clause clause = Latency(0.5, pb::Clause::AT_MOST, 8 * 288);
  auto result = DecideOne(hypotheses, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kHolds);
  EXPECT_EQ(result.clauses[0].tested, 24u);
  EXPECT_EQ(result.clauses[0].evidence->value, 8 * 288);
  EXPECT_EQ(result.clauses[0].evidence->key.blocks(), 288u);

  pb::Hypotheses tighter;
  clause.set_threshold(8 * 288 - 0.5);
  result = DecideOne(tighter, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kFails);
  EXPECT_EQ(result.clauses[0].satisfied, 23u);
}

TEST(Decide, SomeCellIsEnoughForSome) {
  pb::Hypotheses hypotheses;
  pb::Clause clause = Latency(0.5, pb::Clause::AT_LEAST, 8 * 288);
  clause.set_quantifier(pb::Clause::SOME);
  const auto result = DecideOne(hypotheses, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kHolds);
  EXPECT_EQ(result.clauses[0].satisfied, 1u);
  EXPECT_EQ(result.clauses[0].evidence->value, 8 * 288);
}

TEST(Decide, WithoutAMatchingCellItIsUntested) {
  pb::Hypotheses hypotheses;
  pb::Clause clause = Latency(0.5, pb::Clause::AT_MOST, 1e9);
  Where(clause, "part", "h200");
  EXPECT_EQ(DecideOne(hypotheses, {clause}, pb::Hypothesis::ALL).outcome,
            Outcome::kUntested);
  pb::Hypotheses quantile;
  EXPECT_EQ(DecideOne(quantile, {Latency(0.75, pb::Clause::AT_MOST, 1e9)},
                      pb::Hypothesis::ALL)
                .outcome,
            Outcome::kUntested);
}

TEST(Decide, OneFailureDecidesAllAndOneSuccessDecidesAny) {
  const pb::Clause holds = Latency(0.5, pb::Clause::ABOVE, 0);
  const pb::Clause fails = Latency(0.5, pb::Clause::BELOW, 0);
  pb::Clause untested = Latency(0.5, pb::Clause::ABOVE, 0);
  Where(untested, "site", "stage");
  const auto outcome = [](const std::vector<pb::Clause>& clauses,
                          pb::Hypothesis::Combination combination) {
    pb::Hypotheses hypotheses;
    return DecideOne(hypotheses, clauses, combination).outcome;
  };
  EXPECT_EQ(outcome({untested, fails}, pb::Hypothesis::ALL), Outcome::kFails);
  EXPECT_EQ(outcome({untested, holds}, pb::Hypothesis::ALL),
            Outcome::kUntested);
  EXPECT_EQ(outcome({untested, holds}, pb::Hypothesis::ANY), Outcome::kHolds);
  EXPECT_EQ(outcome({untested, fails}, pb::Hypothesis::ANY),
            Outcome::kUntested);
  EXPECT_EQ(outcome({fails, fails}, pb::Hypothesis::ANY), Outcome::kFails);
}

TEST(Decide, ARatioDividesByTheCellThatDiffersInOneAxis) {
  pb::Hypotheses hypotheses;
  pb::Clause clause = Latency(0.5, pb::Clause::AT_MOST, 4.5);
  clause.set_scale(pb::Clause::RATIO);
  pb::AxisFilter* other = clause.add_relative_to();
  other->set_axis("blocks");
  other->add_value("16");
  Where(clause, "blocks", "72");
  const auto result = DecideOne(hypotheses, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kHolds);
  EXPECT_EQ(result.clauses[0].tested, 4u);
  EXPECT_DOUBLE_EQ(result.clauses[0].evidence->value, 72.0 / 16);
}

TEST(Decide, ScalesToQuantaAndEvents) {
  pb::Hypotheses quanta;
  pb::Clause clause = Latency(0.5, pb::Clause::AT_MOST, 16 / 1.024);
  clause.set_scale(pb::Clause::QUANTA);
  Where(clause, "blocks", "16");
  Where(clause, "period", "1");
  auto result = DecideOne(quanta, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kHolds);
  EXPECT_DOUBLE_EQ(result.clauses[0].evidence->value, 15.625);

  pb::Hypotheses events;
  clause = Latency(0.99, pb::Clause::AT_LEAST, 10000);
  clause.set_scale(pb::Clause::EVENTS);
  result = DecideOne(events, {clause}, pb::Hypothesis::ALL);
  EXPECT_EQ(result.outcome, Outcome::kHolds);  // 9,900 and 100 of warm-up
}

TEST(Matches, TakesValuesAndRanges) {
  pb::AxisFilter filter;
  filter.set_axis("blocks");
  filter.add_value("16");
  filter.add_value("100:200");
  EXPECT_TRUE(Matches(filter, PlantedKey(16, 1)));
  EXPECT_TRUE(Matches(filter, PlantedKey(200, 1)));
  EXPECT_FALSE(Matches(filter, PlantedKey(17, 1)));
}

TEST(ClauseText, ReadsAsASentence) {
  pb::Clause clause = Latency(0.99, pb::Clause::AT_MOST, 10);
  Where(clause, "part", "a10");
  EXPECT_EQ(ClauseText(clause),
            "latency p99 <= 10 us in every cell with part=a10");
}

// The outcomes that the published study itself reports.
TEST(PublishedHypotheses, ComeOutAsTheStudyReportsThem) {
  const auto hypotheses =
      ReadContent<pb::Hypotheses>("data/hypotheses/study.textproto");
  ASSERT_TRUE(hypotheses.ok()) << hypotheses.status();
  std::vector<Input> measured;
  for (const char* name :
       {"a10_reference", "a10_first_build", "a10_third_build",
        "a10_calibration", "a10_visibility", "a100_visibility",
        "a10_sgemm64_cpasync", "a10_tensor128", "a10_pareto", "a100_sgemm64",
        "a10_oracle"}) {
    Input input;
    auto surface = ReadContent<pb::Surface>(
        absl::StrCat("data/published/", name, ".textproto"));
    ASSERT_TRUE(surface.ok()) << surface.status();
    input.surface = *std::move(surface);
    measured.push_back(std::move(input));
  }
  std::map<std::string, std::string> outcomes;
  for (const HypothesisResult& result : Decide(*hypotheses, measured)) {
    outcomes[result.hypothesis.id()] = OutcomeName(result.outcome);
  }
  const std::map<std::string, std::string> expected = {
      {"N1", "HOLDS"},        {"A-N1", "FAILS"},
      {"A1-floor", "HOLDS"},  {"A1-loaded", "FAILS"},
      {"A2-drain", "HOLDS"},  {"A2-poison", "HOLDS"},
      {"A2-naive", "FAILS"},  {"A3", "FAILS"},
      {"A4-floor", "HOLDS"},  {"A4-stretch", "UNTESTED"},
      {"A4-loaded", "FAILS"}, {"TC-boundary", "FAILS"},
      {"TC-stage", "FAILS"},
  };
  EXPECT_EQ(outcomes, expected);
}

}  // namespace
}  // namespace tilebound::validate
