#include "oracle/survey.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "data/trace/header.h"

namespace tilebound::oracle {
namespace {

void GatherSets(const DecodedChunk& chunk, uint32_t stream,
                std::vector<SetTable::Event>& sets) {
  for (const DecodedChunk::Segment& segment : chunk.segments()) {
    if (segment.tiles) continue;
    for (uint32_t i = 0; i < segment.count; ++i) {
      const Record& record = chunk.singles()[segment.first + i];
      if (record.kind != RecordKind::kFlagSet) continue;
      Place place;
      place.stream = stream;
      place.spot = {segment.first_sequence + i, record};
      sets.push_back({record.value, place});
    }
  }
}

// Found without decoding: two bytes hold a group of 128 at best, and
// compression is limited to 64.
uint64_t MostExecutions(const ChunkView& chunk) {
  const uint64_t most = chunk.columns_size * 64 * (chunk.compressed ? 64 : 1);
  return std::min<uint64_t>(chunk.records, most);
}

}  // namespace

TraceSurvey SurveyTrace(const TraceReader& reader) {
  TraceSurvey survey;
  std::vector<SetTable::Event> sets;
  DecodedChunk decoded;
  ChunkCursor cursor = reader.Chunks();
  while (cursor.Next()) {
    survey.most_executions += MostExecutions(cursor.chunk());
    if (!cursor.chunk().Has(RecordKind::kFlagSet)) continue;
    if (decoded.Decode(cursor.Whole(), TimeUnit(reader.header())).ok()) {
      GatherSets(decoded, cursor.chunk().block, sets);
    }
  }
  survey.sets = SetTable(std::move(sets));
  return survey;
}

}  // namespace tilebound::oracle
