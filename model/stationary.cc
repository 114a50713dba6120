#include "model/stationary.h"

#include <algorithm>

namespace tilebound::model {

void StationaryTrace::BuildIndex() {
  constexpr int64_t kMostBuckets = 1 << 18;
  while (length_ps_ >> bucket_bits_ > kMostBuckets) ++bucket_bits_;
  const size_t buckets = static_cast<size_t>(length_ps_ >> bucket_bits_) + 2;
  for (const std::vector<int64_t>& starts : starts_) {
    std::vector<uint32_t>& index = index_.emplace_back(buckets);
    uint32_t at = 0;
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
      const int64_t from = static_cast<int64_t>(bucket) << bucket_bits_;
      while (at + 1 < starts.size() && starts[at] < from) ++at;
      index[bucket] = at;
    }
  }
}

uint64_t StationaryTrace::TilesInStretch() const {
  uint64_t tiles = 0;
  for (const std::vector<int64_t>& starts : starts_) {
    tiles += static_cast<uint64_t>(
        std::lower_bound(starts.begin(), starts.end(), length_ps_) -
        starts.begin());
  }
  return tiles;
}

}  // namespace tilebound::model
