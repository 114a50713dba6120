// The rule that turns a predicted and a measured number into a verdict
// (docs/design.md section 9), and nothing else.
//
//   Judge({.predicted = 58.4, .measured = 64.5, .low = 64.5, .high = 64.5,
//          .tolerance = 3.2})                            // kOptimistic
#ifndef TILEBOUND_VALIDATE_VERDICT_H_
#define TILEBOUND_VALIDATE_VERDICT_H_

#include <string>

#include "data/schema/tolerances.pb.h"

namespace tilebound::validate {

enum class Verdict {
  kAgrees,
  // Predicted too low: less latency, or less cost, than was measured.
  kOptimistic,
  // Predicted too high.
  kPessimistic,
  kNotCompared,
};

// "AGREES", "OPTIMISTIC", "PESSIMISTIC", "NOT COMPARED".
std::string VerdictName(Verdict verdict);

// One number on both sides, in the metric's unit.
struct Pair {
  double predicted;
  double measured;
  // Order-statistic interval of the measured quantile; both equal to
  // `measured` where there is none.
  double low;
  double high;
  // Half the width of the tolerance band, from BandHalfWidth.
  double tolerance;
};

// The largest of one quantum, relative * |measured| and absolute.
// `quantum` is in the metric's unit, 0 for what is not counted in quanta.
// Published device times are whole quanta rounded to two decimals, so a
// hundredth of a quantum is added to a quantum: without it, a prediction that
// is off by one tick would miss its band by the rounding of the paper.
double BandHalfWidth(const pb::Tolerance& tolerance, double measured,
                     double quantum);

// AGREES when predicted is in [low - tolerance, high + tolerance], ends
// included.
Verdict Judge(const Pair& pair);

// Whether predicted is in measured +- tolerance, without the interval.
bool WithinBand(const Pair& pair);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_VERDICT_H_
