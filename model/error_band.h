// By how much a predicted p50 and p99 may be off, either way.
//
//   const ErrorBand band = BandOf(calibration, key, part.sm_count());
//   p99_high_us = p99_us * (1 + band.p99_pct / 100);
//
// Two errors add up, as squares do: what the model gets wrong with a perfect
// calibration, which the accuracy tests hold it to; and how well the
// calibration knows the tile time of the slot that the latency follows, the
// youngest on the fullest SM:
//   measured          its interval; a published figure without one: its digits
//   fitted, computed  what computed tile times are off by, and the interval of
//                     the fit or the computation
//   nothing measured  UNCALIBRATED: the error that leaving out one calibrated
//                     part at a time gives (docs/model.md)
#ifndef TILEBOUND_MODEL_ERROR_BAND_H_
#define TILEBOUND_MODEL_ERROR_BAND_H_

#include <cstdint>
#include <string>

#include "data/schema/calibration.pb.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/surface.pb.h"

namespace tilebound::model {

// What the accuracy tests hold the model to (//model:accuracy_test): single
// cells within 5 % at p50, within 6 % at p99.
inline constexpr double kModelP50Pct = 5;
inline constexpr double kModelP99Pct = 6;

// A figure read off a publication without an interval: half of its last digit.
inline constexpr double kPublishedDigitPct = 1;

// A tile time that was computed or fitted: the largest distance of a computed
// slot tile time from a measured one.
inline constexpr double kComputedPct = 5;

// Predicted from counted demand and the part's facts alone.
inline constexpr double kUncalibratedP50Pct = 15;
inline constexpr double kUncalibratedP99Pct = 15;

struct ErrorBand {
  // Half-widths, relative to the value.
  double p50_pct = 0;
  double p99_pct = 0;
  // Nothing was measured for this part and kernel.
  bool uncalibrated = false;
  // What the calibration's part rests on, in words.
  std::string why;
};

ErrorBand BandOf(const pb::Calibration& calibration, const pb::CellKey& key,
                 uint32_t sm_count);

// Adds metric error_band to a predicted cell. No band is narrower than a tick
// of the timer of `quantum_ps` at the cell's latency (else e2e, else wait).
void AddErrorBand(const ErrorBand& band, uint64_t quantum_ps, pb::Cell& cell);

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_ERROR_BAND_H_
