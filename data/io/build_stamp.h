// What the build writes about itself; everyone else uses build_info.h.
#ifndef TILEBOUND_DATA_IO_BUILD_STAMP_H_
#define TILEBOUND_DATA_IO_BUILD_STAMP_H_

namespace tilebound {

// From STABLE_GIT_COMMIT of tools/workspace_status.sh.
extern const char kStampedCommit[];

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_BUILD_STAMP_H_
