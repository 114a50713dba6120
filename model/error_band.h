// By how much a predicted p50 and p99 may be off, either way.
//
//   const ErrorBand band = BandOf(calibration, key, part.sm_count());
//   p99_high_us = p99_us * (1 + band.p99_pct / 100);
//
// Two errors add up, as squares do: what the model gets wrong with a good
// calibration, by the published surface; and how well the
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

// With one and two blocks per SM the model was within 5 % at p50 and 8 % at p99
// of the published A10 surface, or a tick. Published tails are longer with more
// blocks than ours, by up to 12 % (docs/model.md).
inline constexpr double kModelP50Pct = 5;
inline constexpr double kModelP99Pct = 8;
inline constexpr double kModelP99CrowdedPct = 12;
inline constexpr uint32_t kCrowdedBlocksPerSm = 3;

// A figure read off a publication without an interval: half of its last digit.
inline constexpr double kPublishedDigitPct = 1;

// A tile time that was computed or fitted: what the youngest of three blocks
// was off by on the A10, 29.3 us against 31.
inline constexpr double kComputedPct = 5.5;

// Predicted from counted demand and the part's facts alone: the largest errors
// that leaving the A10 and the A100 out in turn gave (docs/model.md).
inline constexpr double kUncalibratedP50Pct = 25;
inline constexpr double kUncalibratedP99Pct = 19;

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
