// Judges one predicted cell against one measured cell: every metric that was
// measured, at every quantile that both sides can give.
//
//   CellComparer comparer(tolerances);
//   std::vector<Comparison> all = comparer.Compare(
//       predicted_cell, predicted.conditions(), measured_cell,
//       measured.conditions());
#ifndef TILEBOUND_VALIDATE_COMPARE_CELL_H_
#define TILEBOUND_VALIDATE_COMPARE_CELL_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"
#include "data/schema/tolerances.pb.h"
#include "validate/comparison.h"

namespace tilebound::validate {

// Why nothing of two surfaces can be compared, or "": clocks that differ by
// more than the tolerances allow. A clock that one side does not state cannot
// differ.
std::string ConditionsConflict(const pb::Conditions& predicted,
                               const pb::Conditions& measured,
                               const pb::Tolerances& tolerances);

class CellComparer {
 public:
  // `tolerances` must outlive the comparer and be valid.
  explicit CellComparer(const pb::Tolerances& tolerances)
      : tolerances_(tolerances) {}

  // In the order of the measured cell's metrics, quantiles ascending. Both
  // cells must have the same key.
  std::vector<Comparison> Compare(const pb::Cell& predicted,
                                  const pb::Conditions& predicted_conditions,
                                  const pb::Cell& measured,
                                  const pb::Conditions& measured_conditions);

 private:
  struct Side;
  Comparison CompareAt(const Side& predicted, const Side& measured, double q);
  const RankInterval& Ranks(double q, uint64_t n);

  const pb::Tolerances& tolerances_;
  // Exact binomial ranks take a while, and most cells have the same n.
  std::map<std::pair<double, uint64_t>, RankInterval> ranks_;
};

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_COMPARE_CELL_H_
