#include "model/recommend_keys.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"

namespace tilebound::model {
namespace {

using Axis = google::protobuf::RepeatedPtrField<std::string>;

void Default(Axis* axis, const std::vector<std::string>& entries) {
  if (!axis->empty()) return;
  for (const std::string& entry : entries) *axis->Add() = entry;
}

absl::Status CheckOne(absl::string_view name, const Axis& axis) {
  if (axis.size() == 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--", name, " has ", axis.size(),
                   " values; a recommendation is for exactly one"));
}

std::vector<std::string> SitesOf(const pb::Kernel& kernel) {
  std::vector<std::string> sites;
  for (const std::string& site : kernel.programs(0).sites()) {
    const auto has = [&](const pb::TileProgram& program) {
      return std::count(program.sites().begin(), program.sites().end(), site) >
             0;
    };
    if (std::all_of(kernel.programs().begin(), kernel.programs().end(), has)) {
      sites.push_back(site);
    }
  }
  return sites;
}

class Enumerator {
 public:
  Enumerator(const pb::Experiment& asked, const Catalog& catalog,
             const NameResolvers& resolvers)
      : asked_(asked), catalog_(catalog), resolvers_(resolvers) {}

  absl::StatusOr<std::vector<pb::CellKey>> Run(bool end_to_end) {
    TILEBOUND_RETURN_IF_ERROR(CheckOne("part", asked_.part()));
    TILEBOUND_RETURN_IF_ERROR(CheckOne("kernel", asked_.kernel()));
    TILEBOUND_RETURN_IF_ERROR(CheckOne("k", asked_.k()));
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel kernel,
                               catalog_.FindKernel(asked_.kernel(0)));
    sites_ = SitesOf(kernel);
    for (const auto& [word, blocks] : {std::pair("saturation", &saturation_),
                                       std::pair("1persm", &one_per_sm_)}) {
      TILEBOUND_ASSIGN_OR_RETURN(
          *blocks, resolvers_.blocks(asked_.part(0), asked_.kernel(0), word));
    }
    std::vector<std::string> arms = {"cooperative"};
    if (end_to_end) arms.insert(arms.end(), {"reserved", "none"});
    if (!asked_.arm().empty()) {
      arms.assign(asked_.arm().begin(), asked_.arm().end());
    }
    for (const std::string& arm : arms) {
      TILEBOUND_RETURN_IF_ERROR(arm == "reserved" ? AddReserved()
                                : arm == "none"   ? AddNone()
                                                  : AddCooperative(arm));
    }
    return std::move(keys_);
  }

 private:
  absl::Status Add(const pb::Experiment& experiment) {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::CellKey> keys,
                               ExpandExperiment(experiment, resolvers_));
    keys_.insert(keys_.end(), keys.begin(), keys.end());
    return absl::OkStatus();
  }

  absl::Status AddCooperative(const std::string& arm) {
    pb::Experiment experiment = asked_;
    SetOne(experiment.mutable_arm(), arm);
    experiment.clear_reserve();
    std::vector<std::string> blocks;
    for (uint32_t n = one_per_sm_; n <= saturation_; n += one_per_sm_) {
      blocks.push_back(absl::StrCat(n));
    }
    Default(experiment.mutable_blocks(), blocks);
    Default(experiment.mutable_site(), sites_);
    Default(experiment.mutable_period(), {"1", "2", "4", "8"});
    return Add(experiment);
  }

  // Arms whose urgent work is a kernel that the host launches.
  pb::Experiment Launched(const std::string& arm) const {
    pb::Experiment experiment = asked_;
    SetOne(experiment.mutable_arm(), arm);
    SetOne(experiment.mutable_site(), "boundary");
    SetOne(experiment.mutable_period(), "1");
    SetOne(experiment.mutable_variant(), "default");
    SetOne(experiment.mutable_setter(), "host");
    return experiment;
  }

  absl::Status AddReserved() {
    std::vector<std::string> reserves(asked_.reserve().begin(),
                                      asked_.reserve().end());
    if (reserves.empty()) reserves = {"1", "4", "8", "16"};
    for (const std::string& entry : reserves) {
      TILEBOUND_ASSIGN_OR_RETURN(const std::vector<uint32_t> numbers,
                                 ExpandRange("reserve", entry));
      for (uint32_t reserve : numbers) {
        if (reserve >= saturation_) continue;
        pb::Experiment experiment = Launched("reserved");
        SetOne(experiment.mutable_reserve(), absl::StrCat(reserve));
        Default(experiment.mutable_blocks(),
                {absl::StrCat(saturation_ - reserve)});
        TILEBOUND_RETURN_IF_ERROR(Add(experiment));
      }
    }
    return absl::OkStatus();
  }

  absl::Status AddNone() {
    pb::Experiment experiment = Launched("none");
    experiment.clear_reserve();
    Default(experiment.mutable_blocks(), {"saturation"});
    return Add(experiment);
  }

  static void SetOne(Axis* axis, const std::string& entry) {
    axis->Clear();
    *axis->Add() = entry;
  }

  const pb::Experiment& asked_;
  const Catalog& catalog_;
  const NameResolvers& resolvers_;
  std::vector<std::string> sites_;
  uint32_t saturation_ = 0;
  uint32_t one_per_sm_ = 0;
  std::vector<pb::CellKey> keys_;
};

}  // namespace

absl::StatusOr<std::vector<pb::CellKey>> RecommendKeys(
    const pb::Experiment& experiment, const Catalog& catalog,
    const NameResolvers& resolvers, bool end_to_end) {
  return Enumerator(experiment, catalog, resolvers).Run(end_to_end);
}

}  // namespace tilebound::model
