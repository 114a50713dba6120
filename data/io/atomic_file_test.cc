#include "data/io/atomic_file.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string Path(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

TEST(AtomicFile, NameAppearsOnlyOnCommit) {
  const std::string path = Path("commit");
  auto file = AtomicFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write("half").ok());
  EXPECT_FALSE(fs::exists(path));
  ASSERT_TRUE(file->Write(" whole").ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(*ReadWholeFile(path), "half whole");
  EXPECT_FALSE(fs::exists(path + ".partial"));
}

TEST(AtomicFile, AbandonedFileLeavesTheOldOneAlone) {
  const std::string path = Path("abandon");
  ASSERT_TRUE(WriteFileAtomically(path, "old").ok());
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write("new").ok());
  }
  EXPECT_EQ(*ReadWholeFile(path), "old");
  EXPECT_FALSE(fs::exists(path + ".partial"));
}

TEST(AtomicFile, KeptPartialStays) {
  const std::string path = Path("kept");
  {
    auto file = AtomicFile::Create(path);
    ASSERT_TRUE(file.ok());
    file->KeepPartial();
    ASSERT_TRUE(file->Write("readable").ok());
  }
  EXPECT_EQ(*ReadWholeFile(path + ".partial"), "readable");
}

TEST(AtomicFile, UnwritableOutputNamesThePath) {
  const std::string path = Path("no_such_folder/out");
  EXPECT_THAT(AtomicFile::Create(path).status().message(), HasSubstr(path));
  EXPECT_FALSE(AtomicFile::Create(::testing::TempDir()).ok());
  EXPECT_FALSE(AtomicFile::Create("").ok());
}

TEST(ReadWholeFile, AFolderIsAnError) {
  EXPECT_FALSE(ReadWholeFile(::testing::TempDir()).ok());
}

}  // namespace
}  // namespace tilebound
