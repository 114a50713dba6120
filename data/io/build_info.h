// Which Tilebound this is, for the provenance of every file it writes.
//
//   provenance.set_tool(absl::StrCat("predict ", ToolVersion()));
//   provenance.set_commit(Commit());
//
// A new commit relinks the commands that use this and recompiles one generated
// file; nothing else.
#ifndef TILEBOUND_DATA_IO_BUILD_INFO_H_
#define TILEBOUND_DATA_IO_BUILD_INFO_H_

#include <string>

namespace tilebound {

// "0.1.0": the release, the same on every machine.
std::string ToolVersion();

// The 40 hex digits of the commit that was built, followed by "-dirty" if a
// file that git tracks was changed since; "unknown" outside a git checkout.
std::string Commit();

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_BUILD_INFO_H_
