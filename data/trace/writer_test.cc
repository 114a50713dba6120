#include "data/trace/writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <tuple>

#include "data/io/atomic_file.h"
#include "data/trace/header.h"
#include "data/trace/reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

using Entry = std::pair<uint64_t, Record>;
using Streams = std::map<uint32_t, std::vector<Entry>>;

pb::TraceHeader Header() {
  pb::TraceHeader header;
  header.mutable_cell()->set_arm(pb::COOPERATIVE);
  header.mutable_cell()->set_site(pb::STAGE);
  header.mutable_cell()->set_period(1);
  header.set_stages_per_tile(8);
  header.set_blocks(6);
  header.set_urgent_streams(2);
  header.set_tasks(1000);
  header.set_blocks_per_sm(4);
  return header;
}

std::string Path(const std::string& name) {
  return testing::TempDir() + "/" + name;
}

bool Exists(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

// Every kind, with operands of every size, in an order that fuses some tiles
// and leaves others apart.
Streams Sample(uint64_t seed, int records) {
  uint64_t state = seed;
  const auto draw = [&state](uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  };
  std::map<uint32_t, int64_t> time;
  std::map<uint32_t, uint64_t> sequence;
  Streams streams;
  for (int i = 0; i < records; ++i) {
    const auto stream = draw(9) == 8 ? kHostStream : uint32_t(draw(8));
    const auto kind =
        draw(2) == 0 ? RecordKind::kPop : static_cast<RecordKind>(1 + draw(12));
    Record record{.kind = kind, .time_ps = time[stream] += draw(50'000'000)};
    if (MeaningOf(kind) != ValueMeaning::kNone) {
      record.value = draw(uint64_t{1} << (1 + draw(30)));
    }
    if (HasDetail(kind)) record.detail = draw(1 + draw(5000));
    if (kind == RecordKind::kClaim) record.site = 1 + draw(4);
    if (draw(50) == 0) sequence[stream] += draw(9);
    streams[stream].push_back({sequence[stream]++, record});
    if (kind == RecordKind::kPop && draw(4) != 0) {
      record.kind = RecordKind::kTileEnd;
      record.time_ps = time[stream] += draw(50'000'000);
      streams[stream].push_back({sequence[stream]++, record});
    }
  }
  return streams;
}

absl::Status Write(const Streams& streams, const std::string& path,
                   TraceWriterOptions options) {
  absl::StatusOr<TraceWriter> writer =
      TraceWriter::Create(path, Header(), options);
  if (!writer.ok()) return writer.status();
  for (const auto& [stream, entries] : streams) {
    for (const auto& [sequence, record] : entries) {
      writer->AppendAt(stream, sequence, record);
    }
  }
  return writer->Finish();
}

std::pair<Streams, TraceEnd> Read(const std::string& path) {
  Streams streams;
  absl::StatusOr<TraceReader> reader = TraceReader::Open(path);
  EXPECT_TRUE(reader.ok()) << reader.status();
  if (!reader.ok()) return {};
  const TraceEnd end = reader->ForEachRecord(
      [&](uint32_t stream, uint64_t sequence, const Record& record) {
        streams[stream].push_back({sequence, record});
      });
  return {streams, end};
}

TEST(TraceWriter, WhatIsWrittenReadsBack) {
  const std::string path = Path("round.tbtrace");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Streams sample = Sample(seed, 3000);
    const bool compress = seed % 2 == 1;
    const uint32_t chunk = seed % 3 == 0 ? 7 : 512;
    ASSERT_TRUE(
        Write(sample, path, {.compress = compress, .chunk_records = chunk})
            .ok());
    const auto [streams, end] = Read(path);
    EXPECT_TRUE(end.whole) << end.why;
    EXPECT_EQ(streams, sample) << "seed " << seed;
  }
}

