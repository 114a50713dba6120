// Where a suite's cells go, one by one, so that nothing measured is lost.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Results results,
//                              Results::Open(path, surface, resume));
//   if (results.Has(key)) continue;
//   TILEBOUND_RETURN_IF_ERROR(results.Add(cell));
//   TILEBOUND_RETURN_IF_ERROR(results.Finish());
//
// Bytes go to NAME.partial (a binary File each time, which by protobuf's rule
// concatenate to one), which any reader of ours can read; Finish() sorts the
// cells, validates, and writes NAME.
#ifndef TILEBOUND_GPU_HARNESS_RESULTS_H_
#define TILEBOUND_GPU_HARNESS_RESULTS_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/schema/surface.pb.h"

namespace tilebound::gpu {

class Results {
 public:
  // `surface` has name, provenance and conditions and no cells. With `resume`,
  // cells of NAME.partial (or NAME) that were measured under the same
  // conditions are kept; without it they are replaced.
  static absl::StatusOr<Results> Open(const std::string& path,
                                      const pb::Surface& surface, bool resume);
  Results(Results&&) noexcept;
  Results& operator=(Results&&) noexcept;
  ~Results();

  bool Has(const pb::CellKey& key) const;
  // Appends and flushes. Errors: an invalid cell, a key twice, a full disk.
  absl::Status Add(const pb::Cell& cell);
  // Conditions that are only known after measuring (clock under load).
  pb::Conditions& conditions();
  absl::Status Finish();
  const pb::Surface& surface() const;

 private:
  struct Impl;
  explicit Results(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilebound::gpu

#endif  // TILEBOUND_GPU_HARNESS_RESULTS_H_
