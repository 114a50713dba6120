#include "oracle/generate.h"

#include "data/io/atomic_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracle/check.h"
#include "oracle/report.h"

namespace tilebound::oracle {
namespace {

using ::testing::HasSubstr;

std::string Path(const std::string& name) {
  return testing::TempDir() + "/" + name;
}

CheckReport Check(std::string bytes) {
  absl::StatusOr<TraceReader> reader =
      TraceReader::FromBytes(std::move(bytes), "generated");
  EXPECT_TRUE(reader.ok()) << reader.status();
  return CheckTrace(*reader, {.threads = 1});
}

TEST(GenerateTrace, ARandomConfigurationRaisesNoAlarm) {
  uint64_t executions = 0, observations = 0, abandons = 0, urgent = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const GeneratorConfig config = RandomGeneratorConfig(seed);
    const auto bytes = GenerateTraceBytes(config, seed);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const CheckReport report = Check(*bytes);
    ASSERT_EQ(report.verdict, Verdict::kOk)
        << "seed " << seed << ": " << GeneratorConfigText(config) << "\n"
        << ReportText(report);
    ASSERT_EQ(report.counts.executions, config.tasks);
    ASSERT_EQ(report.counts.events, config.events);
    ASSERT_EQ(report.counts.urgent_tiles, config.events * config.urgent_tiles);
    executions += report.counts.executions;
    observations += report.counts.observations;
    abandons += report.counts.abandons;
    urgent += report.counts.urgent_tiles;
  }
  // The configurations have something in them for every rule to look at.
  EXPECT_GT(executions, 1'000'000u);
  EXPECT_GT(observations, 20'000u);
  EXPECT_GT(abandons, 1'000u);
  EXPECT_GT(urgent, 20'000u);
}

TEST(GenerateTrace, ASeedGivesTheSameBytes) {
  const GeneratorConfig config = RandomGeneratorConfig(5);
  ASSERT_TRUE(GenerateTrace(config, 9, Path("a")).ok());
  ASSERT_TRUE(GenerateTrace(config, 9, Path("b")).ok());
  EXPECT_EQ(*ReadWholeFile(Path("a")), *ReadWholeFile(Path("b")));
  EXPECT_EQ(*ReadWholeFile(Path("a")), *GenerateTraceBytes(config, 9));
  ASSERT_TRUE(GenerateTrace(config, 10, Path("b")).ok());
  EXPECT_NE(*ReadWholeFile(Path("a")), *ReadWholeFile(Path("b")));
}

TEST(GeneratorConfig, TextReadsBack) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = GeneratorConfigText(RandomGeneratorConfig(seed));
    const auto config = ParseGeneratorConfig(text);
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(GeneratorConfigText(*config), text);
  }
}

TEST(GeneratorConfig, RefusesWhatItCannotMake) {
  const auto message = [](absl::string_view text) {
    return std::string(ParseGeneratorConfig(text).status().message());
  };
  EXPECT_THAT(message("arm=sometimes"), HasSubstr("cooperative"));
  EXPECT_THAT(message("perod=2"), HasSubstr("\"perod=2\" is not accepted"));
  EXPECT_THAT(message("period=0"), HasSubstr("period=0; accepted: 1 to 1024"));
  EXPECT_THAT(message("arm=reserved"), HasSubstr("reserve=0"));
  EXPECT_THAT(message("reserve=1"), HasSubstr("accepted in other arms"));
}

}  // namespace
}  // namespace tilebound::oracle
