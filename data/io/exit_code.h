// The exit statuses that every command shares (docs/design.md section 5).
#ifndef TILEBOUND_DATA_IO_EXIT_CODE_H_
#define TILEBOUND_DATA_IO_EXIT_CODE_H_

#include "absl/status/status.h"

namespace tilebound {

enum class ExitCode : int {
  kOk = 0,
  // The command ran and found something wrong: a violation, a disagreement.
  kWrong = 1,
  // Flags or files are not what the command accepts.
  kBadInput = 2,
  // No GPU, no CUDA in this build, a missing package.
  kEnvironment = 3,
  // The oracle's UNKNOWN.
  kCannotTell = 4,
};

// kUnavailable is the environment's fault; every other error is the input's.
inline ExitCode ExitCodeFor(const absl::Status& status) {
  if (status.ok()) return ExitCode::kOk;
  return absl::IsUnavailable(status) ? ExitCode::kEnvironment
                                     : ExitCode::kBadInput;
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_EXIT_CODE_H_
