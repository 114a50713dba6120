// The identity of a cell: what was run. Its canonical text is what people read
// in errors and reports; its fingerprint joins predictions with measurements.
//
//   CanonicalText(key)
//     "part=a10 kernel=sgemm64 k=64 blocks=288 site=boundary period=1 "
//     "variant=default discipline=drain arm=cooperative reserve=0 "
//     "urgent_tiles=1 setter=device arrivals=uniform:150:400 cluster_size=1"
//   Fingerprint(key)   "9c2f..."  (16 hex digits)
//
// A field added later is left out of the text while it has its default, so that
// old fingerprints stay.
#ifndef TILEBOUND_DATA_SCHEMA_CELL_KEY_H_
#define TILEBOUND_DATA_SCHEMA_CELL_KEY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/cell_key.pb.h"

namespace tilebound {

// The key that flags and importers start from: site boundary, period 1,
// variant default, discipline drain, arm cooperative, one urgent tile, device
// setter, arrivals uniform in 150-400 us, cluster size 1.
pb::CellKey DefaultCellKey();

// Lower-case words, as flags and CSV have them. ParseX errors name the word and
// the accepted ones.
std::string SiteName(pb::Site site);
std::string DisciplineName(pb::Discipline discipline);
std::string ArmName(pb::Arm arm);
std::string SetterName(pb::Setter setter);
absl::StatusOr<pb::Site> ParseSite(absl::string_view word);
absl::StatusOr<pb::Discipline> ParseDiscipline(absl::string_view word);
absl::StatusOr<pb::Arm> ParseArm(absl::string_view word);
absl::StatusOr<pb::Setter> ParseSetter(absl::string_view word);

// "uniform:MIN:MAX" and "poisson:MEAN" in microseconds (at most three
// decimals), "closed:UTILIZATION" in (0, 1).
std::string ArrivalsText(const pb::Arrivals& arrivals);
absl::StatusOr<pb::Arrivals> ParseArrivals(absl::string_view text);

std::string CanonicalText(const pb::CellKey& key);
// First 64 bits of SHA-256 of the canonical text, as 16 lower-case hex digits.
std::string Fingerprint(const pb::CellKey& key);

// The canonical order of cells: that in which ExpandExperiment lists ascending
// axes, so blocks and period run fastest and compare as numbers.
bool CellKeyLess(const pb::CellKey& a, const pb::CellKey& b);

// Errors name the field and what is accepted. Does not know part or kernel:
// see ValidateCellForKernel and the model for those.
absl::Status ValidateCellKey(const pb::CellKey& key);

// The part of it that concerns arrivals: a known process with possible times,
// and no field of another process.
absl::Status ValidateArrivals(const pb::Arrivals& arrivals);

// Catalog names: lower-case letters, digits and '_', starting with a letter.
absl::Status ValidateName(absl::string_view field, absl::string_view name);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_CELL_KEY_H_
