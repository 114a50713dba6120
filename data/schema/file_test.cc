#include "data/schema/file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "data/schema/cell_key.h"
#include "data/schema/metric.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

namespace fs = std::filesystem;
using ::google::protobuf::util::MessageDifferencer;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class FileTest : public ::testing::Test {
 protected:
  FileTest() : folder_(fs::path(::testing::TempDir()) / "file_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~FileTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) { return folder_ / name; }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  std::string ReadError(const std::string& path) {
    return std::string(ReadFile(path).status().message());
  }

  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  const fs::path folder_;
};

pb::Surface Example() {
  pb::Surface surface;
  surface.set_name("try");
  surface.mutable_provenance()->set_kind(pb::Provenance::PREDICTED);
  surface.mutable_provenance()->set_started_utc("2026-01-01T00:00:00Z");
  surface.mutable_provenance()->set_note("5 \xc2\xb5s, \"quoted\"\n\x01");
  surface.mutable_conditions()->set_sm_clock_mhz(1695.0 / 7);
  for (uint32_t blocks : {72u, 288u}) {
    pb::Cell& cell = *surface.add_cells();
    *cell.mutable_key() = DefaultCellKey();
    cell.mutable_key()->set_part("a10");
    cell.mutable_key()->set_kernel("sgemm64");
    cell.mutable_key()->set_k(64);
    cell.mutable_key()->set_blocks(blocks);
    Histogram histogram(1'024'000);
    histogram.Add(blocks, 300);
    histogram.Add(1'000'000'000'000'000, 1);
    *cell.add_metrics() = HistogramMetric(kLatency, histogram);
    *cell.add_metrics() = ScalarMetric(kOverhead, 0.1 + 0.2, 3);
  }
  return surface;
}

TEST_F(FileTest, WhatAnInterruptedCommandLeftIsReadLikeTheFile) {
  for (const std::string name : {"s.textproto", "s.binpb"}) {
    ASSERT_TRUE(WriteContent(Path(name), Example()).ok());
    fs::rename(Path(name), Path(name + ".partial"));
    const auto left = ReadContent<pb::Surface>(Path(name + ".partial"));
    ASSERT_TRUE(left.ok()) << left.status();
    EXPECT_TRUE(MessageDifferencer::Equals(*left, Example()));
  }
  EXPECT_THAT(ReadError(Path("s.csv.partial")), HasSubstr(".textproto"));
}

TEST_F(FileTest, TextAndBinaryHoldTheSameWithTheSameHash) {
  ASSERT_TRUE(WriteContent(Path("s.textproto"), Example()).ok());
  ASSERT_TRUE(WriteContent(Path("s.binpb"), Example()).ok());
  const pb::File text = *ReadFile(Path("s.textproto"));
  const pb::File binary = *ReadFile(Path("s.binpb"));
  EXPECT_TRUE(MessageDifferencer::Equals(text, binary));
  EXPECT_TRUE(MessageDifferencer::Equals(text.surface(), Example()));
  EXPECT_EQ(ContentSha256(text), ContentSha256(binary));
  EXPECT_EQ(ContentSha256(text), ContentSha256(MakeFile(Example())));
}

TEST(ContentSha256, LeavesTheTimestampsOutAndNothingElse) {
  const std::string hash = ContentSha256(MakeFile(Example()));
  pb::Surface later = Example();
  later.mutable_provenance()->set_started_utc("2030-01-01T00:00:00Z");
  later.mutable_provenance()->set_finished_utc("2031-01-01T00:00:00Z");
  EXPECT_EQ(ContentSha256(MakeFile(later)), hash);
  later.mutable_provenance()->set_seed(1);
  EXPECT_NE(ContentSha256(MakeFile(later)), hash);
  pb::Surface other = Example();
  other.mutable_cells(1)->mutable_metrics(0)->mutable_histogram()->set_count(1,
                                                                             2);
  EXPECT_NE(ContentSha256(MakeFile(other)), hash);
}

// The bytes of `schema_major: 1 experiment { k: "64" seed: 7 }` by protobuf's
// wire rules: field 1 varint 1; field 14 of 6 bytes: field 3 "64", field 15 7.
//   printf '\x08\x01\x72\x06\x1a\x02\x36\x34\x78\x07' | sha256sum
TEST(ContentSha256, IsThatOfTheBytesByHand) {
  pb::Experiment experiment;
  experiment.add_k("64");
  experiment.set_seed(7);
  EXPECT_EQ(ContentSha256(MakeFile(experiment)),
            "a31e4460651f0465d521725b799a62c873cf60272ac88d89e8aefbce1c05f924");
}

TEST_F(FileTest, EveryTruncationOfABinaryFileIsRefused) {
  const std::string bytes = MakeFile(Example()).SerializeAsString();
  ASSERT_GT(bytes.size(), 200u);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string path = Write("cut.binpb", bytes.substr(0, size));
    const auto file = ReadFile(path);
    ASSERT_FALSE(file.ok()) << size << " of " << bytes.size() << " bytes";
    EXPECT_THAT(
        std::string(file.status().message()),
        AllOf(StartsWith(path + ": "), HasSubstr(size > 2 ? "truncated" : "")));
  }
  EXPECT_TRUE(ReadFile(Write("whole.binpb", bytes)).ok());
}

