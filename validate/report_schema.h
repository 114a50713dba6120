// The version of report.json, which docs/report.md documents.
#ifndef TILEBOUND_VALIDATE_REPORT_SCHEMA_H_
#define TILEBOUND_VALIDATE_REPORT_SCHEMA_H_

namespace tilebound::validate {

// Major grows when a reader of the old form would misread the new one, minor
// when members are added.
inline constexpr int kReportSchemaMajor = 1;
inline constexpr int kReportSchemaMinor = 0;

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_REPORT_SCHEMA_H_
