#include "oracle/check.h"

#include <utility>

#include "data/io/atomic_file.h"
#include "data/trace/writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracle/report.h"
#include "oracle/rules.h"
#include "oracle/witness.h"

namespace tilebound::oracle {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int64_t kUs = 1'000'000;
using Entries = std::vector<std::pair<uint32_t, Record>>;

pb::TraceHeader Header() {
  pb::TraceHeader header;
  pb::CellKey& cell = *header.mutable_cell();
  cell.set_arm(pb::COOPERATIVE);
  cell.set_site(pb::BOUNDARY);
  cell.set_period(1);
  cell.set_urgent_tiles(1);
  header.set_blocks(2);
  header.set_tasks(4);
  header.set_events(1);
  header.set_blocks_per_sm(2);
  return header;
}

// Two blocks, four tasks, one event that the host sets in the middle.
Entries Valid() {
  return {
      {0, Record::BlockStart(0, 0, 0)},
      {1, Record::BlockStart(1, 0, 1)},
      {0, Record::Pop(1 * kUs, 0)},
      {0, Record::TileEnd(11 * kUs, 0)},
      {1, Record::Pop(1 * kUs, 1)},
      {1, Record::TileEnd(13 * kUs, 1)},
      {kHostStream, Record::FlagSet(10 * kUs, 1)},
      {0, Record::Observe(11 * kUs, 1)},
      {0, Record::Claim(11 * kUs, 1, 0, pb::BOUNDARY)},
      {0, Record::UrgentBegin(11 * kUs, 1, 0)},
      {0, Record::UrgentEnd(15 * kUs, 1, 0)},
      {1, Record::Observe(13 * kUs, 1)},
      {0, Record::Pop(15 * kUs, 2)},
      {0, Record::TileEnd(25 * kUs, 2)},
      {1, Record::Pop(14 * kUs, 3)},
      {1, Record::TileEnd(26 * kUs, 3)},
      {0, Record::BlockExit(25 * kUs)},
      {1, Record::BlockExit(26 * kUs)},
  };
}

// The same at a stage site: block 0 gives up task 2 for the urgent work.
Entries ValidStage() {
  return {
      {0, Record::BlockStart(0, 0, 0)},
      {1, Record::BlockStart(1, 0, 1)},
      {0, Record::Pop(1 * kUs, 0)},
      {0, Record::TileEnd(9 * kUs, 0)},
      {1, Record::Pop(1 * kUs, 1)},
      {kHostStream, Record::FlagSet(10 * kUs, 1)},
      {1, Record::Observe(12 * kUs, 1)},
      {1, Record::TileEnd(13 * kUs, 1)},
      {0, Record::Pop(9 * kUs, 2)},
      {0, Record::Observe(11 * kUs, 1)},
      {0, Record::Claim(11 * kUs, 1, 0, pb::STAGE)},
      {0, Record::Abandon(11 * kUs, 2)},
      {0, Record::UrgentBegin(11 * kUs, 1, 0)},
      {0, Record::UrgentEnd(15 * kUs, 1, 0)},
      {0, Record::Restart(15 * kUs, 2)},
      {0, Record::TileEnd(25 * kUs, 2)},
      {1, Record::Pop(14 * kUs, 3)},
      {1, Record::TileEnd(26 * kUs, 3)},
      {0, Record::BlockExit(25 * kUs)},
      {1, Record::BlockExit(26 * kUs)},
  };
}

pb::TraceHeader StageHeader() {
  pb::TraceHeader header = Header();
  header.mutable_cell()->set_site(pb::STAGE);
  header.set_stages_per_tile(4);
  return header;
}

std::string Bytes(const Entries& entries, const pb::TraceHeader& header,
                  uint32_t chunk_records = 100) {
  const std::string path = testing::TempDir() + "/check.tbtrace";
  auto writer =
      TraceWriter::Create(path, header, {.chunk_records = chunk_records});
  EXPECT_TRUE(writer.ok()) << writer.status();
  for (const auto& [stream, record] : entries) writer->Append(stream, record);
  EXPECT_TRUE(writer->Finish().ok());
  return *ReadWholeFile(path);
}

CheckReport CheckBytes(std::string bytes, CheckOptions options = {}) {
  auto reader = TraceReader::FromBytes(std::move(bytes), "test.tbtrace");
  EXPECT_TRUE(reader.ok()) << reader.status();
  return CheckTrace(*reader, options);
}

CheckReport Check(const Entries& entries,
                  const pb::TraceHeader& header = Header()) {
  return CheckBytes(Bytes(entries, header));
}

// Index of the first entry of the kind in the stream, after `skip` of them.
size_t Find(const Entries& entries, uint32_t stream, RecordKind kind,
            int skip = 0) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].first == stream && entries[i].second.kind == kind &&
        skip-- == 0) {
      return i;
    }
  }
  ADD_FAILURE() << "no such record";
  return 0;
}

