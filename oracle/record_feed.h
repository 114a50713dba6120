// Carries records to a TraceWriter on a thread of its own, so that making a
// large trace and encoding it take the time of the longer of the two.
//
//   RecordFeed feed(writer, /*threaded=*/true);
//   feed.AppendTile(3, task, pop_ps, end_ps);
//   feed.Append(3, Record::BlockExit(end_ps));
//   feed.Finish();
//   TILEBOUND_RETURN_IF_ERROR(writer.Finish());
//
// The writer gets the records in the order of the calls, so the bytes are the
// same with the thread and without. At most kBatches * kBatch records wait (4
// MB); a process that dies loses them, and of those that the writer got what it
// says.
#ifndef TILEBOUND_ORACLE_RECORD_FEED_H_
#define TILEBOUND_ORACLE_RECORD_FEED_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include "data/trace/record.h"
#include "data/trace/writer.h"

namespace tilebound::oracle {

class RecordFeed {
 public:
  static constexpr size_t kBatch = 4096;
  // Enough that either thread has work while the other is off its core.
  static constexpr size_t kBatches = 32;
  // Without a thread a batch stays in the nearest cache.
  static constexpr size_t kNearBatch = 256;

  RecordFeed(TraceWriter& writer, bool threaded);
  RecordFeed(const RecordFeed&) = delete;
  RecordFeed& operator=(const RecordFeed&) = delete;
  ~RecordFeed() { Finish(); }

  void Append(uint32_t stream, const Record& record) {
    Add(stream, static_cast<uint8_t>(record.kind), record.site, record.time_ps,
        record.value, record.detail);
  }
  void AppendTile(uint32_t stream, uint64_t task, int64_t pop_ps,
                  int64_t end_ps) {
    Add(stream, kTile, 0, pop_ps, task, end_ps);
  }

  // Returns when the writer has got everything; no call may follow.
  void Finish();

 private:
  // A pop and its end in one, among the kinds of records.
  static constexpr uint8_t kTile = 0;
  // Half a cache line: between two cores, moving it is what it costs.
  struct Entry {
    uint32_t stream;
    uint8_t kind;
    uint8_t site;
    int64_t time_ps;
    uint64_t value;
    // Detail of a record, end of a tile.
    int64_t more;
  };
  struct Batch {
    std::unique_ptr<Entry[]> entries;
    size_t size = 0;
  };

  // Field by field into its place: a copy of an entry would wait for the stores
  // that made it.
  void Add(uint32_t stream, uint8_t kind, uint8_t site, int64_t time_ps,
           uint64_t value, int64_t more) {
    Entry& entry = filling_.entries[filling_.size];
    entry.stream = stream;
    entry.kind = kind;
    entry.site = site;
    entry.time_ps = time_ps;
    entry.value = value;
    entry.more = more;
    if (++filling_.size == batch_) HandOver();
  }
  Batch NewBatch() const {
    return {std::make_unique_for_overwrite<Entry[]>(batch_)};
  }
  void HandOver();
  void Write(const Batch& batch);
  // Batches in the ring.
  uint64_t waiting() const { return filled_ - written_; }
  // What the thread does.
  void WriteAll();

  TraceWriter& writer_;
  const size_t batch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // A ring: the thread writes batch written_ % kBatches while written_ <
  // filled_. Who finds it full or empty waits until it is half full, so that
  // the two do not wake each other for every batch.
  Batch ring_[kBatches];
  uint64_t filled_ = 0;
  uint64_t written_ = 0;
  bool over_ = false;
  std::thread thread_;

  // Written for each record, so in cache lines that the thread never touches:
  // else each record would wait for a line to come over from the other core.
  alignas(128) Batch filling_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_RECORD_FEED_H_
