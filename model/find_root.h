// Where a function that falls or rises throughout takes a value.
//
//   TILEBOUND_ASSIGN_OR_RETURN(double x, FindRoot(0, 2, /*target=*/2, Square));
#ifndef TILEBOUND_MODEL_FIND_ROOT_H_
#define TILEBOUND_MODEL_FIND_ROOT_H_

#include <functional>

#include "absl/status/statusor.h"

namespace tilebound::model {

// The x in [low, high] where `function` equals `target`: false position with
// Illinois' halving of the end that stays (Dowell and Jarratt, BIT 11, 1971),
// to a ten-thousandth of the range. kOutOfRange names the values that can be
// reached; an error of `function` is passed on.
absl::StatusOr<double> FindRoot(
    double low, double high, double target,
    const std::function<absl::StatusOr<double>(double)>& function);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_FIND_ROOT_H_
