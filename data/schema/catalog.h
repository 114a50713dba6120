// Looks parts, kernels, calibrations and surfaces up by catalog name or path.
//
//   TILEBOUND_ASSIGN_OR_RETURN(Catalog catalog, Catalog::Open());
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Part part, catalog.FindPart("a10"));
//   ... catalog.FindPart("my/part.textproto") ...
#ifndef TILEBOUND_DATA_SCHEMA_CATALOG_H_
#define TILEBOUND_DATA_SCHEMA_CATALOG_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/schema/calibration.pb.h"
#include "data/schema/kernel.pb.h"
#include "data/schema/part.pb.h"
#include "data/schema/surface.pb.h"

namespace tilebound {

class Catalog {
 public:
  // The catalog in DataRoot().
  static absl::StatusOr<Catalog> Open();
  // The catalog in folder `root`, which has gpus/ and kernels/.
  explicit Catalog(std::string root) : root_(std::move(root)) {}

  // A word with '/' or with the ending .textproto or .binpb is a path, every
  // other one a name. An unknown name's error lists the known ones.
  absl::StatusOr<pb::Part> FindPart(const std::string& name_or_path) const;
  absl::StatusOr<pb::Kernel> FindKernel(const std::string& name_or_path) const;

  // By the names in the part and the kernel. kNotFound names the file that
  // would hold it.
  absl::StatusOr<pb::Calibration> FindCalibration(
      absl::string_view part, absl::string_view kernel) const;

  // Recipes of //model:calibrate, by name ("a10.sgemm64") or path.
  absl::StatusOr<pb::FitRecipe> FindRecipe(
      const std::string& name_or_path) const;

  // Every surface of a folder of .textproto files, sorted by file name.
  // `folder` "" is the catalog's published/.
  absl::StatusOr<std::vector<pb::Surface>> Surfaces(
      const std::string& folder) const;

  // Sorted names.
  std::vector<std::string> PartNames() const;
  std::vector<std::string> KernelNames() const;
  // "part.kernel".
  std::vector<std::string> RecipeNames() const;
  std::vector<std::string> CalibrationNames() const;

  const std::string& root() const { return root_; }

 private:
  std::string root_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_CATALOG_H_
