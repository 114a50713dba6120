// The report for programs; docs/report.md documents the schema.
#ifndef TILEBOUND_VALIDATE_RENDER_JSON_H_
#define TILEBOUND_VALIDATE_RENDER_JSON_H_

#include <string>

#include "validate/findings.h"

namespace tilebound::validate {

// Major grows when a reader of the old form would misread the new one, minor
// when members are added.
inline constexpr int kReportSchemaMajor = 1;
inline constexpr int kReportSchemaMinor = 0;

// One cell a line, so that large reports can be read line by line.
std::string RenderJson(const Findings& findings);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_RENDER_JSON_H_
