#include "gpu/recorder/collector.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/chunk_view.h"
#include "data/trace/record.h"
#include "data/trace/writer.h"

namespace tilebound::gpu {
namespace {

constexpr int64_t kPsPerNs = 1000;

// A ring in the order in which it was written.
struct Unrolled {
  std::vector<RecorderRecord> records;
  uint64_t dropped = 0;
};

// Where the oldest record lies in a ring that is full, if the block did not
// exit and so did not say: behind the place where time goes back.
size_t OldestOfFullRing(const std::vector<RecorderRecord>& ring) {
  for (size_t i = 1; i < ring.size(); ++i) {
    if (ring[i].time_ns < ring[i - 1].time_ns) return i;
  }
  return 0;
}

Unrolled Unroll(const RecorderBlock& block, uint32_t capacity,
                std::vector<RecorderRecord> ring) {
  Unrolled out;
  const bool exited = block.exit_ns != 0;
  if (block.laps == 0) {
    if (!exited) {
      const auto end = std::find_if(
          ring.begin(), ring.end(),
          [](const RecorderRecord& record) { return record.what == 0; });
      ring.erase(end, ring.end());
    }
    out.records = std::move(ring);
    return out;
  }
  const size_t oldest = exited ? block.next : OldestOfFullRing(ring);
  out.dropped = uint64_t{block.laps - 1} * capacity + oldest;
  std::rotate(ring.begin(), ring.begin() + oldest, ring.end());
  out.records = std::move(ring);
  return out;
}

bool IsRecorded(uint32_t kind) {
  return kind >= kRecordedPop && kind <= kRecordedFlagSet;
}

class Collector {
 public:
  Collector(RingSource& rings, TraceWriter writer, uint64_t epoch_ns)
      : rings_(rings),
        writer_(std::move(writer)),
        epoch_ns_(epoch_ns),
        slots_(SlotsByAge(rings.blocks())) {}

  absl::Status AddBlock(uint32_t id) {
    const RecorderBlock& block = rings_.blocks()[id];
    if (block.start_ns == 0) {
      ++summary_.unfinished_blocks;
      return absl::OkStatus();
    }
    TILEBOUND_ASSIGN_OR_RETURN(const int64_t start, Time(id, block.start_ns));
    Append(id, Record::BlockStart(start, block.sm, slots_[id]));
    TILEBOUND_ASSIGN_OR_RETURN(auto ring, rings_.Ring(id));
    const Unrolled unrolled = Unroll(block, rings_.capacity(), std::move(ring));
    if (unrolled.dropped > 0) {
      Append(id, Record::Drop(start, unrolled.dropped));
      summary_.dropped += unrolled.dropped;
      ++summary_.blocks_that_dropped;
    }
    for (const RecorderRecord& record : unrolled.records) {
      TILEBOUND_RETURN_IF_ERROR(AddRecord(id, record));
    }
    if (block.exit_ns == 0) {
      ++summary_.unfinished_blocks;
      return absl::OkStatus();
    }
    TILEBOUND_ASSIGN_OR_RETURN(const int64_t exit, Time(id, block.exit_ns));
    Append(id, Record::BlockExit(exit));
    return absl::OkStatus();
  }

  absl::Status AddHostSet(const HostSet& set) {
    TILEBOUND_ASSIGN_OR_RETURN(const int64_t time,
                               Time(kHostStream, set.time_ns));
    Append(kHostStream, Record::FlagSet(time, set.generation));
    return absl::OkStatus();
  }

  absl::StatusOr<CollectSummary> Finish() {
    TILEBOUND_RETURN_IF_ERROR(writer_.Finish());
    return summary_;
  }

 private:
  void Append(uint32_t stream, const Record& record) {
    writer_.Append(stream, record);
    ++summary_.records;
  }

