#include "validate/verdict.h"

#include <algorithm>
#include <cmath>

namespace tilebound::validate {
namespace {

constexpr double kRoundingQuanta = 0.01;

// Ends are included whatever the last bit of a subtraction says.
double Slack(const Pair& pair) {
  return 1e-9 * std::max(std::abs(pair.measured), pair.tolerance);
}

Verdict JudgeAgainst(const Pair& pair, double low, double high) {
  if (pair.predicted < low - pair.tolerance - Slack(pair)) {
    return Verdict::kOptimistic;
  }
  if (pair.predicted > high + pair.tolerance + Slack(pair)) {
    return Verdict::kPessimistic;
  }
  return Verdict::kAgrees;
}

}  // namespace

std::string VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "AGREES";
    case Verdict::kOptimistic:
      return "OPTIMISTIC";
    case Verdict::kPessimistic:
      return "PESSIMISTIC";
    case Verdict::kNotCompared:
      break;
  }
  return "NOT COMPARED";
}

double BandHalfWidth(const pb::Tolerance& tolerance, double measured,
                     double quantum) {
  return std::max({quantum * (1 + kRoundingQuanta),
                   tolerance.relative() * std::abs(measured),
                   tolerance.absolute()});
}

Verdict Judge(const Pair& pair) {
  return JudgeAgainst(pair, pair.low, pair.high);
}

bool WithinBand(const Pair& pair) {
  return JudgeAgainst(pair, pair.measured, pair.measured) == Verdict::kAgrees;
}

}  // namespace tilebound::validate
