// The accuracy of a set of comparisons as a table, one row a metric and
// quantile: shared by every format.
#ifndef TILEBOUND_VALIDATE_SUMMARY_TABLE_H_
#define TILEBOUND_VALIDATE_SUMMARY_TABLE_H_

#include <optional>
#include <string>
#include <vector>

#include "data/io/table.h"
#include "validate/findings.h"
#include "validate/statistics.h"

namespace tilebound::validate {

// "who" is "model", "model, soft figures" or "baseline fair".
struct NamedAccuracy {
  std::string who;
  const AccuracyTable* accuracy;
};
// The model first. Points into `findings`.
std::vector<NamedAccuracy> AllAccuracies(const Findings& findings);

Table SummaryTable(const std::vector<NamedAccuracy>& accuracies);

// The cells with the largest errors, as a table.
Table WorstTable(const Findings& findings);

// "24 of 24 measured cells compared; ..." in one line.
std::string CoverageLine(const Coverage& coverage);

// "12.3 %" and "+12.3 %", or "-".
std::string Percent(const std::optional<double>& share);
std::string SignedPercent(const std::optional<double>& share);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_SUMMARY_TABLE_H_
