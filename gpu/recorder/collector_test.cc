#include "gpu/recorder/collector.h"

#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "data/io/atomic_file.h"
#include "data/trace/reader.h"
#include "gmock/gmock.h"
#include "gpu/recorder/ring_file.h"
#include "gtest/gtest.h"

namespace tilebound::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kEpochNs = 1'700'000'000'000'000'000;

// Rings as the device would leave them: put where Recorder<true> puts.
class MadeUpRings : public RingSource {
 public:
  MadeUpRings(uint32_t blocks, uint32_t capacity)
      : capacity_(capacity),
        blocks_(blocks),
        rings_(blocks, std::vector<RecorderRecord>(capacity)) {}

  void Start(uint32_t block, uint64_t us, uint32_t sm) {
    blocks_[block].start_ns = kEpochNs + 1000 * us;
    blocks_[block].sm = sm;
  }
  void Put(uint32_t block, uint64_t us, uint64_t what) {
    rings_[block][next_[block]] = {kEpochNs + 1000 * us, what};
    if (++next_[block] == capacity_) {
      next_[block] = 0;
      ++blocks_[block].laps;
    }
  }
  void Exit(uint32_t block, uint64_t us) {
    blocks_[block].next = next_[block];
    blocks_[block].exit_ns = kEpochNs + 1000 * us;
  }
  // One tile.
  void Tile(uint32_t block, uint64_t task, uint64_t from_us, uint64_t to_us) {
    Put(block, from_us, PackRecord(kRecordedPop, task));
    Put(block, to_us, PackRecord(kRecordedTileEnd, task));
  }

  uint32_t capacity() const override { return capacity_; }
  const std::vector<RecorderBlock>& blocks() const override { return blocks_; }
  absl::StatusOr<std::vector<RecorderRecord>> Ring(uint32_t block) override {
    std::vector<RecorderRecord> ring = rings_[block];
    ring.resize(UsedRecords(blocks_[block], capacity_));
    return ring;
  }

 private:
  const uint32_t capacity_;
  std::vector<RecorderBlock> blocks_;
  std::vector<std::vector<RecorderRecord>> rings_;
  std::vector<uint32_t> next_ = std::vector<uint32_t>(blocks_.size());
};

pb::TraceHeader Promise(uint64_t tasks, uint64_t events) {
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::COOPERATIVE);
  header.mutable_cell()->set_site(pb::BOUNDARY);
  header.mutable_cell()->set_period(1);
  header.mutable_cell()->set_urgent_tiles(events == 0 ? 0 : 1);
  header.mutable_cell()->set_cluster_size(1);
  header.set_tasks(tasks);
  header.set_events(events);
  header.set_blocks_per_sm(2);
  return header;
}

// Two blocks on one SM, three tasks, and one event that block 0 sets and block
// 1 runs.
MadeUpRings SmallRun(uint32_t capacity) {
  MadeUpRings rings(2, capacity);
  rings.Start(1, 0, 5);
  rings.Start(0, 1, 5);
  rings.Tile(1, 0, 1, 10);
  rings.Tile(0, 1, 2, 12);
  rings.Put(0, 12, PackRecord(kRecordedFlagSet, 1));
  rings.Put(0, 13, PackRecord(kRecordedObserve, 1));
  rings.Tile(1, 2, 10, 20);
  rings.Put(1, 20, PackRecord(kRecordedObserve, 1));
  rings.Put(1, 20, PackRecord(kRecordedClaim, 1, 0, 1));
  rings.Put(1, 20, PackRecord(kRecordedUrgentBegin, 1, 0));
  rings.Put(1, 27, PackRecord(kRecordedUrgentEnd, 1, 0));
  rings.Exit(0, 28);
  rings.Exit(1, 28);
  return rings;
}

