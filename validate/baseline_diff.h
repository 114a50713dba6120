// What got better or worse since an earlier report.
//
//   TILEBOUND_ASSIGN_OR_RETURN(EarlierReport earlier, ReadEarlierReport(path));
//   BaselineDiff diff = DiffAgainst(earlier, findings);
#ifndef TILEBOUND_VALIDATE_BASELINE_DIFF_H_
#define TILEBOUND_VALIDATE_BASELINE_DIFF_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "validate/findings.h"

namespace tilebound::validate {

// One figure of an earlier report.
struct EarlierFigure {
  double predicted;
  double measured;
  std::string verdict;
};

struct EarlierReport {
  std::string path;
  // By FigureId.
  std::map<std::string, EarlierFigure> figures;
};

// Errors name the path and what is wrong: no JSON, not a report, a newer
// schema.
absl::StatusOr<EarlierReport> ReadEarlierReport(const std::string& path);

struct FigureChange {
  ComparisonRef now;
  EarlierFigure before;
  // |error| now less |error| before, in the metric's unit: below 0 is better.
  double change;
};

struct BaselineDiff {
  std::string path;
  // Beyond the noise of the figure, the largest change first.
  std::vector<FigureChange> better;
  std::vector<FigureChange> worse;
  size_t unchanged = 0;
  // Figures that only one of the two reports compared.
  size_t added = 0;
  size_t gone = 0;
};

// Figures are matched by cell, measured surface, metric, slot and quantile; the
// model's first prediction of a cell counts. A change is noise while it is
// within one timer quantum of the measurement or half its order-statistic
// interval, whichever is larger; figures that have neither count any change.
BaselineDiff DiffAgainst(const EarlierReport& earlier,
                         const Findings& findings);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_BASELINE_DIFF_H_
