#include "data/schema/merge_files.h"

#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"
#include "data/schema/shard.h"
#include "data/schema/surface.h"

namespace tilebound {
namespace {

// ISO 8601 in UTC sorts as text; "" is unknown.
std::string Earlier(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return std::min(a, b);
}

// A job that failed must not go unseen: shards that say which they are, are all
// wanted.
absl::Status CheckComplete(const std::vector<pb::Surface>& shards) {
  std::set<std::pair<uint32_t, uint32_t>> present;
  for (const pb::Surface& shard : shards) {
    if (shard.provenance().shard().empty()) continue;
    TILEBOUND_ASSIGN_OR_RETURN(const auto place,
                               ParseShard(shard.provenance().shard()));
    present.insert(place);
  }
  if (present.empty()) return absl::OkStatus();
  const uint32_t count = present.begin()->second;
  for (uint32_t index = 0; index < count; ++index) {
    if (present.count({index, count}) == 0) {
      return absl::InvalidArgumentError(absl::StrCat("shard ", index + 1, "/",
                                                     count, " is missing; all ",
                                                     count, " are needed"));
    }
  }
  if (present.size() != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("shards of different splits are given, one of them into ",
                     count, "; shards of one split are accepted"));
  }
  return absl::OkStatus();
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
  std::map<std::string, std::string> hash_of;
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
      const auto [known, fresh_input] =
          hash_of.emplace(input.name(), input.sha256());
      if (fresh_input) {
        inputs.push_back(input);
      } else if (known->second != input.sha256()) {
        return absl::InvalidArgumentError(absl::StrCat(
            path, ": was made from another ", input.name(), " (sha256 ",
            input.sha256(), ") than a shard before it (", known->second,
            "); shards of one prediction are accepted"));
      }
    }
    merged_files.push_back(std::move(file));
    shards.push_back(std::move(shard));
  }
  TILEBOUND_RETURN_IF_ERROR(CheckComplete(shards));
  absl::StatusOr<pb::Surface> merged = MergeSurfaces(shards);
  if (!merged.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot merge ", paths.front(), paths.size() > 1 ? " to " : "",
        paths.size() > 1 ? paths.back() : "", ": ", merged.status().message()));
  }
  pb::Provenance& provenance = *merged->mutable_provenance();
  provenance.clear_inputs();
  provenance.clear_shard();
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
