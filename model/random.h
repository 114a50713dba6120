// The random numbers of the model: SplitMix64 and transforms of our own,
// because the distributions of the standard library and of Abseil change
// between builds and a seed must give the same prediction everywhere.
//
//   Random random(StreamSeed({seed, cell, sm}));
//   double u = random.Unit();
#ifndef TILEBOUND_MODEL_RANDOM_H_
#define TILEBOUND_MODEL_RANDOM_H_

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "data/io/split_mix.h"

namespace tilebound::model {

class Random : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;

  // Uniform in [0, 1), 53 bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // A bell curve of mean 0 and deviation 1, within +-kMostBell: the sum of four
  // uniform draws (Irwin and Hall), each 16 bits of one number. Integers only,
  // so it is fast and the same on every machine.
  double Bell() {
    const uint64_t bits = Next();
    const int64_t sum =
        static_cast<int64_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                             (bits >> 32 & 0xffff) + (bits >> 48));
    // Each part has mean (2^16 - 1) / 2 and variance (2^32 - 1) / 12.
    return static_cast<double>(2 * sum - 4 * 0xffff) * 1.3214498960651507e-05;
  }

  // Exponential, less its mean: mean 0, deviation 1, at least -1 and at most
  // kMostLate. An exponential is ln 2 times a geometric number of halvings, and
  // a remainder within one halving, which is looked up: integers and a table,
  // fast and the same on every machine.
  double Late() {
    const uint64_t bits = Next();
    const int halvings =
        std::countl_zero(bits | (uint64_t{1} << (64 - kMostHalvings)));
    return kLn2 * halvings + WithinHalving()[bits & (kHalvingSteps - 1)] - 1;
  }

  // Standard normal, Box and Muller's transform, one of the pair kept.
  double Normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log1p(-Unit()));
    const double angle = 6.283185307179586 * Unit();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

  static constexpr double kMostBell = 3.47;
  static constexpr int kMostHalvings = 16;
  static constexpr double kMostLate = 0.6931471805599453 * kMostHalvings - 1;

 private:
  static constexpr double kLn2 = 0.6931471805599453;
  static constexpr uint64_t kHalvingSteps = 1024;

  // Remainders -ln(1 - u / 2) at the middles of as many equal steps of u.
  static const std::array<double, kHalvingSteps>& WithinHalving();

  double spare_ = 0;
  bool has_spare_ = false;
};

inline const std::array<double, Random::kHalvingSteps>&
Random::WithinHalving() {
  static const auto steps = [] {
    std::array<double, kHalvingSteps> made;
    for (uint64_t i = 0; i < kHalvingSteps; ++i) {
      made[i] =
          -std::log1p(-(static_cast<double>(i) + 0.5) / (2.0 * kHalvingSteps));
    }
    return made;
  }();
  return steps;
}

// One well-mixed seed from the numbers that name a stream.
inline uint64_t StreamSeed(std::initializer_list<uint64_t> name) {
  uint64_t seed = 0x7469'6c65'626f'756e;  // "tileboun"
  for (uint64_t part : name) seed = Random(seed ^ part).Next();
  return seed;
}

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RANDOM_H_
