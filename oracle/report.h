// A CheckReport as people and programs read it.
//
//   std::cout << ReportText(report);
//   std::cout << ReportsJson({report});
#ifndef TILEBOUND_ORACLE_REPORT_H_
#define TILEBOUND_ORACLE_REPORT_H_

#include <string>
#include <vector>

#include "data/io/exit_code.h"
#include "data/io/table.h"
#include "oracle/check.h"

namespace tilebound::oracle {

// The verdict first, then the witnesses, what was promised, counts, handoff
// latency and time taken.
std::string ReportText(const CheckReport& report);

// An array with an object for each report, witnesses with all their records.
std::string ReportsJson(const std::vector<CheckReport>& reports);

// A row for each report.
Table ReportsTable(const std::vector<CheckReport>& reports);

// The rules and their promises.
Table RulesTable();

// A violation outranks what cannot be told.
ExitCode ExitCodeFor(const std::vector<CheckReport>& reports);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_REPORT_H_
