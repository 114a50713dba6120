// The rows behind the interactive table and the plots, as JSON for the page's
// own script (validate/web/report.js). Not a public format: report.json is.
#ifndef TILEBOUND_VALIDATE_PLOT_DATA_H_
#define TILEBOUND_VALIDATE_PLOT_DATA_H_

#include <string>

#include "validate/findings.h"

namespace tilebound::validate {

// A document that can stand inside a script element: '<' is escaped. At most
// kRowsKept rows; larger reports keep the headline figure of each cell, then
// every n-th cell, and say so in "rows_total".
std::string PlotDataJson(const Findings& findings);

inline constexpr size_t kRowsKept = 100000;
inline constexpr size_t kDistributionsKept = 100;
inline constexpr size_t kSlotFiguresKept = 2000;

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_PLOT_DATA_H_
