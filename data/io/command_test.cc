#include "data/io/command.h"

#include <cstdint>

#include "absl/flags/flag.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, test_word, "", "A word.");
ABSL_FLAG(uint32_t, test_count, 1, "A count.");
ABSL_FLAG(bool, test_switch, false, "A switch.");
ABSL_FLAG(bool, not_ours, false, "A flag of another command.");

namespace tilebound {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CommandSpec Spec(bool takes_files) {
  return {.name = "try",
          .summary = "Tries.",
          .usage = "try [flags]",
          .flags = {"test_word", "test_count", "test_switch"},
          .takes_files = takes_files};
}

TEST(ParseFlags, TakesBothFormsAndLeavesFilesInOrder) {
  auto files = ParseFlags(Spec(true), {"a", "--test_word=x=y", "--test_count",
                                       "7", "--test_switch", "b"});
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(*files, ElementsAre("a", "b"));
  EXPECT_EQ(absl::GetFlag(FLAGS_test_word), "x=y");
  EXPECT_EQ(absl::GetFlag(FLAGS_test_count), 7u);
  EXPECT_TRUE(absl::GetFlag(FLAGS_test_switch));
  ASSERT_TRUE(ParseFlags(Spec(true), {"--notest_switch"}).ok());
  EXPECT_FALSE(absl::GetFlag(FLAGS_test_switch));
}

TEST(ParseFlags, JoinsWhatARepeatableFlagWasGiven) {
  CommandSpec spec = Spec(false);
  spec.repeatable = {"test_word"};
  ASSERT_TRUE(ParseFlags(spec, {"--test_word=a", "--test_word", "b,c"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_test_word), "a,b,c");
  ASSERT_TRUE(ParseFlags(Spec(false), {"--test_word=a", "--test_word=b"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_test_word), "b");
}

TEST(ParseFlags, NamesTheNearestFlag) {
  EXPECT_THAT(ParseFlags(Spec(false), {"--test_wrod=x"}).status().message(),
              HasSubstr("unknown flag --test_wrod (did you mean test_word?)"));
}

TEST(ParseFlags, RefusesAFlagOfAnotherCommand) {
  EXPECT_FALSE(ParseFlags(Spec(false), {"--not_ours"}).ok());
}

TEST(ParseFlags, SaysWhichValueIsWrong) {
  EXPECT_THAT(ParseFlags(Spec(false), {"--test_count=-1"}).status().message(),
              HasSubstr("--test_count=-1"));
  EXPECT_THAT(ParseFlags(Spec(false), {"--test_word"}).status().message(),
              HasSubstr("needs a value"));
  EXPECT_THAT(ParseFlags(Spec(false), {"stray"}).status().message(),
              HasSubstr("\"stray\""));
}

TEST(ParseFlags, DoubleDashEndsTheFlags) {
  EXPECT_THAT(*ParseFlags(Spec(true), {"--", "--test_word"}),
              ElementsAre("--test_word"));
}

TEST(RunCommand, MapsStatusToExitStatus) {
  const auto run = [](absl::StatusOr<ExitCode> result) {
    char name[] = "try";
    char* argv[] = {name, nullptr};
    return RunCommand(Spec(false), 1, argv,
                      [&](const std::vector<std::string>&) { return result; });
  };
  EXPECT_EQ(run(ExitCode::kOk), 0);
  EXPECT_EQ(run(ExitCode::kWrong), 1);
  EXPECT_EQ(run(absl::InvalidArgumentError("x")), 2);
  EXPECT_EQ(run(absl::UnavailableError("x")), 3);
  EXPECT_EQ(run(ExitCode::kCannotTell), 4);
}

TEST(RunCommand, HelpExitsWithZeroAndDoesNotRun) {
  char name[] = "try", help[] = "--help";
  char* argv[] = {name, help, nullptr};
  EXPECT_EQ(RunCommand(Spec(false), 2, argv,
                       [](const std::vector<std::string>&) {
                         return absl::InternalError("ran");
                       }),
            0);
}

TEST(HelpText, ShowsEveryFlagWithItsDefault) {
  const std::string help = HelpText(Spec(false));
  EXPECT_THAT(help, HasSubstr("--test_count=1"));
  EXPECT_THAT(help, HasSubstr("A word."));
}

}  // namespace
}  // namespace tilebound
