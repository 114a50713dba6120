#include "oracle/pass.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/trace/header.h"
#include "oracle/rules.h"

namespace tilebound::oracle {
namespace {

// The first of `names`, and how many more there are.
std::string Listed(const std::vector<uint32_t>& streams, uint64_t count) {
  std::string text;
  for (const uint32_t stream : streams) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", StreamName(stream));
  }
  if (count > streams.size()) {
    absl::StrAppend(&text, " and ", count - streams.size(), " more");
  }
  return text;
}

// Streams to be listed: the first few by number, and a count.
class StreamList {
 public:
  void Add(uint32_t stream) {
    ++count_;
    if (first_.size() < 3) first_.push_back(stream);
  }
  void Say(absl::string_view what, std::vector<std::string>& reasons) const {
    if (count_ > 0)
      reasons.push_back(absl::StrCat(what, Listed(first_, count_)));
  }

 private:
  uint64_t count_ = 0;
  std::vector<uint32_t> first_;
};

}  // namespace

TracePass::TracePass(const TraceReader& reader, const TraceFacts& facts,
                     TaskSet& tasks, uint32_t thread, uint32_t threads)
    : reader_(reader),
      facts_(facts),
      thread_(thread),
      threads_(threads),
      handoff_(facts.sets, std::max<int64_t>(1, facts.header.quantum_ps())) {
  for (const RuleInfo& info : AllRules()) {
    Rule* rule = rules_.emplace_back(info.make(facts, tasks)).get();
    if (rule->wants_tiles()) tile_rules_.push_back(rule);
    for (int kind = kFirstRecordKind; kind <= kLastRecordKind; ++kind) {
      if ((rule->kinds() >> kind) & 1) record_rules_[kind].push_back(rule);
    }
  }
}

Stream& TracePass::StreamOf(uint32_t id) {
  std::unique_ptr<Stream>& stream = streams_[id];
  if (stream == nullptr) {
    const StreamRole role = id == kHostStream             ? StreamRole::kHost
                            : id < facts_.header.blocks() ? StreamRole::kWorker
                                                          : StreamRole::kUrgent;
    stream = std::make_unique<Stream>(id, role, streams_.size() - 1);
  }
  return *stream;
}

void TracePass::Run() {
  DecodedChunk decoded;
  ChunkCursor cursor = reader_.Chunks();
  const int64_t unit = TimeUnit(facts_.header);
  while (cursor.Next()) {
    const ChunkView& view = cursor.chunk();
    const uint32_t owner =
        view.block == kHostStream ? 0 : view.block % threads_;
    if (owner != thread_) continue;
    absl::Status status = decoded.Decode(cursor.Whole(), unit);
    if (status.ok() && view.block >= reader_.streams() &&
        view.block != kHostStream) {
      status = absl::DataLossError(absl::StrCat("chunk of block ", view.block,
                                                ", which the header lacks"));
    }
    if (!status.ok()) {
      damage_.push_back({cursor.offset(), std::string(status.message())});
      continue;
    }
    OnChunk(decoded, StreamOf(view.block));
  }
  end_ = cursor.end();
  for (const auto& [id, stream] : streams_) {
    for (const auto& rule : rules_) rule->OnStreamEnd(*stream);
  }
}

void TracePass::OnChunk(const DecodedChunk& chunk, Stream& stream) {
  for (const DecodedChunk::Segment& segment : chunk.segments()) {
    if (segment.tiles) {
      OnTiles(stream,
              {segment.first_sequence, segment.count,
               chunk.tile_task().data() + segment.first,
               chunk.tile_pop().data() + segment.first,
               chunk.tile_end().data() + segment.first, chunk.rising()});
      continue;
    }
    for (uint32_t i = 0; i < segment.count; ++i) {
      OnRecord(stream, segment.first_sequence + i,
               chunk.singles()[segment.first + i]);
    }
  }
}

void TracePass::Number(Stream& stream, uint64_t sequence) {
  if (sequence == stream.next_sequence) [[likely]] {
    return;
  }
  stream.back = sequence < stream.next_sequence;
  stream.gap = stream.back ? 0 : sequence - stream.next_sequence;
  stream.missing += std::max<uint64_t>(1, stream.gap);
  for (const auto& rule : rules_) rule->OnMissing(stream);
  stream.Forget();
}

