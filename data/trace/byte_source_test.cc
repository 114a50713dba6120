#include "data/trace/byte_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include "data/io/atomic_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

std::string Path(const std::string& name) {
  return testing::TempDir() + "/" + name;
}

// No two stretches alike.
std::string Sample(size_t size) {
  std::string bytes;
  for (uint32_t i = 0; bytes.size() < size; ++i) bytes += std::to_string(i);
  bytes.resize(size);
  return bytes;
}

TEST(ByteWindow, ShowsOfAFileWhatItShowsOfAString) {
  const std::string bytes = Sample(50'000);
  const std::string path = Path("sample");
  ASSERT_TRUE(WriteFileAtomically(path, bytes).ok());
  absl::StatusOr<ByteSource> file = ByteSource::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->size(), bytes.size());
  const ByteSource memory(bytes);
  ByteWindow of_file(*file), of_memory(memory);
  // Ahead, within what was read, back, over the end, and behind it.
  const std::pair<uint64_t, uint64_t> asked[] = {
      {0, 8},      {0, 128},     {100, 5000},  {5100, 1},      {9000, 20'000},
      {10, 10},    {49'990, 10}, {49'990, 11}, {49'000, 9999}, {50'000, 1},
      {60'000, 5}, {20'000, 0},  {0, 50'000},  {~0ull, ~0ull}, {1, ~0ull},
  };
  for (const auto& [offset, size] : asked) {
    const std::string expected =
        offset < bytes.size() ? bytes.substr(offset, size) : "";
    EXPECT_EQ(of_file.At(offset, size), expected) << offset << ", " << size;
    EXPECT_EQ(of_memory.At(offset, size), expected) << offset << ", " << size;
  }
}

TEST(ByteWindow, EndsWhereAFileWasCutMeanwhile) {
  const std::string path = Path("shrinks");
  ASSERT_TRUE(WriteFileAtomically(path, Sample(20'000)).ok());
  absl::StatusOr<ByteSource> file = ByteSource::Open(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(truncate(path.c_str(), 10'000), 0);
  ByteWindow window(*file);
  EXPECT_EQ(window.At(9'990, 100), Sample(10'000).substr(9'990));
  EXPECT_EQ(window.At(15'000, 100), "");
}

TEST(ByteSource, RefusesWhatIsNoPlainFile) {
  EXPECT_THAT(std::string(ByteSource::Open(Path("none")).status().message()),
              HasSubstr("No such file"));
  EXPECT_THAT(std::string(ByteSource::Open("/dev/null").status().message()),
              HasSubstr("/dev/null: it is not a plain file"));
  EXPECT_THAT(
      std::string(ByteSource::Open(testing::TempDir()).status().message()),
      HasSubstr("not a plain file"));
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(std::string(ByteSource::Open(pipe).status().message()),
              HasSubstr("not a plain file"));
  unlink(pipe.c_str());
}

}  // namespace
}  // namespace tilebound
