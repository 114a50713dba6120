// Joins predicted with measured surfaces by the fingerprints of their cells and
// judges every cell that both sides have.
//
//   Comparisons all = CompareSurfaces(predicted, measured, tolerances);
#ifndef TILEBOUND_VALIDATE_COMPARE_H_
#define TILEBOUND_VALIDATE_COMPARE_H_

#include <vector>

#include "data/schema/tolerances.pb.h"
#include "validate/comparison.h"

namespace tilebound::validate {

struct Comparisons {
  // In the order of the measured inputs and their cells, then of the predicted
  // inputs.
  std::vector<CellComparison> cells;
  // Measured cells that no prediction (baselines apart) has, and predicted
  // cells that nobody measured.
  std::vector<OneSidedCell> one_sided;
};

// `tolerances` must be valid. Any number of surfaces, also none.
Comparisons CompareSurfaces(const std::vector<Input>& predicted,
                            const std::vector<Input>& measured,
                            const pb::Tolerances& tolerances);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_COMPARE_H_