TEST(TraceWriter, SequenceCountsUpAndADropTakesItsRecordsNumbers) {
  const std::string path = Path("drop.tbtrace");
  auto writer = TraceWriter::Create(path, Header());
  ASSERT_TRUE(writer.ok()) << writer.status();
  writer->Append(1, Record::BlockStart(0, 0, 0));
  writer->Append(1, Record::Drop(5, 3));
  writer->Append(1, Record::BlockExit(9));
  ASSERT_TRUE(writer->Finish().ok());
  const auto [streams, end] = Read(path);
  ASSERT_EQ(streams.at(1).size(), 3u);
  EXPECT_EQ(streams.at(1)[1], Entry(4, Record::Drop(5, 3)));
  EXPECT_EQ(streams.at(1)[2], Entry(5, Record::BlockExit(9)));
}

TEST(TraceWriter, ATileInOneGoIsAPopAndItsEnd) {
  const std::string apart = Path("apart.tbtrace");
  const std::string fused = Path("fused.tbtrace");
  pb::TraceHeader header = Header();
  header.set_time_unit_ps(1000);
  auto a = TraceWriter::Create(apart, header, {.chunk_records = 9});
  auto b = TraceWriter::Create(fused, header, {.chunk_records = 9});
  ASSERT_TRUE(a.ok() && b.ok());
  // An open pop of another task comes first: it must stay a pop.
  a->Append(2, Record::Pop(5, 999));
  b->Append(2, Record::Pop(5, 999));
  for (int i = 0; i < 40; ++i) {
    a->Append(2, Record::Pop(i * 5000 + 7, i * i));
    a->Append(2, Record::TileEnd(i * 5000 + 4007, i * i));
    b->AppendTile(2, i * i, i * 5000 + 7, i * 5000 + 4007);
  }
  ASSERT_TRUE(a->Finish().ok() && b->Finish().ok());
  EXPECT_EQ(Read(apart).first, Read(fused).first);
}

TEST(TraceWriter, FloorsTimesToTheUnit) {
  const std::string path = Path("unit.tbtrace");
  pb::TraceHeader header = Header();
  header.set_time_unit_ps(1024000);
  auto writer = TraceWriter::Create(path, header);
  ASSERT_TRUE(writer.ok());
  writer->Append(0, Record::Pop(-1, 3));
  writer->Append(0, Record::TileEnd(2047999, 3));
  ASSERT_TRUE(writer->Finish().ok());
  const auto streams = Read(path).first;
  EXPECT_EQ(streams.at(0)[0].second.time_ps, -1024000);
  EXPECT_EQ(streams.at(0)[1].second.time_ps, 1024000);
}

TEST(TraceWriter, AnUnfinishedTraceKeepsItsWholeChunks) {
  const std::string path = Path("unfinished.tbtrace");
  unlink(path.c_str());
  {
    auto writer = TraceWriter::Create(path, Header(), {.chunk_records = 10});
    ASSERT_TRUE(writer.ok());
    for (int i = 0; i < 25; ++i) writer->Append(0, Record::Observe(i, i));
  }
  EXPECT_FALSE(Exists(path));
  const auto [streams, end] = Read(path + ".partial");
  EXPECT_EQ(streams.at(0).size(), 20u);
  EXPECT_FALSE(end.whole);
  EXPECT_THAT(end.why, HasSubstr("not finished"));
}

TEST(TraceWriter, EveryCutIsNoticedAndLosesOnlyWhatIsBehindIt) {
  const std::string path = Path("cut.tbtrace");
  ASSERT_TRUE(Write(Sample(1, 200), path, {.chunk_records = 20}).ok());
  const std::string whole = *ReadWholeFile(path);
  uint64_t last_chunks = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    auto reader = TraceReader::FromBytes(whole.substr(0, size), "cut");
    if (!reader.ok()) {
      EXPECT_EQ(last_chunks, 0u) << "the header was readable at a smaller size";
      continue;
    }
    const TraceEnd end = reader->ForEachRecord([](auto...) {});
    EXPECT_FALSE(end.whole) << size;
    EXPECT_GE(end.chunks, last_chunks);
    last_chunks = end.chunks;
  }
  EXPECT_GE(last_chunks, 10u);
}

