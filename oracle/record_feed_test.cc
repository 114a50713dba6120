#include "oracle/record_feed.h"

#include <string>

#include "gtest/gtest.h"

namespace tilebound::oracle {
namespace {

constexpr uint32_t kBlocks = 7;

// The bytes of a trace of so many tiles, made by `fill(sink)`.
template <typename Fill>
std::string BytesOf(Fill fill) {
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::NONE);
  header.set_blocks(kBlocks);
  header.set_blocks_per_sm(kBlocks);
  auto writer = TraceWriter::CreateInMemory(header, {.chunk_records = 100});
  EXPECT_TRUE(writer.ok()) << writer.status();
  fill(*writer);
  auto bytes = writer->TakeBytes();
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return *bytes;
}

template <typename Sink>
void FillWith(uint64_t tiles, Sink& sink) {
  for (uint32_t b = 0; b < kBlocks; ++b) {
    sink.Append(b, Record::BlockStart(0, 0, b));
  }
  for (uint64_t i = 0; i < tiles; ++i) {
    const auto time = static_cast<int64_t>(i * 1000);
    sink.AppendTile(i * i % kBlocks, i, time, time + 500 + i % 13);
    if (i % 5 == 0) sink.Append(i % kBlocks, Record::Drop(time + 900, 2));
  }
}

TEST(RecordFeed, WritesTheBytesThatTheWriterAloneWrites) {
  // Nothing, less than a batch, exactly one, and more than may wait.
  for (const uint64_t tiles :
       {uint64_t{0}, uint64_t{10}, uint64_t{RecordFeed::kBatch},
        2 * RecordFeed::kBatches * uint64_t{RecordFeed::kBatch}}) {
    const std::string alone =
        BytesOf([&](TraceWriter& writer) { FillWith(tiles, writer); });
    for (const bool threaded : {false, true}) {
      const std::string fed = BytesOf([&](TraceWriter& writer) {
        RecordFeed feed(writer, threaded);
        FillWith(tiles, feed);
        feed.Finish();
      });
      EXPECT_EQ(fed, alone) << tiles << " tiles, threaded " << threaded;
    }
  }
}

TEST(RecordFeed, ReachesTheWriterWithoutFinishToo) {
  const std::string fed = BytesOf([](TraceWriter& writer) {
    RecordFeed feed(writer, /*threaded=*/true);
    FillWith(1000, feed);
  });
  EXPECT_EQ(fed, BytesOf([](TraceWriter& writer) { FillWith(1000, writer); }));
}

}  // namespace
}  // namespace tilebound::oracle
