// Finds the folder data/ that holds the catalog, wherever a command is started.
#ifndef TILEBOUND_DATA_IO_DATA_ROOT_H_
#define TILEBOUND_DATA_IO_DATA_ROOT_H_

#include <string>

#include "absl/status/statusor.h"

namespace tilebound {

// In this order: $TILEBOUND_DATA; data/ in the working directory or one above
// it; the runfiles of a test ($TEST_SRCDIR) or of the running binary; data/
// beside the binary. kUnavailable, naming what was tried, if none has a gpus/
// folder.
absl::StatusOr<std::string> DataRoot();

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_DATA_ROOT_H_