TEST(TraceWriter, RefusesAStreamThatTheHeaderLacks) {
  auto writer = TraceWriter::Create(Path("stray.tbtrace"), Header());
  ASSERT_TRUE(writer.ok());
  writer->Append(8, Record::BlockExit(0));
  EXPECT_EQ(writer->Finish().message(),
            "trace record for block 8; the header has blocks 0 to 7");
}

TEST(TraceWriter, RefusesABadHeaderAndLeavesNoFile) {
  const std::string path = Path("bad.tbtrace");
  pb::TraceHeader header = Header();
  header.set_blocks(0);
  EXPECT_THAT(std::string(TraceWriter::Create(path, header).status().message()),
              HasSubstr("blocks is 0"));
  EXPECT_FALSE(Exists(path + ".partial"));
}

TEST(TraceReader, SaysWhatIsNotATrace) {
  EXPECT_THAT(std::string(TraceReader::FromBytes("part: \"a10\"", "x.textproto")
                              .status()
                              .message()),
              HasSubstr("x.textproto: not a trace"));
  EXPECT_THAT(std::string(TraceReader::Open(Path("none")).status().message()),
              HasSubstr("No such file"));
  EXPECT_THAT(
      std::string(
          TraceReader::FromBytes("tbtrace\n\x05", "short").status().message()),
      HasSubstr("unreadable trace header: cut short"));
}

TEST(TraceReader, ADamagedChunkIsPassedOver) {
  const std::string path = Path("damaged.tbtrace");
  ASSERT_TRUE(Write(Sample(3, 400), path, {.chunk_records = 50}).ok());
  std::string bytes = *ReadWholeFile(path);
  auto reader = TraceReader::FromBytes(bytes, "whole");
  ASSERT_TRUE(reader.ok());
  ChunkCursor cursor = reader->Chunks();
  ASSERT_TRUE(cursor.Next() && cursor.Next());
  const uint64_t second = cursor.offset();
  // Field 1 of the frame becomes field 15: no chunk, but as long as before.
  bytes[second + 2] = 0x7A;
  auto damaged = TraceReader::FromBytes(bytes, "damaged");
  ASSERT_TRUE(damaged.ok());
  const TraceEnd end = damaged->ForEachRecord([](auto...) {});
  EXPECT_FALSE(end.whole);
  EXPECT_EQ(end.damaged_chunks, 1u);
  EXPECT_THAT(end.why, HasSubstr(std::to_string(second)));
}

TEST(TraceReader, StockProtobufReadsTheSameChunks) {
  const std::string path = Path("stock.tbtrace");
  ASSERT_TRUE(Write(Sample(5, 500), path, {.chunk_records = 64}).ok());
  auto reader = TraceReader::Open(path);
  ASSERT_TRUE(reader.ok());
  const std::string bytes = *ReadWholeFile(path);
  ChunkCursor cursor = reader->Chunks();
  int chunks = 0;
  while (cursor.Next()) {
    // Every frame of this sample is 128 to 16383 bytes: a length of two bytes.
    const size_t size = (bytes[cursor.offset()] & 0x7F) |
                        size_t{uint8_t(bytes[cursor.offset() + 1])} << 7;
    pb::TraceFrame frame;
    if (uint8_t(bytes[cursor.offset()]) < 128) continue;
    ASSERT_TRUE(frame.ParseFromString(bytes.substr(cursor.offset() + 2, size)));
    EXPECT_EQ(frame.chunk().block(), cursor.chunk().block);
    EXPECT_EQ(frame.chunk().first_sequence(), cursor.chunk().first_sequence);
    EXPECT_EQ(frame.chunk().records(), cursor.chunk().records);
    EXPECT_EQ(frame.chunk().base_task(), cursor.chunk().base_task);
    EXPECT_EQ(frame.chunk().columns().SerializeAsString(),
              cursor.Whole().columns);
    ++chunks;
  }
  EXPECT_GE(chunks, 5);
}

}  // namespace
}  // namespace tilebound
