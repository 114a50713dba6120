#include "model/trace_run.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/calibration.h"
#include "model/arm_trace.h"
#include "model/background.h"
#include "model/cell_model.h"
#include "model/exact.h"
#include "model/trace_export.h"

namespace tilebound::model {

absl::Status CheckTraceRun(const std::string& path,
                           const std::vector<pb::CellKey>& keys,
                           const PredictOptions& options) {
  const auto refuse = [&](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("--trace_out=", path, ": ", why));
  };
  if (!absl::EndsWith(path, ".tbtrace")) {
    return refuse("a file name that ends with .tbtrace is needed");
  }
  const std::filesystem::path folder =
      std::filesystem::absolute(path).parent_path();
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return refuse(absl::StrCat("cannot write into ", folder.string()));
  }
  if (std::filesystem::is_directory(path)) {
    return refuse("it is a folder; a file name is needed");
  }
  if (keys.size() != 1) {
    return refuse(absl::StrCat("a trace holds one cell, but ", keys.size(),
                               " were asked for"));
  }
  if (options.fidelity != Fidelity::kExact) {
    return refuse("only --fidelity=exact runs every block in turn");
  }
  const uint64_t most = kMostTracedBlockEvents / keys[0].blocks();
  if (options.events + options.warmup_events > most) {
    return refuse(absl::StrCat(
        "a trace of ", options.events, " events and ", options.warmup_events,
        " of warm-up does not fit into memory; ", keys[0].blocks(),
        " blocks take up to ", most, " together (--events)"));
  }
  const bool cooperative = keys[0].arm() == pb::COOPERATIVE;
  if (const std::string lacks =
          cooperative ? NotModelledReason(keys[0], options.sharing)
                      : BackgroundNotModelledReason(keys[0], options.sharing);
      !lacks.empty()) {
    return refuse(absl::StrCat("the model has no law for ", lacks));
  }
  return absl::OkStatus();
}

absl::Status WriteTraceOf(const Resources& resources, const pb::CellKey& key,
                          const PredictOptions& options,
                          const std::string& path,
                          const std::string& provenance) {
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Calibration* calibration,
                             resources.Calibration(key));
  const pb::Part& part = resources.parts.at(key.part());
  const pb::Kernel& kernel = resources.kernels.at(key.kernel());
  if (key.arm() != pb::COOPERATIVE) {
    TILEBOUND_ASSIGN_OR_RETURN(
        const Background background,
        MakeBackground({part, kernel, *calibration}, key, options));
    double newcomer_us = 0;
    if (key.arm() == pb::RESERVED) {
      TILEBOUND_ASSIGN_OR_RETURN(
          newcomer_us, CalibrationNumber(*calibration, kNewcomerDelay));
    }
    return WriteTrace(path, key, background.cell,
                      TraceArm(background, key, std::llround(newcomer_us * 1e6),
                               options.events),
                      options.seed, provenance);
  }
  TILEBOUND_ASSIGN_OR_RETURN(const CellModel cell,
                             MakeCellModel(part, kernel, *calibration, key,
                                           options.sharing, options.seed));
  RunHistory history;
  SimulateHandoff(cell, options.events, options.warmup_events, &history);
  return WriteTrace(path, key, cell, history, options.seed, provenance);
}

}  // namespace tilebound::model
