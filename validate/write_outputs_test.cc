#include "validate/write_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "data/io/atomic_file.h"

namespace tilebound::validate {
namespace {

namespace fs = std::filesystem;

fs::path Scratch(const std::string& name) {
  const fs::path path = fs::path(::testing::TempDir()) / name;
  fs::remove_all(path);
  return path;
}

TEST(WriteOutputs, MakesTheFolderAndEveryFile) {
  const fs::path folder = Scratch("made") / "deep";
  ASSERT_TRUE(WriteOutputs(folder.string(), {{"a", "1"}, {"b", "2"}}).ok());
  EXPECT_EQ(*ReadWholeFile((folder / "b").string()), "2");
  EXPECT_FALSE(fs::exists(folder / "a.partial"));
}

TEST(WriteOutputs, LeavesNothingWhenOneFileCannotBeWritten) {
  const fs::path folder = Scratch("blocked");
  fs::create_directories(folder / "b");  // a folder where a file should go
  const absl::Status status =
      WriteOutputs(folder.string(), {{"a", "1"}, {"b", "2"}});
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("b"));
  EXPECT_FALSE(fs::exists(folder / "a"));
  EXPECT_FALSE(fs::exists(folder / "a.partial"));
}

TEST(WriteOutputs, NamesAFolderThatCannotBe) {
  const fs::path file = Scratch("file");
  std::ofstream(file) << "x";
  const absl::Status status = WriteOutputs((file / "sub").string(), {});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("sub"));
}

}  // namespace
}  // namespace tilebound::validate
