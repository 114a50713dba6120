// The project's random numbers: SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014), the same from a
// seed with any compiler and library. Use it wherever something is drawn; what
// is not uniform is made of it by transforms of our own.
//
//   SplitMix64 random(seed);
//   uint64_t die = 1 + random.Below(6);
#ifndef TILEBOUND_DATA_IO_SPLIT_MIX_H_
#define TILEBOUND_DATA_IO_SPLIT_MIX_H_

#include <cstdint>

namespace tilebound {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in 0 .. n - 1; n > 0. The bias is under n / 2^64.
  uint64_t Below(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >>
                                 64);
  }

 private:
  uint64_t state_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_SPLIT_MIX_H_