void TracePass::OnRecord(Stream& stream, uint64_t sequence,
                         const Record& record) {
  Number(stream, sequence);
  for (Rule* rule : record_rules_[static_cast<int>(record.kind)]) {
    rule->OnRecord(stream, sequence, record);
  }
  handoff_.OnRecord(stream.id, record);
  ++counts_.records;
  switch (record.kind) {
    case RecordKind::kTileEnd:
      ++counts_.executions;
      break;
    case RecordKind::kAbandon:
      ++counts_.abandons;
      break;
    case RecordKind::kObserve:
      ++counts_.observations;
      break;
    case RecordKind::kClaim:
      ++counts_.claims;
      break;
    case RecordKind::kUrgentEnd:
      ++counts_.urgent_tiles;
      break;
    case RecordKind::kDrop:
      counts_.dropped += record.value;
      // A drop without a gap is a fault, but the loss may be real.
      if (stream.gap == 0 && record.value > 0) ++stream.missing;
      break;
    default:
      break;
  }
  stream.Advance(sequence, record);
  stream.gap = 0;
  stream.back = false;
}

void TracePass::OnTiles(Stream& stream, const TileRun& run) {
  Number(stream, run.first_sequence);
  for (Rule* rule : tile_rules_) rule->OnTiles(stream, run);
  counts_.records += 2 * run.count;
  counts_.executions += run.count;
  stream.Advance(run);
  stream.gap = 0;
  stream.back = false;
}

void TracePass::Absorb(TracePass& other) {
  for (size_t i = 0; i < rules_.size(); ++i) {
    rules_[i]->Absorb(*other.rules_[i]);
  }
  for (auto& [id, stream] : other.streams_) streams_[id] = std::move(stream);
  handoff_.Absorb(other.handoff_);
  counts_.records += other.counts_.records;
  counts_.executions += other.counts_.executions;
  counts_.observations += other.counts_.observations;
  counts_.claims += other.counts_.claims;
  counts_.urgent_tiles += other.counts_.urgent_tiles;
  counts_.abandons += other.counts_.abandons;
  counts_.dropped += other.counts_.dropped;
  damage_.insert(damage_.end(), other.damage_.begin(), other.damage_.end());
}

void TracePass::Locate(Place& place) const {
  const auto stream = streams_.find(place.stream);
  if (place.sm >= 0 || stream == streams_.end()) return;
  place.sm = stream->second->sm;
  place.slot = stream->second->slot;
}

std::vector<std::string> TracePass::Conclude() {
  for (const auto& rule : rules_) rule->Conclude();
  counts_.events = facts_.sets.events().size();
  counts_.chunks = end_.chunks;
  std::vector<std::string> reasons;
  if (!end_.whole) reasons.push_back(end_.why);
  std::sort(
      damage_.begin(), damage_.end(),
      [](const Damage& a, const Damage& b) { return a.offset < b.offset; });
  for (size_t i = 0; i < damage_.size() && i < 3; ++i) {
    reasons.push_back(
        absl::StrCat(damage_[i].why, " at byte ", damage_[i].offset));
  }
  if (damage_.size() > 3) {
    reasons.push_back(absl::StrCat(damage_.size() - 3, " more damaged chunks"));
  }
  // std::map: by number, whatever the threads.
  std::map<uint32_t, const Stream*> streams;
  for (const auto& [id, stream] : streams_) streams[id] = stream.get();
  counts_.blocks = streams.size() - streams.count(kHostStream);
  StreamList lossy, unfinished, silent;
  for (const auto& [id, stream] : streams) {
    if (stream->missing > 0) lossy.Add(id);
    if (id != kHostStream && stream->life != Life::kGone) unfinished.Add(id);
  }
  for (uint32_t block = 0; block < facts_.header.blocks(); ++block) {
    if (streams.count(block) == 0) silent.Add(block);
  }
  lossy.Say("records are missing from ", reasons);
  unfinished.Say("no exit is recorded of ", reasons);
  silent.Say("nothing is recorded of ", reasons);
  return reasons;
}

}  // namespace tilebound::oracle
