// From cells to a predicted surface.
//
//   PredictOptions options;
//   options.events = 10'000;
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Surface surface,
//                              PredictSurface(resources, keys, options));
#ifndef TILEBOUND_MODEL_PREDICT_SURFACE_H_
#define TILEBOUND_MODEL_PREDICT_SURFACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "data/schema/surface.pb.h"
#include "model/predict_cell.h"

namespace tilebound::model {

// The inputs that keys refer to by name.
struct Resources {
  std::map<std::string, pb::Part> parts;
  std::map<std::string, pb::Kernel> kernels;
  // By part and kernel.
  std::map<std::pair<std::string, std::string>, pb::Calibration> calibrations;

  // The calibration of a key's part and kernel; the error names the file that
  // would hold it.
  absl::StatusOr<const pb::Calibration*> Calibration(
      const pb::CellKey& key) const;
};

// Whether every cell can be looked at at all: residency, k, site, calibration.
// What the model has no law for is no error: it comes out as NOT_MODELLED.
absl::Status CheckCells(const Resources& resources,
                        const std::vector<pb::CellKey>& keys);

// Predicts every cell, in the order of the keys, with provenance PREDICTED and
// its conditions; tool, commit, command, name and times are the caller's. The
// cells do not depend on `threads`. All cells must have the same clock and
// timer tick, because a surface has one of each.
absl::StatusOr<pb::Surface> PredictSurface(const Resources& resources,
                                           const std::vector<pb::CellKey>& keys,
                                           const PredictOptions& options);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_PREDICT_SURFACE_H_
