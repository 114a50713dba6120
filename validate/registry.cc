#include "validate/registry.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"
#include "data/schema/registry.h"

namespace tilebound::validate {
namespace {

namespace fs = std::filesystem;

// Relative to the registry's folder, so that a checkout can move.
std::string PathFromRegistry(const std::string& registry,
                             const std::string& file) {
  std::error_code error;
  const fs::path folder = fs::absolute(registry, error).parent_path();
  const fs::path relative = fs::relative(file, folder, error);
  return error || relative.empty() ? file : relative.generic_string();
}

std::string EntryName(int index, const pb::RegistryEntry& entry) {
  return absl::StrCat("registry entry ", index + 1, " (",
                      entry.prediction_name(), ", ", entry.time_utc(), ")");
}

absl::Status CheckFileOf(const std::string& path, int index,
                         const pb::RegistryEntry& entry) {
  if (entry.prediction_path().empty()) return absl::OkStatus();
  const fs::path file = fs::path(path).parent_path() / entry.prediction_path();
  std::error_code error;
  if (!fs::exists(file, error)) return absl::OkStatus();
  const auto content = ReadFile(file.lexically_normal().string());
  if (!content.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", EntryName(index, entry),
                     " registered a file that can no longer be read: ",
                     content.status().message()));
  }
  if (ContentSha256(*content) == entry.prediction_sha256()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": ", EntryName(index, entry), " registered ",
      file.lexically_normal().string(),
      ", which was edited since; restore it, or give the new prediction a file "
      "of its own"));
}

}  // namespace

absl::StatusOr<pb::Registry> ReadRegistry(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return pb::Registry();
  TILEBOUND_ASSIGN_OR_RETURN(pb::Registry registry,
                             ReadContent<pb::Registry>(path));
  for (int i = 0; i < registry.entry_size(); ++i) {
    TILEBOUND_RETURN_IF_ERROR(CheckFileOf(path, i, registry.entry(i)));
  }
  return registry;
}

absl::Status Register(const std::string& path,
                      const std::vector<Input>& predicted,
                      const std::string& hypotheses_sha256,
                      const std::string& commit, absl::Time now) {
  TILEBOUND_ASSIGN_OR_RETURN(pb::Registry registry, ReadRegistry(path));
  for (const Input& input : predicted) {
    const std::string file = PathFromRegistry(path, input.path);
    for (int i = 0; i < registry.entry_size(); ++i) {
      const pb::RegistryEntry& entry = registry.entry(i);
      if (entry.prediction_sha256() == input.sha256 &&
          entry.hypotheses_sha256() == hypotheses_sha256) {
        return absl::InvalidArgumentError(
            absl::StrCat(input.path, ": registered already by ",
                         EntryName(i, entry), "; nothing was added"));
      }
      if (entry.prediction_path() == file &&
          entry.prediction_sha256() != input.sha256) {
        return absl::InvalidArgumentError(absl::StrCat(
            input.path, ": ", EntryName(i, entry),
            " registered this file with another content; a file of its own is "
            "accepted"));
      }
    }
    const std::string previous =
        registry.entry().empty()
            ? ""
            : registry.entry(registry.entry_size() - 1).chain_sha256();
    pb::RegistryEntry* entry = registry.add_entry();
    entry->set_time_utc(
        absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", now, absl::UTCTimeZone()));
    entry->set_prediction_sha256(input.sha256);
    entry->set_prediction_name(input.surface.name());
    entry->set_prediction_path(file);
    entry->set_hypotheses_sha256(hypotheses_sha256);
    entry->set_commit(commit);
    entry->set_chain_sha256(ChainSha256(previous, *entry));
  }
  return WriteContent(path, registry);
}

Standing StandingOf(const pb::Registry& registry, const Input& predicted,
                    const pb::Surface& measured) {
  const std::string& started = measured.provenance().started_utc();
  absl::Time start;
  const bool dated =
      absl::ParseTime(absl::RFC3339_full, started, &start, nullptr);
  Standing standing = {false, "the prediction is not in the registry"};
  for (int i = 0; i < registry.entry_size(); ++i) {
    const pb::RegistryEntry& entry = registry.entry(i);
    if (entry.prediction_sha256() != predicted.sha256) continue;
    absl::Time time;
    if (!absl::ParseTime(absl::RFC3339_full, entry.time_utc(), &time,
                         nullptr)) {
      continue;
    }
    if (!dated) {
      standing.reason =
          absl::StrCat("entry ", i + 1,
                       " registered it, but the measurement does not say "
                       "when it began");
      continue;
    }
    if (time < start) {
      return {true, absl::StrCat("entry ", i + 1, ", ", entry.time_utc(),
                                 ", before ", started)};
    }
    standing.reason =
        absl::StrCat("entry ", i + 1, " registered it at ", entry.time_utc(),
                     ", not before the measurement began at ", started);
  }
  return standing;
}

}  // namespace tilebound::validate
