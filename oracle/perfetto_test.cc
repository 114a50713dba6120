#include "oracle/perfetto.h"

#include <map>
#include <set>

#include "data/io/atomic_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracle/generate.h"
#include "oracle/mutate.h"
#include "oracle/perfetto.pb.h"

namespace tilebound::oracle {
namespace {

using Event = pb::PerfettoTrackEvent;

pb::PerfettoTrace Export(const TraceReader& reader,
                         const PerfettoWindow& window) {
  const std::string path = testing::TempDir() + "/out.pftrace";
  const absl::Status status =
      WritePerfetto(reader, CheckTrace(reader, {}), window, path);
  EXPECT_TRUE(status.ok()) << status;
  pb::PerfettoTrace trace;
  EXPECT_TRUE(trace.ParseFromString(*ReadWholeFile(path)));
  return trace;
}

// Perfetto's rule: on a track, time does not fall and slices close in the
// reverse order of opening.
void ExpectNested(const pb::PerfettoTrace& trace) {
  std::map<uint64_t, int> depth;
  std::map<uint64_t, uint64_t> last;
  std::set<uint64_t> described;
  for (const pb::PerfettoPacket& packet : trace.packet()) {
    EXPECT_EQ(packet.trusted_packet_sequence_id(), 1u);
    if (packet.has_track_descriptor()) {
      described.insert(packet.track_descriptor().uuid());
      continue;
    }
    const uint64_t track = packet.track_event().track_uuid();
    EXPECT_TRUE(described.count(track)) << "a track is described before use";
    EXPECT_GE(packet.timestamp(), last[track]);
    last[track] = packet.timestamp();
    if (packet.track_event().type() == Event::TYPE_SLICE_BEGIN) ++depth[track];
    if (packet.track_event().type() == Event::TYPE_SLICE_END) {
      ASSERT_GT(depth[track]--, 0);
    }
  }
  for (const auto& [track, open] : depth) EXPECT_EQ(open, 0) << track;
}

std::map<std::string, int> ByCategory(const pb::PerfettoTrace& trace) {
  std::map<std::string, int> count;
  for (const pb::PerfettoPacket& packet : trace.packet()) {
    for (const std::string& category : packet.track_event().categories()) {
      ++count[category];
    }
  }
  return count;
}

TEST(WritePerfetto, ShowsEverythingOfAValidTraceOnce) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    auto bytes = GenerateTraceBytes(RandomGeneratorConfig(seed), seed);
    auto reader = TraceReader::FromBytes(*bytes, "valid");
    const CheckReport report = CheckTrace(*reader, {});
    const pb::PerfettoTrace trace = Export(*reader, {});
    ExpectNested(trace);
    auto count = ByCategory(trace);
    const auto& counts = report.counts;
    EXPECT_EQ(count["tile"], int(counts.executions + counts.abandons));
    EXPECT_EQ(count["urgent"], int(counts.urgent_tiles));
    EXPECT_EQ(count["observe"], int(counts.observations));
    EXPECT_EQ(count["claim"], int(counts.claims));
    EXPECT_EQ(count["set"], int(counts.events));
    EXPECT_EQ(count["violation"] + count["unmatched"], 0);
  }
}

TEST(WritePerfetto, EachSetLeadsToEachOfItsObservations) {
  auto bytes = GenerateTraceBytes(*ParseGeneratorConfig("events=7"), 3);
  auto reader = TraceReader::FromBytes(*bytes, "valid");
  std::multiset<uint64_t> out, in;
  const pb::PerfettoTrace trace = Export(*reader, {});
  for (const pb::PerfettoPacket& packet : trace.packet()) {
    const Event& event = packet.track_event();
    out.insert(event.flow_ids().begin(), event.flow_ids().end());
    in.insert(event.terminating_flow_ids().begin(),
              event.terminating_flow_ids().end());
  }
  EXPECT_EQ(out, in);
  EXPECT_EQ(std::set<uint64_t>(in.begin(), in.end()).size(), in.size());
  EXPECT_EQ(in.size(), 7u * 8u) << "8 blocks observe 7 events";
}

TEST(WritePerfetto, FaultyTracesNestAndShowTheViolation) {
  for (const MutationKind& kind : MutationKinds()) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      auto bytes = GenerateTraceBytes(RandomGeneratorConfig(seed), seed);
      auto reader = TraceReader::FromBytes(*bytes, "valid");
      auto mutated = MutateTrace(*reader, kind.name, seed);
      if (!mutated.ok()) continue;
      auto broken = TraceReader::FromBytes(mutated->bytes, "broken");
      const pb::PerfettoTrace trace = Export(*broken, {});
      ExpectNested(trace);
      if (kind.verdict == Verdict::kViolation &&
          mutated->planted.record.has_value()) {
        EXPECT_GT(ByCategory(trace)["violation"], 0) << kind.name;
      }
    }
  }
}

TEST(WritePerfetto, AWindowCutsSlicesAndLeavesOutTheRest) {
  auto bytes = GenerateTraceBytes(*ParseGeneratorConfig(""), 3);
  auto reader = TraceReader::FromBytes(*bytes, "valid");
  const auto window = ParseWindow("300:400");
  ASSERT_TRUE(window.ok());
  const pb::PerfettoTrace trace = Export(*reader, *window);
  ExpectNested(trace);
  EXPECT_GT(ByCategory(trace)["tile"], 0);
  for (const pb::PerfettoPacket& packet : trace.packet()) {
    if (!packet.has_track_event()) continue;
    EXPECT_GE(packet.timestamp(), 300'000u);
    EXPECT_LE(packet.timestamp(), 400'000u);
  }
  EXPECT_FALSE(ParseWindow("400:300").ok());
  EXPECT_FALSE(ParseWindow("4").ok());
}

}  // namespace
}  // namespace tilebound::oracle