  absl::Status AddRecord(uint32_t stream, const RecorderRecord& packed) {
    const uint32_t kind = RecordKindOf(packed.what);
    if (!IsRecorded(kind)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "recording: ", StreamName(stream), ": a record of kind ", kind,
          " at ", packed.time_ns, " ns; accepted: ", kRecordedPop, " to ",
          kRecordedFlagSet));
    }
    Record record;
    record.kind = static_cast<RecordKind>(kind);
    record.site = static_cast<uint8_t>(RecordSiteOf(packed.what));
    record.detail = RecordTileOf(packed.what);
    record.value = RecordValueOf(packed.what);
    TILEBOUND_ASSIGN_OR_RETURN(record.time_ps, Time(stream, packed.time_ns));
    Append(stream, record);
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Time(uint32_t stream, uint64_t ns) const {
    const auto since = static_cast<int64_t>(ns - epoch_ns_);
    if (since > kMostTime / kPsPerNs || since < -(kMostTime / kPsPerNs)) {
      return absl::InvalidArgumentError(
          absl::StrCat("recording: ", StreamName(stream), ": a time of ", ns,
                       " ns is more than 26 days from the first, ", epoch_ns_));
    }
    return since * kPsPerNs;
  }

  RingSource& rings_;
  TraceWriter writer_;
  const uint64_t epoch_ns_;
  const std::vector<uint32_t> slots_;
  CollectSummary summary_;
};

// The first stamp that is sure to be the least of its stream.
uint64_t Epoch(const std::vector<RecorderBlock>& blocks,
               const std::vector<HostSet>& host_sets) {
  uint64_t epoch = std::numeric_limits<uint64_t>::max();
  for (const RecorderBlock& block : blocks) {
    if (block.start_ns != 0) epoch = std::min(epoch, block.start_ns);
  }
  for (const HostSet& set : host_sets) epoch = std::min(epoch, set.time_ns);
  return epoch;
}

}  // namespace

std::vector<uint32_t> SlotsByAge(const std::vector<RecorderBlock>& blocks) {
  std::vector<uint32_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&blocks](uint32_t a, uint32_t b) {
    if (blocks[a].sm != blocks[b].sm) return blocks[a].sm < blocks[b].sm;
    if (blocks[a].start_ns != blocks[b].start_ns) {
      return blocks[a].start_ns < blocks[b].start_ns;
    }
    return a < b;
  });
  std::vector<uint32_t> slots(blocks.size());
  // Blocks of the SM at hand that have not exited yet.
  std::vector<uint32_t> resident;
  for (size_t i = 0; i < order.size(); ++i) {
    const RecorderBlock& block = blocks[order[i]];
    if (i > 0 && blocks[order[i - 1]].sm != block.sm) resident.clear();
    resident.erase(std::remove_if(resident.begin(), resident.end(),
                                  [&](uint32_t other) {
                                    const uint64_t exit = blocks[other].exit_ns;
                                    return exit != 0 && exit <= block.start_ns;
                                  }),
                   resident.end());
    slots[order[i]] = static_cast<uint32_t>(resident.size());
    if (block.start_ns != 0) resident.push_back(order[i]);
  }
  return slots;
}

absl::StatusOr<CollectSummary> CollectTrace(
    RingSource& rings, pb::TraceHeader header,
    const std::vector<HostSet>& host_sets, const std::string& path) {
  const size_t blocks = rings.blocks().size();
  if (header.blocks() == 0) header.set_blocks(static_cast<uint32_t>(blocks));
  if (header.blocks() != blocks) {
    return absl::InvalidArgumentError(
        absl::StrCat("trace header: blocks is ", header.blocks(),
                     "; the recording has ", blocks));
  }
  if (header.time_unit_ps() == 0) header.set_time_unit_ps(kPsPerNs);
  for (size_t b = 0; b < blocks; ++b) {
    const RecorderBlock& block = rings.blocks()[b];
    if (block.next >= rings.capacity()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "recording: block ", b, ": its next record would go to place ",
          block.next, " of a ring of ", rings.capacity()));
    }
  }
  TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
                             TraceWriter::Create(path, std::move(header)));
  Collector collector(rings, std::move(writer),
                      Epoch(rings.blocks(), host_sets));
  for (uint32_t b = 0; b < blocks; ++b) {
    TILEBOUND_RETURN_IF_ERROR(collector.AddBlock(b));
  }
  for (const HostSet& set : host_sets) {
    TILEBOUND_RETURN_IF_ERROR(collector.AddHostSet(set));
  }
  return collector.Finish();
}

}  // namespace tilebound::gpu
