#include "validate/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "data/io/atomic_file.h"
#include "data/schema/file.h"
#include "validate/planted.h"

namespace tilebound::validate {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class RegistryTest : public ::testing::Test {
 protected:
  RegistryTest() {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = (folder_ / "registry.textproto").string();
  }

  // A prediction on disk, as a command would have read it.
  Input Prediction(const std::string& name, double factor) {
    pb::Surface surface = Scaled(PlantedSurface({}), factor);
    surface.set_name(name);
    Input input = AsInput(surface);
    input.path = (folder_ / (name + ".textproto")).string();
    EXPECT_TRUE(WriteContent(input.path, surface).ok());
    return input;
  }

  static absl::Time At(const std::string& text) {
    absl::Time time;
    EXPECT_TRUE(absl::ParseTime(absl::RFC3339_full, text, &time, nullptr));
    return time;
  }

  fs::path folder_;
  std::string path_;
};

// The planted measurement began at 2026-08-01T12:00:00Z.
TEST_F(RegistryTest, BeforeTheMeasurementIsRegisteredAfterIsPostHoc) {
  const Input early = Prediction("early", 0.9), late = Prediction("late", 1.1);
  ASSERT_TRUE(
      Register(path_, {early}, "", "c1", At("2026-08-01T11:59:59Z")).ok());
  ASSERT_TRUE(
      Register(path_, {late}, "", "c1", At("2026-08-01T12:00:00Z")).ok());
  const auto registry = ReadRegistry(path_);
  ASSERT_TRUE(registry.ok()) << registry.status();
  const pb::Surface measured = PlantedSurface({});
  EXPECT_TRUE(StandingOf(*registry, early, measured).registered);
  const Standing post_hoc = StandingOf(*registry, late, measured);
  EXPECT_FALSE(post_hoc.registered);
  EXPECT_THAT(post_hoc.reason, HasSubstr("not before"));
  EXPECT_THAT(StandingOf(*registry, Prediction("other", 2), measured).reason,
              HasSubstr("not in the registry"));
}

TEST_F(RegistryTest, AMeasurementWithoutAStartIsPostHoc) {
  const Input early = Prediction("early", 0.9);
  ASSERT_TRUE(
      Register(path_, {early}, "", "c1", At("2020-01-01T00:00:00Z")).ok());
  pb::Surface undated = PlantedSurface({});
  undated.mutable_provenance()->clear_started_utc();
  const Standing standing = StandingOf(*ReadRegistry(path_), early, undated);
  EXPECT_FALSE(standing.registered);
  EXPECT_THAT(standing.reason, HasSubstr("does not say when"));
}

TEST_F(RegistryTest, AnEditedPredictionIsAnErrorThatNamesTheEntry) {
  const Input first = Prediction("first", 0.9),
              second = Prediction("second", 1);
  ASSERT_TRUE(
      Register(path_, {first, second}, "", "c1", At("2026-08-01T11:00:00Z"))
          .ok());
  Prediction("second", 1.05);
  const absl::Status status = ReadRegistry(path_).status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("registry entry 2 (second"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("edited since"));
}

TEST_F(RegistryTest, APredictionThatIsGoneIsNoError) {
  const Input first = Prediction("first", 0.9);
  ASSERT_TRUE(
      Register(path_, {first}, "", "c1", At("2026-08-01T11:00:00Z")).ok());
  fs::remove(first.path);
  EXPECT_TRUE(ReadRegistry(path_).ok());
}

TEST_F(RegistryTest, ABrokenChainIsAnErrorThatNamesTheEntry) {
  ASSERT_TRUE(Register(path_, {Prediction("first", 0.9)}, "", "c1",
                       At("2026-08-01T11:00:00Z"))
                  .ok());
  std::string text = *ReadWholeFile(path_);
  const size_t at = text.find("11:00:00");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 2, "10");
  ASSERT_TRUE(WriteFileAtomically(path_, text).ok());
  EXPECT_THAT(std::string(ReadRegistry(path_).status().message()),
              HasSubstr("registry entry 1 (first, 2026-08-01T10:00:00Z): the "
                        "chain is broken"));
}

TEST_F(RegistryTest, TheSameTwiceAndTheSameFileAnewAreRefused) {
  const Input first = Prediction("first", 0.9);
  ASSERT_TRUE(
      Register(path_, {first}, "", "c1", At("2026-08-01T11:00:00Z")).ok());
  const std::string before = *ReadWholeFile(path_);
  EXPECT_THAT(
      std::string(Register(path_, {first}, "", "c1", At("2026-08-01T12:00:00Z"))
                      .message()),
      HasSubstr("registered already"));
  EXPECT_EQ(*ReadWholeFile(path_), before);
}

TEST_F(RegistryTest, NoFileIsAnEmptyRegistry) {
  const auto registry = ReadRegistry(path_);
  ASSERT_TRUE(registry.ok());
  EXPECT_EQ(registry->entry_size(), 0);
}

}  // namespace
}  // namespace tilebound::validate