std::string TempPath(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

int CheckStatus(const std::string& trace) {
  const int status = std::system(("oracle/check " + trace).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<std::string> Told(const std::string& trace, uint32_t stream) {
  const auto reader = TraceReader::Open(trace);
  EXPECT_TRUE(reader.ok()) << reader.status();
  std::vector<std::string> told;
  reader->ForEachRecord([&](uint32_t of, uint64_t, const Record& record) {
    if (of == stream) told.push_back(DescribeRecord(record));
  });
  return told;
}

TEST(CollectTrace, WritesWhatTheOracleAccepts) {
  MadeUpRings rings = SmallRun(64);
  const std::string path = TempPath("small.tbtrace");
  const auto summary = CollectTrace(rings, Promise(3, 1), {}, path);
  ASSERT_TRUE(summary.ok()) << summary.status();
  // 6 of tiles, 1 set, 2 observations, 3 of urgent work, 2 starts, 2 exits.
  EXPECT_EQ(summary->records, 16);
  EXPECT_EQ(summary->dropped, 0);
  EXPECT_EQ(CheckStatus(path), 0);
}

TEST(CollectTrace, LetsTheOracleFindATaskThatNobodyExecuted) {
  MadeUpRings rings = SmallRun(64);
  const std::string path = TempPath("lost.tbtrace");
  ASSERT_TRUE(CollectTrace(rings, Promise(4, 1), {}, path).ok());
  EXPECT_EQ(CheckStatus(path), 1);
}

TEST(CollectTrace, CountsTimesFromTheFirstStart) {
  MadeUpRings rings = SmallRun(64);
  const std::string path = TempPath("times.tbtrace");
  ASSERT_TRUE(CollectTrace(rings, Promise(3, 1), {}, path).ok());
  EXPECT_THAT(
      Told(path, 0),
      ElementsAre("start on SM 5 in slot 1 at 1 us", "pop of task 1 at 2 us",
                  "end of task 1 at 12 us", "set of event 1 at 12 us",
                  "observation of event 1 at 13 us", "exit at 28 us"));
}

TEST(CollectTrace, KeepsTheNewestOfAFullRingAndCountsTheRest) {
  MadeUpRings rings(1, 4);
  rings.Start(0, 0, 0);
  for (uint64_t task = 0; task < 5; ++task) {
    rings.Tile(0, task, 10 * task, 10 * task + 10);
  }
  rings.Exit(0, 50);
  const std::string path = TempPath("full.tbtrace");
  const auto summary = CollectTrace(rings, Promise(5, 0), {}, path);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->dropped, 10 - 4);
  EXPECT_EQ(summary->blocks_that_dropped, 1);
  EXPECT_THAT(Told(path, 0),
              ElementsAre("start on SM 0 in slot 0 at 0 us",
                          "loss of 6 records at 0 us", "pop of task 3 at 30 us",
                          "end of task 3 at 40 us", "pop of task 4 at 40 us",
                          "end of task 4 at 50 us", "exit at 50 us"));
  EXPECT_EQ(CheckStatus(path), 4) << "lost records leave the oracle unable to "
                                     "tell";
}

TEST(CollectTrace, DropsNothingWhereARingIsFullToTheLastPlace) {
  MadeUpRings rings(1, 4);
  rings.Start(0, 0, 0);
  rings.Tile(0, 0, 0, 1);
  rings.Tile(0, 1, 1, 2);
  rings.Exit(0, 2);
  const std::string path = TempPath("exact.tbtrace");
  const auto summary = CollectTrace(rings, Promise(2, 0), {}, path);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->dropped, 0);
  EXPECT_EQ(CheckStatus(path), 0);
}

TEST(CollectTrace, FindsTheRecordsOfABlockThatNeverExited) {
  // Twice: in the ring's first lap, and after it went round.
  for (const uint64_t tasks : {1, 3}) {
    MadeUpRings rings(1, 4);
    rings.Start(0, 0, 0);
    for (uint64_t task = 0; task < tasks; ++task) {
      rings.Tile(0, task, 10 * task, 10 * task + 10);
    }
    const std::string path = TempPath("unfinished.tbtrace");
    const auto summary = CollectTrace(rings, Promise(tasks, 0), {}, path);
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_EQ(summary->unfinished_blocks, 1);
    EXPECT_EQ(summary->dropped, tasks == 1 ? 0 : 2);
    EXPECT_EQ(Told(path, 0).back(),
              tasks == 1 ? "end of task 0 at 10 us" : "end of task 2 at 30 us");
    EXPECT_EQ(CheckStatus(path), 4);
  }
}

TEST(CollectTrace, TakesSetsOfTheHost) {
  MadeUpRings rings(1, 8);
  rings.Start(0, 5, 0);
  rings.Tile(0, 0, 5, 10);
  rings.Put(0, 10, PackRecord(kRecordedObserve, 1));
  rings.Put(0, 10, PackRecord(kRecordedClaim, 1, 0, 1));
  rings.Put(0, 10, PackRecord(kRecordedUrgentBegin, 1, 0));
  rings.Put(0, 11, PackRecord(kRecordedUrgentEnd, 1, 0));
  rings.Exit(0, 12);
  const std::string path = TempPath("host.tbtrace");
  ASSERT_TRUE(
      CollectTrace(rings, Promise(1, 1), {{1, kEpochNs + 6000}}, path).ok());
  EXPECT_THAT(Told(path, kHostStream), ElementsAre("set of event 1 at 1 us"));
  EXPECT_EQ(CheckStatus(path), 0);
}

TEST(CollectTrace, RefusesARecordThatNoRecorderWrites) {
  MadeUpRings rings(1, 8);
  rings.Start(0, 0, 0);
  rings.Put(0, 1, PackRecord(14, 1));
  rings.Exit(0, 2);
  const auto summary =
      CollectTrace(rings, Promise(1, 0), {}, TempPath("kind.tbtrace"));
  EXPECT_THAT(std::string(summary.status().message()),
              HasSubstr("block 0: a record of kind 14"));
}

TEST(SlotsByAge, CountsTheBlocksThatAreThere) {
  std::vector<RecorderBlock> blocks(5);
  const auto live = [&](int block, uint32_t sm, uint64_t from, uint64_t to) {
    blocks[block].sm = sm;
    blocks[block].start_ns = from;
    blocks[block].exit_ns = to;
  };
  live(0, 7, 100, 900);
  live(1, 7, 90, 300);
  // Takes the place of block 1, behind block 0.
  live(2, 7, 300, 950);
  live(3, 8, 100, 900);
  // Never exited, so it is there to the end.
  live(4, 7, 400, 0);
  EXPECT_THAT(SlotsByAge(blocks), ElementsAre(1, 0, 1, 0, 2));
}

// The bytes that RecorderMemory::Save() writes.
std::string Saved(MadeUpRings& rings, const std::string& header) {
  RecorderFileHead head = {{},
                           static_cast<uint32_t>(rings.blocks().size()),
                           rings.capacity(),
                           header.size()};
  std::memcpy(head.magic, kRecorderMagic, sizeof(head.magic));
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof(head));
  bytes += header;
  for (const RecorderBlock& block : rings.blocks()) {
    bytes.append(reinterpret_cast<const char*>(&block), sizeof(block));
  }
  for (uint32_t b = 0; b < rings.blocks().size(); ++b) {
    const auto ring = rings.Ring(b);
    bytes.append(reinterpret_cast<const char*>(ring->data()),
                 ring->size() * sizeof(RecorderRecord));
  }
  return bytes;
}

