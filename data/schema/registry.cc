#include "data/schema/registry.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "data/schema/sha256.h"

namespace tilebound {
namespace {

bool IsSha256(absl::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == absl::string_view::npos;
}

absl::Status Wrong(int index, const pb::RegistryEntry& entry,
                   absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("registry entry ", index + 1, " (", entry.prediction_name(),
                   ", ", entry.time_utc(), "): ", what));
}

}  // namespace

std::string ChainSha256(absl::string_view previous,
                        const pb::RegistryEntry& entry) {
  return Sha256Hex(
      absl::StrCat("tilebound registry 1\n", previous, "\n", entry.time_utc(),
                   "\n", entry.prediction_sha256(), "\n",
                   entry.prediction_name(), "\n", entry.prediction_path(), "\n",
                   entry.hypotheses_sha256(), "\n", entry.commit(), "\n"));
}

absl::Status ValidateRegistry(const pb::Registry& registry) {
  std::string previous;
  absl::Time previous_time = absl::InfinitePast();
  for (int i = 0; i < registry.entry_size(); ++i) {
    const pb::RegistryEntry& entry = registry.entry(i);
    for (const std::string* field :
         {&entry.time_utc(), &entry.prediction_name(), &entry.prediction_path(),
          &entry.commit()}) {
      if (field->find('\n') != std::string::npos) {
        return Wrong(i, entry, "a field holds a line break");
      }
    }
    absl::Time time;
    if (!absl::ParseTime(absl::RFC3339_full, entry.time_utc(), &time,
                         nullptr)) {
      return Wrong(i, entry,
                   "time_utc is no time; 2026-08-14T09:30:00Z is accepted");
    }
    if (time < previous_time) {
      return Wrong(i, entry, "time_utc is before that of the entry above");
    }
    if (!IsSha256(entry.prediction_sha256())) {
      return Wrong(i, entry,
                   "prediction_sha256 is not 64 lower-case hex digits");
    }
    if (!entry.hypotheses_sha256().empty() &&
        !IsSha256(entry.hypotheses_sha256())) {
      return Wrong(i, entry,
                   "hypotheses_sha256 is not 64 lower-case hex digits");
    }
    if (entry.chain_sha256() != ChainSha256(previous, entry)) {
      return Wrong(
          i, entry,
          "the chain is broken here: chain_sha256 does not follow from "
          "this entry and the one above, so one of them was changed, "
          "moved or taken out");
    }
    previous = entry.chain_sha256();
    previous_time = time;
  }
  return absl::OkStatus();
}

}  // namespace tilebound
