#include "data/schema/merge_files.h"

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"
#include "data/schema/surface.h"

namespace tilebound {
namespace {

// ISO 8601 in UTC sorts as text; "" is unknown.
std::string Earlier(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return std::min(a, b);
}

}  // namespace

absl::StatusOr<pb::Surface> MergeSurfaceFiles(
    const std::vector<std::string>& paths) {
  if (paths.empty()) {
    return absl::InvalidArgumentError(
        "no shard is given; one or more surface files are needed");
  }
  std::vector<pb::Surface> shards;
  std::map<std::string, std::string> path_of;
  std::vector<pb::InputFile> inputs, merged_files;
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& path : paths) {
    TILEBOUND_ASSIGN_OR_RETURN(pb::Surface shard,
                               ReadContent<pb::Surface>(path));
    pb::InputFile file;
    file.set_name(std::filesystem::path(path).filename().string());
    file.set_sha256(ContentSha256(MakeFile(shard)));
    const auto [at, fresh] = path_of.emplace(file.sha256(), path);
    if (!fresh) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": has the content of ", at->second,
          "; each shard is accepted once, or its events would count twice"));
    }
    for (const pb::InputFile& input : shard.provenance().inputs()) {
      if (seen.emplace(input.name(), input.sha256()).second) {
        inputs.push_back(input);
      }
    }
    merged_files.push_back(std::move(file));
    shards.push_back(std::move(shard));
  }
  absl::StatusOr<pb::Surface> merged = MergeSurfaces(shards);
  if (!merged.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot merge ", paths.front(), paths.size() > 1 ? " to " : "",
        paths.size() > 1 ? paths.back() : "", ": ", merged.status().message()));
  }
  pb::Provenance& provenance = *merged->mutable_provenance();
  provenance.clear_inputs();
  for (const pb::InputFile& input : inputs) *provenance.add_inputs() = input;
  for (const pb::InputFile& file : merged_files) {
    *provenance.add_inputs() = file;
  }
  for (const pb::Surface& shard : shards) {
    provenance.set_started_utc(
        Earlier(provenance.started_utc(), shard.provenance().started_utc()));
    provenance.set_finished_utc(
        std::max(provenance.finished_utc(), shard.provenance().finished_utc()));
  }
  return merged;
}

}  // namespace tilebound