TEST(RingFile, GivesBackWhatWasSaved) {
  MadeUpRings rings = SmallRun(9);
  const std::string path = TempPath("small.tbrings");
  ASSERT_TRUE(WriteFileAtomically(path, Saved(rings, "{}")).ok());
  auto file = RingFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->header_json(), "{}");
  const std::string trace = TempPath("from_file.tbtrace");
  ASSERT_TRUE(CollectTrace(*file, Promise(3, 1), {}, trace).ok());
  EXPECT_EQ(CheckStatus(trace), 0);
}

TEST(RingFile, RefusesEveryFileThatIsCutShort) {
  MadeUpRings rings = SmallRun(9);
  const std::string whole = Saved(rings, "{}");
  const std::string path = TempPath("cut.tbrings");
  for (size_t size = 0; size < whole.size(); ++size) {
    ASSERT_TRUE(WriteFileAtomically(path, whole.substr(0, size)).ok());
    EXPECT_FALSE(RingFile::Open(path).ok()) << size << " bytes";
  }
}

TEST(RecordsPerBlock, HoldsFourTimesTheFairShare) {
  // 10 million tasks over 528 blocks: 2 * 10^7 / 528 records each, times four.
  const uint64_t records = RecordsPerBlock(10'000'000, 528);
  EXPECT_GE(records, 4 * 20'000'000 / 528);
  EXPECT_LE(records * 528 * sizeof(RecorderRecord), 1'300'000'000)
      << "bytes of device memory";
}

}  // namespace
}  // namespace tilebound::gpu
