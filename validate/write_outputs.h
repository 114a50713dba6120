// Writes the files of a report, all of them or none.
//
//   TILEBOUND_RETURN_IF_ERROR(WriteOutputs("out/report",
//       {{"report.md", md}, {"report.json", json}, {"report.html", html}}));
#ifndef TILEBOUND_VALIDATE_WRITE_OUTPUTS_H_
#define TILEBOUND_VALIDATE_WRITE_OUTPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tilebound::validate {

struct OutputFile {
  std::string name;
  std::string bytes;
};

// Makes `folder` (and those above it) if it is missing. Every file is written
// as NAME.partial before the first is renamed. Errors name the path and the
// system's reason, and leave neither a partial file nor a new folder behind.
absl::Status WriteOutputs(const std::string& folder,
                          const std::vector<OutputFile>& files);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_WRITE_OUTPUTS_H_