TEST_F(FileTest, EveryTruncationOfATextFileIsRefused) {
  std::string text = FileToText(MakeFile(Example()));
  // The last newline and brace close the content; before it all are cut.
  text.resize(text.rfind('}'));
  for (size_t size = 0; size < text.size(); ++size) {
    const std::string path = Write("cut.textproto", text.substr(0, size));
    ASSERT_FALSE(ReadFile(path).ok()) << text.substr(0, size);
  }
}

TEST_F(FileTest, AFileOfAnotherSchemaIsRefused) {
  EXPECT_EQ(ReadError(Write("x.binpb", "PK\x03\x04 not ours at all")),
            Path("x.binpb") +
                ": not a whole binary Tilebound file (20 bytes read); it is "
                "truncated or something else");
  EXPECT_THAT(
      ReadError(Write("x.textproto", "graph_def { node: 1 }")),
      HasSubstr("x.textproto:1:1: no field \"graph_def\" in File; "
                "accepted are schema_major, schema_minor, part, kernel, "
                "calibration, surface, experiment, fit_recipe, tolerances, "
                "hypotheses, registry"));
  // A well-formed message whose fields are not ours.
  EXPECT_THAT(ReadError(Write("y.binpb",
                              "\xa2\x06\x03"
                              "abc")),
              HasSubstr("schema_major is missing"));
  EXPECT_THAT(ReadError(Write("z.textproto", "schema_major: 1")),
              HasSubstr("holds nothing that is known here; accepted are part"));
}

