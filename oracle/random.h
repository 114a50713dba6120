// A portable source of random numbers: the same seed gives the same numbers
// with any compiler and library.
//
//   Random random(seed);
//   uint64_t die = 1 + random.Below(6);
//
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), whose output passes the
// usual tests and whose state is one word.
#ifndef TILEBOUND_ORACLE_RANDOM_H_
#define TILEBOUND_ORACLE_RANDOM_H_

#include <cstdint>

namespace tilebound::oracle {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // In 0 .. bound - 1; bound > 0. The bias is under bound / 2^64.
  uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(Next()) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_RANDOM_H_
