// The random numbers of the model: SplitMix64 and transforms of our own,
// because the distributions of the standard library and of Abseil change
// between builds and a seed must give the same prediction everywhere.
//
//   Random random(StreamSeed({seed, cell, sm}));
//   double u = random.Unit();
#ifndef TILEBOUND_MODEL_RANDOM_H_
#define TILEBOUND_MODEL_RANDOM_H_

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

 private:
  double spare_ = 0;
  bool has_spare_ = false;
};

// One well-mixed seed from the numbers that name a stream.
inline uint64_t StreamSeed(std::initializer_list<uint64_t> name) {
  uint64_t seed = 0x7469'6c65'626f'756e;  // "tileboun"
  for (uint64_t part : name) seed = Random(seed ^ part).Next();
  return seed;
}

}  // namespace tilebound::model

#endif  // TILEBOUND_MODEL_RANDOM_H_
