#include "model/resources.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "data/schema/file.h"
#include "google/protobuf/util/message_differencer.h"
#include "model/cycle/slot_times.h"
#include "model/cycle_calibration.h"
#include "model/occupancy.h"
#include "model/uncalibrated.h"

namespace tilebound::model {
namespace {

// Keeps `loaded` under its own name, which no other content may have taken.
template <typename Message>
absl::StatusOr<const Message*> Keep(const std::string& asked, Message loaded,
                                    std::map<std::string, std::string>& names,
                                    std::map<std::string, Message>& messages) {
  using google::protobuf::util::MessageDifferencer;
  const std::string name = loaded.name();
  const auto [at, fresh] = messages.try_emplace(name, std::move(loaded));
  if (!fresh && !MessageDifferencer::Equals(at->second, loaded)) {
    return absl::InvalidArgumentError(
        absl::StrCat(asked, " holds another ", Message::descriptor()->name(),
                     " named ", name,
                     " than the one loaded before; names in "
                     "one command must differ"));
  }
  names[asked] = name;
  return &at->second;
}

}  // namespace

absl::StatusOr<const pb::Part*> ResourceLoader::Part(
    const std::string& name_or_path) {
  const auto known = part_names_.find(name_or_path);
  if (known != part_names_.end()) return &resources_.parts[known->second];
  TILEBOUND_ASSIGN_OR_RETURN(pb::Part part, catalog_.FindPart(name_or_path));
  return Keep(name_or_path, std::move(part), part_names_, resources_.parts);
}

absl::StatusOr<const pb::Kernel*> ResourceLoader::Kernel(
    const std::string& name_or_path) {
  const auto known = kernel_names_.find(name_or_path);
  if (known != kernel_names_.end()) return &resources_.kernels[known->second];
  TILEBOUND_ASSIGN_OR_RETURN(pb::Kernel kernel,
                             catalog_.FindKernel(name_or_path));
  return Keep(name_or_path, std::move(kernel), kernel_names_,
              resources_.kernels);
}

namespace {

// A calibration made from that of another part: of the same compute capability
// if there is one, else of any. `missing` is what is wrong if there is none.
absl::StatusOr<pb::Calibration> Uncalibrated(const Catalog& catalog,
                                             const pb::Part& part,
                                             const pb::Kernel& kernel,
                                             const absl::Status& missing) {
  absl::StatusOr<pb::Calibration> donor = missing;
  uint32_t nearest = 0;
  for (const std::string& name : catalog.PartNames()) {
    absl::StatusOr<pb::Calibration> other =
        catalog.FindCalibration(name, kernel.name());
    const auto other_part = catalog.FindPart(name);
    if (!other.ok() || !other_part.ok() ||
        FindCalibrationValue(*other, kAdmissionQueue) == nullptr) {
      continue;
    }
    const uint32_t near =
        StreamCapability(*other_part) == StreamCapability(part) ? 2 : 1;
    if (near <= nearest) continue;
    nearest = near;
    donor = std::move(other);
  }
  TILEBOUND_RETURN_IF_ERROR(donor.status());
  return UncalibratedFrom(part, kernel, *donor,
                          {.cache_folder = DefaultCacheFolder()});
}

}  // namespace

NameResolvers ResourceLoader::Resolvers() {
  NameResolvers resolvers;
  resolvers.part =
      [this](const std::string& word) -> absl::StatusOr<std::string> {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Part* part, Part(word));
    return part->name();
  };
  resolvers.kernel =
      [this](const std::string& word) -> absl::StatusOr<std::string> {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel* kernel, Kernel(word));
    return kernel->name();
  };
  resolvers.blocks =
      [this](const std::string& part_word, const std::string& kernel_word,
             absl::string_view word) -> absl::StatusOr<uint32_t> {
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Part* part, Part(part_word));
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel* kernel, Kernel(kernel_word));
    if (word == "1persm") return part->sm_count();
    return SaturationBlocks(*part, *kernel);
  };
  return resolvers;
}

absl::StatusOr<Resources> ResourceLoader::Load(
    const std::vector<pb::CellKey>& keys,
    const std::vector<std::string>& calibration_files) {
  std::set<std::pair<std::string, std::string>> wanted;
  for (const pb::CellKey& key : keys) wanted.emplace(key.part(), key.kernel());
  for (const std::string& file : calibration_files) {
    TILEBOUND_ASSIGN_OR_RETURN(pb::Calibration calibration,
                               ReadContent<pb::Calibration>(file));
    const std::pair<std::string, std::string> names = {calibration.part(),
                                                       calibration.kernel()};
    if (wanted.count(names) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, " calibrates ", names.second, " on ", names.first,
                       ", which no cell asked for runs"));
    }
    if (!resources_.calibrations.emplace(names, std::move(calibration))
             .second) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, " is a second calibration of ", names.second,
                       " on ", names.first));
    }
  }
  for (const pb::CellKey& key : keys) {
    const std::pair<std::string, std::string> names = {key.part(),
                                                       key.kernel()};
    if (resources_.calibrations.count(names) > 0) continue;
    absl::StatusOr<pb::Calibration> calibration =
        catalog_.FindCalibration(key.part(), key.kernel());
    if (calibration.status().code() == absl::StatusCode::kNotFound) {
      calibration = Uncalibrated(catalog_, resources_.parts.at(key.part()),
                                 resources_.kernels.at(key.kernel()),
                                 calibration.status());
    }
    TILEBOUND_RETURN_IF_ERROR(calibration.status());
    resources_.calibrations.emplace(names, *std::move(calibration));
  }
  return resources_;
}

}  // namespace tilebound::model
