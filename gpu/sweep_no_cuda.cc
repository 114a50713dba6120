#include "gpu/sweep_run.h"

namespace tilebound::gpu {

absl::StatusOr<ExitCode> RunSweep(const SweepOptions&) {
  return absl::UnavailableError(
      "this build has no CUDA: it was made where no CUDA toolkit was found "
      "(/usr/local/cuda or $CUDA_PATH); predict, report, check and merge work "
      "as they are");
}

}  // namespace tilebound::gpu
