#include "data/schema/cell_flags.h"

#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "data/io/status_macros.h"
#include "data/schema/file.h"

namespace tilebound {

// Absent and empty are different: an empty axis is a mistake, not a default.
// (An absl::optional flag takes "" for absent.)
struct AxisFlag {
  bool given = false;
  std::string entries;
};

bool AbslParseFlag(absl::string_view text, AxisFlag* flag, std::string*) {
  *flag = {true, std::string(text)};
  return true;
}

std::string AbslUnparseFlag(const AxisFlag& flag) { return flag.entries; }

}  // namespace tilebound

using tilebound::AxisFlag;

ABSL_FLAG(AxisFlag, part, AxisFlag(), "Parts: catalog names or files.");
ABSL_FLAG(AxisFlag, kernel, AxisFlag(), "Kernels: catalog names or files.");
ABSL_FLAG(AxisFlag, k, AxisFlag(), "Tile depths: numbers, a:b:step.");
ABSL_FLAG(AxisFlag, blocks, AxisFlag(),
          "Resident blocks: numbers, a:b:step, saturation, 1persm.");
ABSL_FLAG(AxisFlag, site, AxisFlag(),
          "boundary (default), stage, issue, folded.");
ABSL_FLAG(AxisFlag, period, AxisFlag(), "Look at every N-th site [1].");
ABSL_FLAG(AxisFlag, variant, AxisFlag(),
          "How the flag is read; modelled: default, volatile_flag, "
          "pipelined_flag, sync_flag, sync_flag_hoisted.");
ABSL_FLAG(AxisFlag, arm, AxisFlag(), "none, cooperative (default), reserved.");
ABSL_FLAG(AxisFlag, reserve, AxisFlag(), "Slots held free, arm reserved.");
ABSL_FLAG(AxisFlag, urgent_tiles, AxisFlag(), "Tiles of an event [1].");
ABSL_FLAG(AxisFlag, discipline, AxisFlag(), "drain (default), naive, poison.");
ABSL_FLAG(AxisFlag, setter, AxisFlag(), "device (default), host.");
ABSL_FLAG(AxisFlag, arrivals, AxisFlag(),
          "uniform:MIN:MAX us [uniform:150:400], poisson:MEAN, closed:U.");
ABSL_FLAG(std::string, experiment, "",
          "Experiment file; flags that are given replace its axes.");

namespace tilebound {
namespace {

using Axis = google::protobuf::RepeatedPtrField<std::string>;

absl::Status TakeAxis(absl::string_view name, const AxisFlag& flag,
                      Axis* axis) {
  if (!flag.given) return absl::OkStatus();
  axis->Clear();
  for (absl::string_view entry : absl::StrSplit(flag.entries, ',')) {
    if (entry.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--", name, "=", flag.entries,
          " has an empty entry; a comma list of values is needed"));
    }
    axis->Add(std::string(entry));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> CellFlagNames() {
  return {"part",       "kernel",  "k",        "blocks",    "site",
          "period",     "variant", "arm",      "reserve",   "urgent_tiles",
          "discipline", "setter",  "arrivals", "experiment"};
}

absl::StatusOr<pb::Experiment> ExperimentFromFlags() {
  pb::Experiment experiment;
  if (const std::string path = absl::GetFlag(FLAGS_experiment); !path.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(experiment, ReadContent<pb::Experiment>(path));
  }
  const std::tuple<const char*, AxisFlag, Axis*> axes[] = {
      {"part", absl::GetFlag(FLAGS_part), experiment.mutable_part()},
      {"kernel", absl::GetFlag(FLAGS_kernel), experiment.mutable_kernel()},
      {"k", absl::GetFlag(FLAGS_k), experiment.mutable_k()},
      {"blocks", absl::GetFlag(FLAGS_blocks), experiment.mutable_blocks()},
      {"site", absl::GetFlag(FLAGS_site), experiment.mutable_site()},
      {"period", absl::GetFlag(FLAGS_period), experiment.mutable_period()},
      {"variant", absl::GetFlag(FLAGS_variant), experiment.mutable_variant()},
      {"arm", absl::GetFlag(FLAGS_arm), experiment.mutable_arm()},
      {"reserve", absl::GetFlag(FLAGS_reserve), experiment.mutable_reserve()},
      {"urgent_tiles", absl::GetFlag(FLAGS_urgent_tiles),
       experiment.mutable_urgent_tiles()},
      {"discipline", absl::GetFlag(FLAGS_discipline),
       experiment.mutable_discipline()},
      {"setter", absl::GetFlag(FLAGS_setter), experiment.mutable_setter()},
      {"arrivals", absl::GetFlag(FLAGS_arrivals),
       experiment.mutable_arrivals()},
  };
  for (const auto& [name, flag, axis] : axes) {
    TILEBOUND_RETURN_IF_ERROR(TakeAxis(name, flag, axis));
  }
  return experiment;
}

}  // namespace tilebound