void ExpectFirst(const CheckReport& report, absl::string_view rule,
                 absl::string_view sentence) {
  EXPECT_EQ(report.verdict, Verdict::kViolation) << ReportText(report);
  ASSERT_EQ(report.FirstRule(), rule) << ReportText(report);
  for (const RuleReport& r : report.rules) {
    if (r.name != rule) continue;
    EXPECT_THAT(r.findings[0].text, HasSubstr(std::string(sentence)));
  }
}

TEST(CheckTrace, AValidTraceIsOk) {
  const CheckReport boundary = Check(Valid());
  EXPECT_EQ(boundary.verdict, Verdict::kOk) << ReportText(boundary);
  EXPECT_EQ(boundary.counts.executions, 4u);
  EXPECT_EQ(boundary.counts.urgent_tiles, 1u);
  // Set at 10 us; the last block observes at 13 us, the first at 11 us.
  EXPECT_EQ(boundary.handoff.latency.max_ps, 3 * kUs);
  EXPECT_EQ(boundary.handoff.first.max_ps, 1 * kUs);
  EXPECT_EQ(boundary.handoff.e2e.max_ps, 5 * kUs);
  const CheckReport stage = Check(ValidStage(), StageHeader());
  EXPECT_EQ(stage.verdict, Verdict::kOk) << ReportText(stage);
  EXPECT_EQ(stage.counts.abandons, 1u);
}

TEST(CheckTrace, ATaskExecutedTwiceIsShownWithBothExecutions) {
  Entries entries = Valid();
  entries[Find(entries, 1, RecordKind::kPop, 1)].second.value = 2;
  entries[Find(entries, 1, RecordKind::kTileEnd, 1)].second.value = 2;
  const CheckReport report = Check(entries);
  ExpectFirst(report, "exactly_once", "task 2 was executed more than once");
  const RuleReport& rule = report.rules[7];
  ASSERT_EQ(rule.name, "exactly_once");
  // Task 3 is lost too.
  EXPECT_EQ(rule.violations, 2u);
  EXPECT_THAT(rule.findings[0].records, SizeIs(4));
  EXPECT_EQ(DescribePlace(rule.findings[0].records[0]),
            "block 1 (SM 0, slot 1), record 4: pop of task 2 at 14 us");
}

TEST(CheckTrace, ALostTaskIsAViolationOnlyIfNoRecordIsMissing) {
  Entries entries = Valid();
  entries.erase(entries.begin() + Find(entries, 1, RecordKind::kPop, 1));
  entries.erase(entries.begin() + Find(entries, 1, RecordKind::kTileEnd, 1));
  ExpectFirst(Check(entries), "exactly_once", "task 3 was not executed");
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kBlockExit),
                 {1, Record::Drop(20 * kUs, 2)});
  const CheckReport report = Check(entries);
  EXPECT_EQ(report.verdict, Verdict::kUnknown) << ReportText(report);
  EXPECT_THAT(ReportText(report),
              HasSubstr("exactly_once cannot be told in 1 case"));
}

TEST(CheckTrace, ATaskOutOfRangeIsNamed) {
  Entries entries = Valid();
  entries[Find(entries, 1, RecordKind::kPop, 1)].second.value = 4;
  entries[Find(entries, 1, RecordKind::kTileEnd, 1)].second.value = 4;
  ExpectFirst(Check(entries), "exactly_once", "task 3 was not executed");
  EXPECT_THAT(ReportText(Check(entries)),
              HasSubstr("but the tasks are 0 to 3"));
}

TEST(CheckTrace, AnUndeclaredGapInTheNumbersIsNamed) {
  const std::string path = testing::TempDir() + "/gap.tbtrace";
  auto writer = TraceWriter::Create(path, Header());
  for (const auto& [stream, record] : Valid()) {
    if (record.kind == RecordKind::kObserve && stream == 1) {
      writer->AppendAt(1, 7, record);
    } else {
      writer->Append(stream, record);
    }
  }
  ASSERT_TRUE(writer->Finish().ok());
  const CheckReport report = CheckBytes(*ReadWholeFile(path));
  ExpectFirst(report, "sequence",
              "record 7 (observation of event 1 at 13 us) stands where record "
              "3 should: 4 records are missing and no drop says so");
}

TEST(CheckTrace, TimeThatFallsIsNamed) {
  Entries entries = Valid();
  entries[Find(entries, 1, RecordKind::kTileEnd, 1)].second.time_ps = 13 * kUs;
  ExpectFirst(Check(entries), "clock", "end of task 3 at 13 us is earlier");
}

