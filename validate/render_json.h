// The report for programs; docs/report.md documents the schema.
#ifndef TILEBOUND_VALIDATE_RENDER_JSON_H_
#define TILEBOUND_VALIDATE_RENDER_JSON_H_

#include <string>

#include "validate/baseline_diff.h"
#include "validate/findings.h"

namespace tilebound::validate {

// One cell a line, so that large reports can be read line by line. `diff` may
// be null.
std::string RenderJson(const Findings& findings,
                       const BaselineDiff* diff = nullptr);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_JSON_H_
