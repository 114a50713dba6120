#include "gpu/harness/results.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"

namespace tilebound::gpu {
namespace {

// What a report takes for the same clock.
constexpr double kClockRelative = 0.03;

bool Exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

template <typename Value>
absl::Status CheckSame(absl::string_view field, const Value& before,
                       const Value& now) {
  if (before == now) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " was ", before, " and is ", now,
                   "; one surface has one of them"));
}

}  // namespace

absl::Status CheckSameConditions(const pb::Conditions& before,
                                 const pb::Conditions& now) {
  TILEBOUND_RETURN_IF_ERROR(CheckSame("events", before.events(), now.events()));
  TILEBOUND_RETURN_IF_ERROR(
      CheckSame("warmup_events", before.warmup_events(), now.warmup_events()));
  TILEBOUND_RETURN_IF_ERROR(CheckSame("build", before.build(), now.build()));
  TILEBOUND_RETURN_IF_ERROR(CheckSame("card", before.card(), now.card()));
  TILEBOUND_RETURN_IF_ERROR(CheckSame("driver", before.driver(), now.driver()));
  TILEBOUND_RETURN_IF_ERROR(
      CheckSame("machine_code", before.machine_code(), now.machine_code()));
  TILEBOUND_RETURN_IF_ERROR(CheckSame(
      "timer_quantum_ps", before.timer_quantum_ps(), now.timer_quantum_ps()));
  const double most = std::max(before.sm_clock_mhz(), now.sm_clock_mhz());
  // It is measured while the cells are: 0 before the first.
  const bool known = before.sm_clock_mhz() > 0 && now.sm_clock_mhz() > 0;
  if (known && std::abs(before.sm_clock_mhz() - now.sm_clock_mhz()) >
                   kClockRelative * most) {
    return CheckSame("sm_clock_mhz", before.sm_clock_mhz(), now.sm_clock_mhz());
  }
  return absl::OkStatus();
}

Results::Results(std::string path, pb::Surface surface)
    : path_(std::move(path)), surface_(std::move(surface)) {}

absl::StatusOr<Results> Results::Open(const std::string& path,
                                      const pb::Surface& empty, bool resume) {
  Results results(path, empty);
  if (path.empty()) return results;
  TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(path));
  const std::string partial = results.PartialPath();
  if (!resume) {
    if (Exists(partial)) {
      return absl::InvalidArgumentError(
          absl::StrCat(partial,
                       " holds the cells of a sweep that did not finish; give "
                       "--resume to go on from it, or remove it"));
    }
    return results;
  }
  const std::string source = Exists(partial) ? partial : path;
  if (!Exists(source)) return results;
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Surface before,
                             ReadContent<pb::Surface>(source));
  absl::Status same =
      CheckSameConditions(before.conditions(), empty.conditions());
  if (same.ok()) {
    same = CheckSame("name", before.name(), empty.name());
  }
  if (same.ok()) {
    same = CheckSame("commit", before.provenance().commit(),
                     empty.provenance().commit());
  }
  if (same.ok()) {
    same = CheckSame("seed", before.provenance().seed(),
                     empty.provenance().seed());
  }
  if (!same.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot resume from ", source, ": ", same.message()));
  }
  *results.surface_.mutable_cells() = before.cells();
  // The surface began when its first cell did.
  results.provenance().set_started_utc(before.provenance().started_utc());
  for (const pb::Cell& cell : before.cells()) {
    results.fingerprints_.insert(Fingerprint(cell.key()));
  }
  return results;
}

bool Results::Has(const pb::CellKey& key) const {
  return fingerprints_.count(Fingerprint(key)) > 0;
}

absl::Status Results::WritePartial() const {
  const pb::File file = MakeFile(surface_);
  TILEBOUND_RETURN_IF_ERROR(ValidateFile(file));
  const bool text = std::filesystem::path(path_).extension() == ".textproto";
  return WriteFileAtomically(
      PartialPath(), text ? FileToText(file) : file.SerializeAsString());
}

absl::Status Results::Add(const pb::Cell& cell) {
  if (!fingerprints_.insert(Fingerprint(cell.key())).second) {
    return absl::InvalidArgumentError(absl::StrCat(
        CanonicalText(cell.key()), " has been measured; it is there once"));
  }
  *surface_.add_cells() = cell;
  const absl::Status written =
      path_.empty() ? ValidateFile(MakeFile(surface_)) : WritePartial();
  if (!written.ok()) {
    surface_.mutable_cells()->RemoveLast();
    fingerprints_.erase(Fingerprint(cell.key()));
  }
  return written;
}

void Results::AddNote(absl::string_view sentence) {
  std::string* note = provenance().mutable_note();
  absl::StrAppend(note, note->empty() ? "" : " ", sentence, ".");
}

absl::Status Results::Finish(absl::Time finished) {
  provenance().set_finished_utc(
      absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", finished, absl::UTCTimeZone()));
  std::sort(surface_.mutable_cells()->begin(), surface_.mutable_cells()->end(),
            [](const pb::Cell& a, const pb::Cell& b) {
              return CellKeyLess(a.key(), b.key());
            });
  if (path_.empty()) return absl::OkStatus();
  // NAME.partial first, so that an interrupted rename loses nothing.
  TILEBOUND_RETURN_IF_ERROR(WritePartial());
  std::error_code error;
  std::filesystem::rename(PartialPath(), path_, error);
  if (!error) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "cannot rename ", PartialPath(), " to ", path_, ": ", error.message()));
}

}  // namespace tilebound::gpu
