#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <map>

#include "data/io/split_mix.h"
#include "data/trace/writer.h"
#include "gtest/gtest.h"
#include "oracle/check.h"
#include "oracle/report.h"

namespace tilebound::oracle {
namespace {

constexpr uint32_t kBlocks = 8;
constexpr uint32_t kChunk = 32;

// What the child has handed to the writer so far, seen by the parent.
struct Progress {
  std::atomic<uint64_t> appended[kBlocks];
};

[[noreturn]] void WriteUntilKilled(const std::string& path,
                                   Progress& progress) {
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::NONE);
  header.set_blocks(kBlocks);
  header.set_blocks_per_sm(kBlocks);
  header.set_tasks(1 << 30);
  auto writer = TraceWriter::Create(path, header, {.chunk_records = kChunk});
  if (!writer.ok()) _exit(3);
  for (uint32_t b = 0; b < kBlocks; ++b) {
    writer->Append(b, Record::BlockStart(b, 0, b));
    ++progress.appended[b];
  }
  for (uint64_t task = 0;; ++task) {
    const uint32_t block = task % kBlocks;
    const auto time = static_cast<int64_t>(task * 1000);
    writer->Append(block, Record::Pop(time, task));
    ++progress.appended[block];
    writer->Append(block, Record::TileEnd(time + 500, task));
    ++progress.appended[block];
  }
}

TEST(KilledWriter, LeavesItsWholeChunksAndTheVerdictUnknown) {
  auto* progress = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(progress, MAP_FAILED);
  const std::string path = testing::TempDir() + "/killed.tbtrace";
  SplitMix64 random(50);
  int with_records = 0;
  for (int point = 0; point < 50; ++point) {
    for (auto& count : progress->appended) count = 0;
    unlink((path + ".partial").c_str());
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) WriteUntilKilled(path, *progress);
    // Not before there is a header to read.
    while (progress->appended[kBlocks - 1] == 0) usleep(50);
    usleep(random.Below(4000));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    EXPECT_NE(access(path.c_str(), F_OK), 0) << "no file under the final name";
    auto reader = TraceReader::Open(path + ".partial");
    ASSERT_TRUE(reader.ok()) << reader.status();
    std::map<uint32_t, uint64_t> kept;
    const TraceEnd end = reader->ForEachRecord(
        [&](uint32_t block, uint64_t sequence, const Record&) {
          EXPECT_EQ(sequence, kept[block]++);
        });
    EXPECT_FALSE(end.whole);
    EXPECT_EQ(end.damaged_chunks, 0u);
    for (uint32_t b = 0; b < kBlocks; ++b) {
      EXPECT_GE(kept[b], progress->appended[b] / kChunk * kChunk)
          << "a chunk that was closed is lost";
      with_records += kept[b] > 0;
    }
    const CheckReport report = CheckTrace(*reader, {.threads = 2});
    EXPECT_EQ(report.verdict, Verdict::kUnknown) << ReportText(report);
  }
  EXPECT_GT(with_records, 50) << "most were killed while writing";
  unlink((path + ".partial").c_str());
  munmap(progress, sizeof(Progress));
}

}  // namespace
}  // namespace tilebound::oracle
