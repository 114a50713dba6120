#include "oracle/mutate.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracle/generate.h"
#include "oracle/report.h"

namespace tilebound::oracle {
namespace {

using ::testing::HasSubstr;

constexpr int kSeeds = 200;

// Small enough to load thousands of, rich enough that most faults find a place.
GeneratorConfig ConfigFor(pb::Arm arm, uint64_t seed) {
  SplitMix64 random(seed);
  GeneratorConfig config = RandomGeneratorConfig(seed);
  config.arm = arm;
  if (arm != pb::COOPERATIVE) config.setter = pb::HOST;
  config.reserve = 0;
  if (arm == pb::RESERVED) {
    config.blocks_per_sm = std::max<uint32_t>(2, config.blocks_per_sm);
    config.reserve = 1 + random.Below(config.blocks_per_sm - 1);
  }
  config.tasks = 50 + random.Below(300);
  config.events = 3 + random.Below(4);
  config.urgent_tiles = 1 + random.Below(4);
  return config;
}

bool Shows(const Finding& finding, const Planted& planted) {
  if (planted.task.has_value() && finding.task == planted.task) return true;
  if (planted.event.has_value() && finding.event == planted.event) return true;
  return planted.record.has_value() &&
         std::any_of(finding.records.begin(), finding.records.end(),
                     [&](const Place& place) {
                       return place.stream == *planted.stream &&
                              place.spot.record == *planted.record;
                     });
}

const RuleReport& RuleOf(const CheckReport& report, absl::string_view name) {
  return *std::find_if(
      report.rules.begin(), report.rules.end(),
      [&](const RuleReport& rule) { return rule.name == name; });
}

void PlantAndCheck(const MutationKind& kind, const TraceReader& reader,
                   const MutatedTrace& mutated, const std::string& about) {
  auto broken = TraceReader::FromBytes(mutated.bytes, "mutated");
  ASSERT_TRUE(broken.ok()) << broken.status();
  const CheckReport report = CheckTrace(*broken, {.threads = 1});
  // Called only if something is wrong: a report costs more than a check.
  const auto context = [&] {
    return absl::StrCat(about, ": ", mutated.planted.what, "\n",
                        reader.header().provenance(), "\n", ReportText(report));
  };
  ASSERT_EQ(VerdictName(report.verdict), VerdictName(kind.verdict))
      << context();
  ASSERT_EQ(report.FirstRule(), kind.rule) << context();
  if (kind.verdict != Verdict::kViolation) return;
  const RuleReport& rule = RuleOf(report, kind.rule);
  ASSERT_TRUE(std::any_of(
      rule.findings.begin(), rule.findings.end(),
      [&](const Finding& finding) { return Shows(finding, mutated.planted); }))
      << "no witness shows what was planted\n"
      << context();
}

// Every kind of fault is planted in the same traces, so each is made once.
const TraceReader& ValidTrace(pb::Arm arm, uint64_t seed) {
  static auto* traces = new std::map<std::pair<pb::Arm, uint64_t>, TraceReader>;
  const std::pair key(arm, seed);
  auto at = traces->find(key);
  if (at == traces->end()) {
    auto bytes = GenerateTraceBytes(ConfigFor(arm, seed), seed);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    auto reader = TraceReader::FromBytes(*std::move(bytes), "valid");
    EXPECT_TRUE(reader.ok()) << reader.status();
    at = traces->emplace(key, *std::move(reader)).first;
  }
  return at->second;
}

class EveryMutation : public testing::TestWithParam<MutationKind> {};

TEST_P(EveryMutation, IsCaughtByItsRuleWithTheRecordAsWitness) {
  const MutationKind& kind = GetParam();
  for (const pb::Arm arm : {pb::NONE, pb::COOPERATIVE, pb::RESERVED}) {
    if (((kind.arms >> arm) & 1) == 0) continue;
    int planted = 0;
    for (uint64_t seed = 0; planted < kSeeds; ++seed) {
      ASSERT_LT(seed, 60u * kSeeds) << "hardly any trace has a place for it";
      const TraceReader& reader = ValidTrace(arm, seed);
      const auto mutated = MutateTrace(reader, kind.name, seed);
      if (absl::IsFailedPrecondition(mutated.status())) continue;
      ASSERT_TRUE(mutated.ok()) << mutated.status();
      ++planted;
      PlantAndCheck(kind, reader, *mutated,
                    absl::StrCat(kind.name, " seed ", seed));
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryMutation,
                         testing::ValuesIn(MutationKinds()),
                         [](const auto& info) { return info.param.name; });

TEST(MutationKinds, AreManyAndHaveNamesOfTheirOwn) {
  std::vector<std::string> names;
  for (const MutationKind& kind : MutationKinds()) names.push_back(kind.name);
  EXPECT_GE(names.size(), 25u);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(MutateTrace, SaysWhatItCannotPlant) {
  GeneratorConfig config;
  config.events = 0;
  auto bytes = GenerateTraceBytes(config, 1);
  auto reader = TraceReader::FromBytes(*bytes, "plain.tbtrace");
  const auto message = [&](absl::string_view kind) {
    return std::string(MutateTrace(*reader, kind, 1).status().message());
  };
  EXPECT_THAT(message("task_twise"), HasSubstr("did you mean task_twice?"));
  EXPECT_THAT(message("set_twice"), HasSubstr("needed is a set"));
  EXPECT_THAT(message("observe_in_wrong_arm"),
              HasSubstr("cannot be planted in the arm cooperative"));
}

}  // namespace
}  // namespace tilebound::oracle
