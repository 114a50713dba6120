#include "data/io/build_info.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

TEST(BuildInfo, VersionIsThreeNumbers) {
  const std::vector<std::string> parts = absl::StrSplit(ToolVersion(), '.');
  ASSERT_EQ(parts.size(), 3u) << ToolVersion();
  for (const std::string& part : parts) {
    EXPECT_FALSE(part.empty()) << ToolVersion();
    EXPECT_TRUE(std::all_of(part.begin(), part.end(), absl::ascii_isdigit))
        << ToolVersion();
  }
}

TEST(BuildInfo, CommitIsAFullHashOrUnknown) {
  const std::string commit = Commit();
  if (commit == "unknown") return;
  const absl::string_view hash = absl::StripSuffix(commit, "-dirty");
  EXPECT_EQ(hash.size(), 40u) << commit;
  EXPECT_TRUE(std::all_of(hash.begin(), hash.end(), absl::ascii_isxdigit))
      << commit;
}

}  // namespace
}  // namespace tilebound
