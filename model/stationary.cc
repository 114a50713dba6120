#include "model/stationary.h"

#include <algorithm>

namespace tilebound::model {

bool StationaryTrace::HasLooksInside(const std::vector<Mark>& marks) {
  return std::any_of(marks.begin() + 1, marks.end(),
                     [](const Mark& mark) { return mark.decides; });
}

void StationaryTrace::AddLook(uint32_t slot, int64_t time_ps, const Mark& mark,
                              int64_t& sample_ps) {
  if (mark.samples) sample_ps = time_ps + mark.sample_offset_ps;
  if (!mark.decides || time_ps < 0) return;
  LookColumns& looks = looks_[slot];
  looks.sample_ps.push_back(sample_ps);
  looks.observe_ps.push_back(time_ps + mark.observe_offset_ps);
  looks.next_tile.push_back(static_cast<uint32_t>(starts_[slot].size()));
  looks.inside.push_back(mark.inside);
}

void StationaryTrace::BuildIndex() {
  constexpr int64_t kMostBuckets = 1 << 18;
  while (length_ps_ >> bucket_bits_ > kMostBuckets) ++bucket_bits_;
  const size_t buckets = static_cast<size_t>(length_ps_ >> bucket_bits_) + 2;
  for (uint32_t slot = 0; slot < blocks(); ++slot) {
    const std::vector<int64_t>& times =
        inside_ ? looks_[slot].sample_ps : starts_[slot];
    std::vector<uint32_t>& index = index_.emplace_back(buckets);
    uint32_t at = 0;
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
      const int64_t from = static_cast<int64_t>(bucket) << bucket_bits_;
      while (at + 1 < times.size() && times[at] < from) ++at;
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