TEST(CheckTrace, ABlockOnTwoSmsIsNamed) {
  Entries entries = Valid();
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kPop, 1),
                 {1, Record::BlockStart(13 * kUs, 7, 0)});
  ExpectFirst(Check(entries), "life",
              "block 1: start on SM 7 in slot 0 at 13 us, but it had started");
}

TEST(CheckTrace, ResidencyAndSlotsAreHeld) {
  pb::TraceHeader header = Header();
  header.set_blocks_per_sm(1);
  ExpectFirst(Check(Valid(), header), "residency",
              "1 blocks are resident there already, and 1 was promised");
  Entries entries = Valid();
  entries[1].second.detail = 0;
  ExpectFirst(Check(entries), "residency", "its rank by age there is 1");
  entries = Valid();
  entries[0].second.time_ps = entries[1].second.time_ps = 0;
  entries[1].second.detail = 0;
  ExpectFirst(Check(entries), "residency", "holds that slot from the same");
}

TEST(CheckTrace, AnAbandonedTileMustBeRestarted) {
  Entries entries = ValidStage();
  entries[Find(entries, 0, RecordKind::kRestart)].second =
      Record::Pop(15 * kUs, 2);
  ExpectFirst(Check(entries, StageHeader()), "restart",
              "pop of task 2 at 15 us comes before the restart of the tile of "
              "the abandon of task 2");
  entries = ValidStage();
  entries.erase(entries.begin() + Find(entries, 0, RecordKind::kAbandon));
  ExpectFirst(Check(entries, StageHeader()), "restart",
              "which it had not abandoned");
}

TEST(CheckTrace, TilesOfABlockDoNotOverlap) {
  Entries entries = Valid();
  std::swap(entries[Find(entries, 1, RecordKind::kObserve)],
            entries[Find(entries, 1, RecordKind::kPop, 1)]);
  EXPECT_EQ(Check(entries).verdict, Verdict::kViolation);
  entries = Valid();
  // The pop of task 3 moves before the end of task 1.
  const size_t pop = Find(entries, 1, RecordKind::kPop, 1);
  Record early = entries[pop].second;
  early.time_ps = 12 * kUs;
  entries.erase(entries.begin() + pop);
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kTileEnd),
                 {1, early});
  ExpectFirst(Check(entries), "overlap",
              "pop of task 3 at 12 us while it has in hand what began with the "
              "pop of task 1 at 1 us");
}

TEST(CheckTrace, OneSetterSetsGenerationsInOrder) {
  Entries entries = Valid();
  entries.push_back({kHostStream, Record::FlagSet(30 * kUs, 1)});
  ExpectFirst(Check(entries), "setter", "it was set before by the host");
  pb::TraceHeader header = Header();
  header.set_events(2);
  ExpectFirst(Check(Valid(), header), "setter", "event 2 was never set");
  header = Header();
  header.mutable_cell()->set_setter(pb::DEVICE);
  ExpectFirst(Check(Valid(), header), "setter",
              "a block was promised as the setter");
}

TEST(CheckTrace, EffectsDoNotComeBeforeTheSet) {
  Entries entries = Valid();
  entries[Find(entries, kHostStream, RecordKind::kFlagSet)].second.time_ps =
      12 * kUs;
  ExpectFirst(Check(entries), "set_first",
              "block 0: observation of event 1 at 11 us, before its set by the "
              "host at 12 us");
  pb::TraceHeader coarse = Header();
  coarse.set_quantum_ps(2 * kUs);
  EXPECT_EQ(Check(entries, coarse).verdict, Verdict::kOk)
      << "stamps closer than a tick may be in either order";
}

TEST(CheckTrace, GenerationsAreObservedOnceEach) {
  Entries entries = Valid();
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kPop, 1),
                 {1, Record::Observe(13 * kUs, 1)});
  ExpectFirst(Check(entries), "generation", "which it had observed already");
}

TEST(CheckTrace, UrgentTilesAreRunOnceByTheirClaimant) {
  Entries entries = Valid();
  entries.erase(entries.begin() + Find(entries, 0, RecordKind::kClaim));
  ExpectFirst(Check(entries), "claim", "event 1 has no first claimant");
  entries = Valid();
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kPop, 1),
                 {1, Record::Claim(13 * kUs, 1, 0, pb::BOUNDARY)});
  const CheckReport report = Check(entries);
  ExpectFirst(report, "claim", "it has two first claimants");
  EXPECT_THAT(report.rules[13].findings[0].records, SizeIs(2));
  entries = Valid();
  entries.erase(entries.begin() + Find(entries, 0, RecordKind::kUrgentEnd));
  entries.erase(entries.begin() + Find(entries, 0, RecordKind::kUrgentBegin));
  ExpectFirst(Check(entries), "urgent",
              "urgent tile 0 of event 1 was never run");
}

