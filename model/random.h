// The random numbers of the model: SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014) and transforms of
// our own, because the distributions of the standard library and of Abseil
// change between builds and a seed must give the same prediction everywhere.
//
//   Random random(StreamSeed({seed, cell, sm}));
//   double u = random.Unit();
#ifndef TILEBOUND_MODEL_RANDOM_H_
#define TILEBOUND_MODEL_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace tilebound::model {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1), 53 bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // Uniform in [0, n), n > 0; the bias is under n / 2^64.
  uint64_t Below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >>
                                 64);
  }

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
  uint64_t state_;
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
