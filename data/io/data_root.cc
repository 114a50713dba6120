#include "data/io/data_root.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tilebound {

absl::StatusOr<std::string> DataRoot() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<std::string> candidates;
  if (const char* root = std::getenv("TILEBOUND_DATA")) {
    candidates.push_back(root);
  } else {
    if (const char* runfiles = std::getenv("TEST_SRCDIR")) {
      candidates.push_back(absl::StrCat(runfiles, "/tilebound/data"));
    }
    for (fs::path at = fs::current_path(ignored); !at.empty();
         at = at.parent_path()) {
      candidates.push_back((at / "data").string());
      if (at == at.parent_path()) break;
    }
    const fs::path binary = fs::read_symlink("/proc/self/exe", ignored);
    candidates.push_back(
        absl::StrCat(binary.string(), ".runfiles/tilebound/data"));
    candidates.push_back((binary.parent_path() / "data").string());
  }
  for (const std::string& candidate : candidates) {
    if (fs::is_directory(fs::path(candidate) / "gpus", ignored)) {
      return candidate;
    }
  }
  return absl::UnavailableError(
      absl::StrCat("no folder data/ with the catalog found (looked at ",
                   absl::StrJoin(candidates, ", "),
                   "); start in the checkout or set TILEBOUND_DATA"));
}

}  // namespace tilebound
