// Loads what the cells of a command refer to: parts, kernels, calibrations, by
// catalog name or file.
//
//   ResourceLoader loader(catalog);
//   TILEBOUND_ASSIGN_OR_RETURN(
//       auto keys, ExpandExperiment(experiment, loader.Resolvers()));
//   TILEBOUND_ASSIGN_OR_RETURN(Resources resources,
//                              loader.Load(keys, calibration_files));
#ifndef TILEBOUND_MODEL_RESOURCES_H_
#define TILEBOUND_MODEL_RESOURCES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/catalog.h"
#include "data/schema/experiment.h"
#include "model/predict_surface.h"

namespace tilebound::model {

class ResourceLoader {
 public:
  explicit ResourceLoader(Catalog catalog) : catalog_(std::move(catalog)) {}

  // For ExpandExperiment: names inside files, and "saturation" and "1persm" by
  // the occupancy of the part and kernel. Valid as long as the loader.
  NameResolvers Resolvers();

  // Parts, kernels and calibrations of the keys. Calibrations come from
  // `calibration_files` first, by the names inside them, then from the catalog.
  absl::StatusOr<Resources> Load(
      const std::vector<pb::CellKey>& keys,
      const std::vector<std::string>& calibration_files);

 private:
  absl::StatusOr<const pb::Part*> Part(const std::string& name_or_path);
  absl::StatusOr<const pb::Kernel*> Kernel(const std::string& name_or_path);

  Catalog catalog_;
  Resources resources_;
  // What was asked for -> the name in the file.
  std::map<std::string, std::string> part_names_;
  std::map<std::string, std::string> kernel_names_;
};

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RESOURCES_H_
