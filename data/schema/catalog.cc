#include "data/schema/catalog.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/data_root.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/file.h"

namespace tilebound {
namespace {

namespace fs = std::filesystem;

bool IsPath(const std::string& word) {
  return absl::StrContains(word, "/") || absl::EndsWith(word, ".textproto") ||
         absl::EndsWith(word, ".binpb");
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".textproto") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

// What a file of this content is called in the catalog.
template <typename Message>
std::string NameOf(const Message& message) {
  return message.name();
}
std::string NameOf(const pb::FitRecipe& recipe) {
  return absl::StrCat(recipe.part(), ".", recipe.kernel());
}

template <typename Message>
absl::StatusOr<Message> Find(const std::string& folder, const std::string& what,
                             const std::string& name_or_path) {
  if (IsPath(name_or_path)) return ReadContent<Message>(name_or_path);
  const std::vector<std::string> names = NamesIn(folder);
  if (std::find(names.begin(), names.end(), name_or_path) == names.end()) {
    return absl::NotFoundError(absl::StrCat(
        "unknown ", what, " \"", name_or_path, "\"",
        DidYouMean(name_or_path, names), "; accepted are ",
        absl::StrJoin(names, ", "), ", or a .textproto or .binpb file"));
  }
  const std::string path =
      absl::StrCat(folder, "/", name_or_path, ".textproto");
  TILEBOUND_ASSIGN_OR_RETURN(Message message, ReadContent<Message>(path));
  // Cell keys carry the name inside the file: two for one thing would part
  // cells that belong together.
  if (NameOf(message) != name_or_path) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": holds ", what, " \"", NameOf(message),
                     "\"; the file's own name, ", name_or_path, ", is needed"));
  }
  return message;
}

}  // namespace

absl::StatusOr<Catalog> Catalog::Open() {
  TILEBOUND_ASSIGN_OR_RETURN(std::string root, DataRoot());
  return Catalog(std::move(root));
}

absl::StatusOr<pb::Part> Catalog::FindPart(
    const std::string& name_or_path) const {
  return Find<pb::Part>(root_ + "/gpus", "part", name_or_path);
}

absl::StatusOr<pb::Kernel> Catalog::FindKernel(
    const std::string& name_or_path) const {
  return Find<pb::Kernel>(root_ + "/kernels", "kernel", name_or_path);
}

absl::StatusOr<pb::Calibration> Catalog::FindCalibration(
    absl::string_view part, absl::string_view kernel) const {
  const std::string path = absl::StrCat(root_, "/kernels/calibration/", part,
                                        ".", kernel, ".textproto");
  std::error_code error;
  if (!fs::exists(path, error)) {
    return absl::NotFoundError(absl::StrCat(
        "no calibration of kernel ", kernel, " on part ", part, " (", path,
        " does not exist); calibrated are ",
        absl::StrJoin(NamesIn(root_ + "/kernels/calibration"), ", "),
        "; --calibration=FILE takes one made by //model:calibrate"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(pb::Calibration calibration,
                             ReadContent<pb::Calibration>(path));
  if (calibration.part() != part || calibration.kernel() != kernel) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": holds the calibration of kernel ",
                     calibration.kernel(), " on part ", calibration.part(),
                     "; ", kernel, " on ", part, " is needed"));
  }
  return calibration;
}

absl::StatusOr<pb::FitRecipe> Catalog::FindRecipe(
    const std::string& name_or_path) const {
  return Find<pb::FitRecipe>(root_ + "/kernels/recipes", "recipe",
                             name_or_path);
}

absl::StatusOr<std::vector<pb::Surface>> Catalog::Surfaces(
    const std::string& folder) const {
  const std::string from = folder.empty() ? root_ + "/published" : folder;
  const std::vector<std::string> names = NamesIn(from);
  if (names.empty()) {
    return absl::NotFoundError(
        absl::StrCat("no .textproto surfaces in ", from));
  }
  std::vector<pb::Surface> surfaces;
  for (const std::string& name : names) {
    TILEBOUND_ASSIGN_OR_RETURN(
        pb::Surface surface,
        ReadContent<pb::Surface>(absl::StrCat(from, "/", name, ".textproto")));
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

std::vector<std::string> Catalog::PartNames() const {
  return NamesIn(root_ + "/gpus");
}

std::vector<std::string> Catalog::RecipeNames() const {
  return NamesIn(root_ + "/kernels/recipes");
}

std::vector<std::string> Catalog::CalibrationNames() const {
  return NamesIn(root_ + "/kernels/calibration");
}

std::vector<std::string> Catalog::KernelNames() const {
  return NamesIn(root_ + "/kernels");
}

}  // namespace tilebound