TEST(CheckTrace, ABlockMustNotOverrunItsPeriod) {
  Entries entries = Valid();
  // Block 1 completes task 3 too before it observes.
  const size_t observe = Find(entries, 1, RecordKind::kObserve);
  Record late = entries[observe].second;
  late.time_ps = 26 * kUs;
  entries.erase(entries.begin() + observe);
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kBlockExit),
                 {1, late});
  ExpectFirst(Check(entries), "checkpoint",
              "block 1: end of task 3 at 26 us without having observed event "
              "1, set at 10 us: it has completed 2 boundaries since");
  pb::TraceHeader header = Header();
  header.mutable_cell()->set_period(2);
  EXPECT_EQ(Check(entries, header).verdict, Verdict::kOk);
  header = Header();
  header.set_visibility_allowance_ps(4 * kUs);
  EXPECT_EQ(Check(entries, header).verdict, Verdict::kOk)
      << "the first boundary was too early to be counted";
}

TEST(CheckTrace, AStageSitePromisesStages) {
  Entries entries = ValidStage();
  const size_t observe = Find(entries, 1, RecordKind::kObserve);
  Record late = entries[observe].second;
  late.time_ps = 26 * kUs;
  entries.erase(entries.begin() + observe);
  entries.insert(entries.begin() + Find(entries, 1, RecordKind::kBlockExit),
                 {1, late});
  ExpectFirst(Check(entries, StageHeader()), "checkpoint",
              "it has completed 5 or more stages");
}

TEST(CheckTrace, TheHandoffBoundIsHeld) {
  auto report = CheckBytes(Bytes(Valid(), Header()), {.bound_ps = 3 * kUs});
  EXPECT_EQ(report.verdict, Verdict::kOk);
  report = CheckBytes(Bytes(Valid(), Header()), {.bound_ps = 2 * kUs});
  ExpectFirst(report, "bound",
              "block 1: observation of event 1 at 13 us, 3 us after its set");
}

TEST(CheckTrace, ExpectationsAreHeldAgainstTheHeader) {
  auto report =
      CheckBytes(Bytes(Valid(), Header()), {.expectations = {{"period", "2"}}});
  ExpectFirst(report, "promise",
              "the header promises period=1; expected was 2");
}

TEST(CheckTrace, WorkersOfOtherArmsAreNotInterrupted) {
  pb::TraceHeader header = Header();
  header.mutable_cell()->set_arm(pb::NONE);
  ExpectFirst(Check(Valid(), header), "site",
              "in the arm none a worker block is not interrupted");
}

TEST(CheckTrace, AnyNumberOfThreadsTellsTheSame) {
  Entries entries = Valid();
  entries[Find(entries, 1, RecordKind::kPop, 1)].second.value = 2;
  entries[Find(entries, 1, RecordKind::kTileEnd, 1)].second.value = 2;
  const std::string bytes = Bytes(entries, Header(), 3);
  const auto json = [&](int threads) {
    CheckReport report = CheckBytes(bytes, {.threads = threads});
    report.threads = 0;
    report.seconds = 0;
    return ReportsJson({report});
  };
  EXPECT_EQ(json(1), json(2));
  EXPECT_EQ(json(1), json(7));
}

TEST(CheckTrace, ACutTraceIsUnknownAndNeverOk) {
  const std::string whole = Bytes(Valid(), Header(), 3);
  int unknown = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    auto reader = TraceReader::FromBytes(whole.substr(0, size), "cut");
    if (!reader.ok()) continue;
    const CheckReport report = CheckTrace(*reader, {});
    ASSERT_EQ(report.verdict, Verdict::kUnknown) << size << "\n"
                                                 << ReportText(report);
    ++unknown;
  }
  EXPECT_GT(unknown, 50);
}

TEST(ExitCodeFor, AViolationOutranksWhatCannotBeTold) {
  CheckReport ok, wrong, unknown;
  wrong.verdict = Verdict::kViolation;
  unknown.verdict = Verdict::kUnknown;
  EXPECT_EQ(ExitCodeFor({ok}), ExitCode::kOk);
  EXPECT_EQ(ExitCodeFor({ok, unknown}), ExitCode::kCannotTell);
  EXPECT_EQ(ExitCodeFor({unknown, wrong, ok}), ExitCode::kWrong);
}

}  // namespace
}  // namespace tilebound::oracle
