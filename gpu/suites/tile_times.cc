#include "gpu/suites/tile_times.h"

namespace tilebound::gpu {

void TileTimes::Add(uint32_t slot, const std::vector<RecorderRecord>& records,
                    uint32_t warmup) {
  while (by_slot.size() <= slot) by_slot.emplace_back(quantum_ns * 1000);
  uint64_t begin_ns = 0, last_end_ns = 0;
  uint32_t ended = 0;
  for (const RecorderRecord& record : records) {
    const uint32_t kind = RecordKindOf(record.what);
    if (kind == kRecordedPop) begin_ns = record.time_ns;
    if (kind != kRecordedTileEnd) continue;
    if (++ended > warmup && begin_ns != 0 && last_end_ns != 0) {
      wall.Add((record.time_ns - begin_ns) / quantum_ns);
      by_slot[slot].Add((record.time_ns - last_end_ns) / quantum_ns);
    }
    last_end_ns = record.time_ns;
  }
}

}  // namespace tilebound::gpu
