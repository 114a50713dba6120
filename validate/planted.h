// Surfaces whose truth is known, for tests.
//
//   pb::Surface measured = PlantedSurface({.blocks = {16, 288}});
//   pb::Surface low = Scaled(measured, 0.9);   // predicts 10 % too little
#ifndef TILEBOUND_VALIDATE_PLANTED_H_
#define TILEBOUND_VALIDATE_PLANTED_H_

#include <cstdint>
#include <string>
#include <vector>

#include "data/io/split_mix.h"
#include "data/schema/histogram.h"
#include "data/schema/surface.pb.h"
#include "validate/comparison.h"

namespace tilebound::validate {

inline constexpr uint64_t kPlantedQuantumPs = 1'024'000;

// SplitMix64 with our own transforms, so that a seed means the same everywhere.
class PlantedRandom : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;
  // In (0, 1).
  double Uniform();
  // Box and Muller.
  double Normal();
};

struct PlantedOptions {
  pb::Provenance::Kind kind = pb::Provenance::MEASURED;
  std::string name = "planted";
  std::vector<uint32_t> blocks = {16, 36, 72, 144, 216, 288};
  std::vector<uint32_t> period = {1, 2, 4, 8};
  double sm_clock_mhz = 1200;
};

pb::CellKey PlantedKey(uint32_t blocks, uint32_t period);

// A cell for each pair of blocks and period; latency quantiles are p50 =
// blocks * period, in microseconds, and p99 = 1.25 p50; overhead is 2 %.
pb::Surface PlantedSurface(const PlantedOptions& options);

// Every distribution multiplied by `factor`, and PREDICTED.
pb::Surface Scaled(pb::Surface surface, double factor);

// Lognormal values with the given median (in quanta) and shape, floored.
Histogram LognormalHistogram(double median_quanta, double sigma, uint64_t n,
                             PlantedRandom& random);

// The surface as a command would have read it.
Input AsInput(pb::Surface surface);

}  // namespace tilebound::validate

#endif  // TILEBOUND_VALIDATE_PLANTED_H_
