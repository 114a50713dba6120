#include "data/io/build_info.h"

#include "data/io/build_stamp.h"

namespace tilebound {

// The one place that names the version.
std::string ToolVersion() { return "0.1.0"; }

std::string Commit() { return kStampedCommit; }

}  // namespace tilebound
