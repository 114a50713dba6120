// The results of a sweep on the disk while it runs. After each cell
// NAME.partial is replaced by a whole, valid file with one cell more, so
// whatever ends the sweep (Ctrl-C, a full disk, a power cut) leaves a file that
// every command reads, and --resume goes on from it.
//
//   TILEBOUND_ASSIGN_OR_RETURN(
//       Results results,
//       Results::Open("h200.binpb", surface_without_cells, resume));
//   for (const pb::CellKey& key : keys) {
//     if (results.Has(key)) continue;
//     TILEBOUND_RETURN_IF_ERROR(results.Add(Measure(key)));
//   }
//   TILEBOUND_RETURN_IF_ERROR(results.Finish());
//
// The whole file is written for every cell: that costs milliseconds where a
// cell costs seconds, and there is never half a cell to recover from.
#ifndef TILEBOUND_GPU_HARNESS_RESULTS_H_
#define TILEBOUND_GPU_HARNESS_RESULTS_H_

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "data/schema/surface.pb.h"

namespace tilebound::gpu {

class Results {
 public:
  // Starts NAME.partial for `empty`, a surface with provenance and conditions
  // and no cells. With `resume`, cells are taken over from NAME.partial, or
  // else from NAME; neither there is no error. An empty `path` keeps the
  // surface in memory only.
  // Errors: a .partial that would be lost without resume; one that was measured
  // under other conditions (the field and both values are named), by another
  // commit, or from another seed; a path that cannot be written.
  static absl::StatusOr<Results> Open(const std::string& path,
                                      const pb::Surface& empty, bool resume);

  // Whether the cell is there already.
  bool Has(const pb::CellKey& key) const;
  // Adds a finished cell and replaces NAME.partial. Errors, after which nothing
  // has changed: a cell that is there already, metrics that the schema refuses,
  // the disk.
  absl::Status Add(const pb::Cell& cell);
  // What conditions can only be known at the end (clock, throttling): replaces
  // them in the surface; written with the next Add or Finish.
  pb::Conditions& conditions() { return *surface_.mutable_conditions(); }
  // Adds a sentence, without its full stop, to the provenance's note.
  void AddNote(absl::string_view sentence);
  pb::Provenance& provenance() { return *surface_.mutable_provenance(); }
  // Writes NAME and removes NAME.partial. No call may follow.
  absl::Status Finish(absl::Time finished = absl::Now());

  const pb::Surface& surface() const { return surface_; }
  const std::string& path() const { return path_; }

 private:
  Results(std::string path, pb::Surface surface);
  std::string PartialPath() const { return path_ + ".partial"; }
  absl::Status WritePartial() const;

  std::string path_;
  pb::Surface surface_;
  std::set<std::string> fingerprints_;
};

// Whether cells measured under `before` may stand in one surface with cells
// measured under `now`: everything that a reader would want to know must be
// equal, the clock within 3 % (beyond which a report compares nothing). The
// error names the field and both values.
absl::Status CheckSameConditions(const pb::Conditions& before,
                                 const pb::Conditions& now);

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_RESULTS_H_
