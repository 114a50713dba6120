// The table of cells that people look at first: a row for each cell that both
// sides have, with the figure that matters most in it.
#ifndef TILEBOUND_VALIDATE_CELL_TABLE_H_
#define TILEBOUND_VALIDATE_CELL_TABLE_H_

#include <string>
#include <vector>

#include "data/io/table.h"
#include "validate/findings.h"

namespace tilebound::validate {

// What stands for a cell: its latency, or the first distribution in the order
// of the metric registry that was compared, or the first figure of any kind.
struct Headline {
  // Both null for a cell without any figure. A scalar is in p50.
  const Comparison* p50 = nullptr;
  const Comparison* p99 = nullptr;
  // "AGREES", or which quantile is what: "p99 OPTIMISTIC".
  std::string verdict;
};
Headline HeadlineOf(const CellComparison& cell);

// For people: the axes that vary, rounded figures, the model only, without
// baselines, at most kReadableRows.
Table ReadableCellTable(const Findings& findings);

// More rows than this nobody reads.
inline constexpr size_t kReadableRows = 500;

// For programs: every axis and every surface, full precision.
Table FullCellTable(const Findings& findings);

// The model's cells, baselines left out.
std::vector<const CellComparison*> ModelCells(const Findings& findings);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_CELL_TABLE_H_