TEST_F(FileTest, TextThatIsNotUtf8IsRefusedInOneLine) {
  std::string bytes = MakeFile(Example()).SerializeAsString();
  bytes[bytes.find("try")] = '\xff';
  ::testing::internal::CaptureStderr();
  EXPECT_THAT(ReadError(Write("x.binpb", bytes)), HasSubstr("x.binpb: "));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(FileTest, VersionsAreRefusedInOneSentence) {
  EXPECT_EQ(ReadError(Write("new.textproto",
                            "schema_major: 2 experiment { k: \"64\" }")),
            Path("new.textproto") +
                ": schema_major is 2, written by a newer Tilebound; this one "
                "reads 1");
  EXPECT_EQ(
      ReadError(Write("none.textproto", "experiment { k: \"64\" }")),
      Path("none.textproto") + ": schema_major is missing; 1 is accepted");
  EXPECT_TRUE(ReadFile(Write("minor.textproto",
                             "schema_major: 1 schema_minor: 9 experiment {}"))
                  .ok());
}

TEST_F(FileTest, AMisspeltFieldIsNamedWithLineColumnAndTheAcceptedOnes) {
  EXPECT_THAT(
      ReadError(Write("x.textproto",
                      "schema_major: 1\nexperiment {\n  evnets: 5\n}\n")),
      AllOf(
          StartsWith(Path("x.textproto") + ":3:3: no field \"evnets\" in "
                                           "Experiment (did you mean events?)"),
          HasSubstr("accepted are part, kernel, k, blocks")));
}

TEST_F(FileTest, AnInvalidFieldIsNamedWithTheFile) {
  EXPECT_EQ(ReadError(Write("x.textproto", "schema_major: 1 kernel {}")),
            Path("x.textproto") +
                ": kernel.name \"\" is not a name; accepted are lower-case "
                "letters, digits and '_', starting with a letter, at most 64");
}

TEST_F(FileTest, AnotherKindOfContentIsRefused) {
  ASSERT_TRUE(WriteContent(Path("s.binpb"), Example()).ok());
  EXPECT_EQ(
      ReadContent<pb::Part>(Path("s.binpb")).status().message(),
      Path("s.binpb") + ": its content is surface; accepted here is part");
  EXPECT_TRUE(ReadContent<pb::Surface>(Path("s.binpb")).ok());
}

TEST_F(FileTest, APathMustEndAsWeWriteAndBeThere) {
  EXPECT_EQ(
      ReadError("a.pb"),
      "a.pb: the ending is not known; accepted are .textproto and .binpb");
  EXPECT_THAT(ReadError(""), StartsWith("\"\": the ending is not known"));
  EXPECT_EQ(ReadError(Path("no.binpb")),
            "cannot read " + Path("no.binpb") + ": No such file or directory");
  fs::create_directory(Path("folder.binpb"));
  EXPECT_THAT(ReadError(Path("folder.binpb")), HasSubstr("Is a directory"));
}

TEST_F(FileTest, WritingReplacesWholeFilesAndLeavesNoPartial) {
  ASSERT_TRUE(WriteContent(Path("s.binpb"), Example()).ok());
  pb::Surface renamed = Example();
  renamed.set_name("again");
  ASSERT_TRUE(WriteContent(Path("s.binpb"), renamed).ok());
  EXPECT_EQ(ReadContent<pb::Surface>(Path("s.binpb"))->name(), "again");
  EXPECT_THAT(Names(), ::testing::ElementsAre("s.binpb"));
}

TEST_F(FileTest, ARefusedWriteLeavesWhatWasThere) {
  ASSERT_TRUE(WriteContent(Path("s.binpb"), Example()).ok());
  pb::Surface broken = Example();
  broken.clear_provenance();
  EXPECT_THAT(std::string(WriteContent(Path("s.binpb"), broken).message()),
              StartsWith("cannot write " + Path("s.binpb") +
                         ": surface.provenance.kind is not set"));
  EXPECT_EQ(ReadContent<pb::Surface>(Path("s.binpb"))->name(), "try");
  pb::File unversioned = MakeFile(Example());
  unversioned.clear_schema_major();
  EXPECT_THAT(std::string(WriteFile(Path("t.binpb"), unversioned).message()),
              HasSubstr("schema_major is missing"));
  EXPECT_THAT(Names(), ::testing::ElementsAre("s.binpb"));
}

TEST_F(FileTest, AnOutputThatCannotBeIsToldBeforeLongWork) {
  EXPECT_TRUE(CheckOutputPath(Path("s.binpb")).ok());
  EXPECT_THAT(std::string(CheckOutputPath(Path("no/s.binpb")).message()),
              HasSubstr("no/s.binpb: there is no folder " + Path("no")));
  EXPECT_THAT(std::string(CheckOutputPath(Path("s.csv")).message()),
              HasSubstr("s.csv: the ending is not known"));
  const std::string file = Write("f", "");
  EXPECT_THAT(std::string(CheckOutputPath(file + "/s.binpb").message()),
              HasSubstr("there is no folder " + file));
  fs::create_directory(Path("folder.binpb"));
  EXPECT_THAT(std::string(CheckOutputPath(Path("folder.binpb")).message()),
              HasSubstr("is a folder; a file name is needed"));
}

TEST(ContentName, NamesTheFieldThatIsSet) {
  EXPECT_EQ(ContentName(MakeFile(pb::Part())), "part");
  EXPECT_EQ(ContentName(MakeFile(pb::Kernel())), "kernel");
  EXPECT_EQ(ContentName(MakeFile(pb::Calibration())), "calibration");
  EXPECT_EQ(ContentName(MakeFile(pb::Surface())), "surface");
  EXPECT_EQ(ContentName(MakeFile(pb::Experiment())), "experiment");
  EXPECT_EQ(ContentName(MakeFile(pb::FitRecipe())), "fit_recipe");
  EXPECT_EQ(ContentName(pb::File()), "nothing");
}

}  // namespace
}  // namespace tilebound
