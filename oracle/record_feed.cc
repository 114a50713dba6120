#include "oracle/record_feed.h"

#include <utility>

namespace tilebound::oracle {
namespace {

// How many entries ahead the writer is told of a stream: long enough for memory
// to answer, short enough for the answer still to be there.
constexpr size_t kFarAhead = 16;
constexpr size_t kAhead = 8;

}  // namespace

RecordFeed::RecordFeed(TraceWriter& writer, bool threaded)
    : writer_(writer),
      batch_(threaded ? kBatch : kNearBatch),
      filling_(NewBatch()) {
  if (threaded) thread_ = std::thread([this] { WriteAll(); });
}

void RecordFeed::HandOver() {
  if (!thread_.joinable()) {
    Write(filling_);
  } else {
    std::unique_lock<std::mutex> lock(mutex_);
    if (waiting() == kBatches) {
      changed_.wait(lock, [this] { return waiting() <= kBatches / 2; });
    }
    std::swap(filling_, ring_[filled_ % kBatches]);
    ++filled_;
    if (waiting() == kBatches / 2) changed_.notify_one();
  }
  if (filling_.entries == nullptr) filling_ = NewBatch();
  filling_.size = 0;
}

void RecordFeed::Write(const Batch& batch) {
  for (size_t i = 0; i < batch.size; ++i) {
    if (i + kFarAhead < batch.size) {
      writer_.Prefetch(batch.entries[i + kFarAhead].stream);
      writer_.PrefetchTile(batch.entries[i + kAhead].stream);
    }
    const Entry& entry = batch.entries[i];
    if (entry.kind == kTile) {
      writer_.AppendTile(entry.stream, entry.value, entry.time_ps, entry.more);
    } else {
      writer_.Append(entry.stream,
                     Record{.kind = static_cast<RecordKind>(entry.kind),
                            .site = entry.site,
                            .detail = static_cast<uint32_t>(entry.more),
                            .value = entry.value,
                            .time_ps = entry.time_ps});
    }
  }
}

void RecordFeed::WriteAll() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    if (waiting() == 0) {
      changed_.wait(lock,
                    [this] { return waiting() >= kBatches / 2 || over_; });
      if (waiting() == 0) return;
    }
    const Batch& batch = ring_[written_ % kBatches];
    lock.unlock();
    Write(batch);
    lock.lock();
    ++written_;
    if (waiting() == kBatches / 2) changed_.notify_one();
  }
}

void RecordFeed::Finish() {
  HandOver();
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

}  // namespace tilebound::oracle
