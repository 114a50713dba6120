#include "data/schema/describe.h"

#include "data/schema/file.h"
#include "data/schema/text_parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tilebound {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

pb::File Parse(const std::string& text) {
  pb::File file;
  const absl::Status parsed = ParseText("example", text, &file);
  EXPECT_TRUE(parsed.ok()) << parsed;
  file.set_schema_major(kSchemaMajor);
  return file;
}

pb::File Part() {
  return Parse(R"(part {
    name: "try_part" product: "Vendor's Try" sm_count: 72
    limits { warp_size: 32 }
    memory { bandwidth_gb_per_s: 600.25 }
    sources { figures: ["sm_count", "memory.bandwidth_gb_per_s"]
              citation: "Data sheet, page 2" }
    sources { figures: "limits.warp_size" citation: "Guide" }
  })");
}

pb::File Calibration() {
  return Parse(R"(calibration {
    part: "a10" kernel: "sgemm64" sm_clock_mhz: 1695
    measured { quantity: "tile_time_slot" unit: "us" value: 10.5 k: 64
               blocks_per_sm: 4 slot: 0 source: "table 3" }
    fitted { quantity: "service_time" unit: "us" value: 6.25 k: 64 low: 6 high: 6.5
             source: "least squares" fitted_from: ["table 3", "table 4"] }
  })");
}

pb::File Surface() {
  return Parse(R"(surface {
    name: "try_surface"
    provenance { kind: PUBLISHED citation: "A. Author" seed: 7 }
    conditions { sm_clock_mhz: 1695 clock_hold: "locked" }
    cells {
      key { part: "a10" kernel: "sgemm64" k: 64 blocks: 72 }
      metrics { name: "latency" unit: "us" soft_reason: "thermal drift"
                quantiles { q: 0.5 value: 32.768 } }
    }
  })");
}

std::string Render(const pb::File& file, const std::string& format) {
  return *RenderDescriptions({{"f", DescribeFile(file)}}, format);
}

TEST(DescribeFile, EveryKindShowsItsContentNameAndHash) {
  const pb::File files[] = {
      Part(),
      Calibration(),
      Surface(),
      Parse(R"(kernel { name: "try_kernel" programs { chunk_k: 16 } })"),
      Parse(R"(experiment { k: "64" })"),
      Parse(R"(fit_recipe { part: "a10" kernel: "sgemm64" })"),
      Parse("tolerances { confidence: 0.95 }")};
  for (const pb::File& file : files) {
    EXPECT_THAT(Render(file, "table"),
                AllOf(HasSubstr("== f: " + ContentName(file)),
                      HasSubstr(ContentSha256(file))));
    const auto json = nlohmann::json::parse(Render(file, "json"));
    ASSERT_EQ(json.size(), 1u);
    EXPECT_EQ(json[0]["content"], ContentName(file));
    EXPECT_EQ(json[0]["sha256"], ContentSha256(file));
  }
}

TEST(DescribeFile, APartsFiguresStandBesideTheirSources) {
  EXPECT_EQ(Render(Part(), "csv"),
            "figure,value,source\n"
            "sm_count,72,\"Data sheet, page 2\"\n"
            "limits.warp_size,32,Guide\n"
            "memory.bandwidth_gb_per_s,600.25,\"Data sheet, page 2\"\n");
  const std::string text = Render(Part(), "table");
  EXPECT_THAT(text, HasSubstr("product  Vendor's Try\n"));
  EXPECT_THAT(text, HasSubstr("sm_count                       72  [1]\n"));
  EXPECT_THAT(text, HasSubstr("\n[1] Data sheet, page 2\n[2] Guide\n"));
}

TEST(DescribeFile, AKernelsFieldsAreNamedByPath) {
  EXPECT_EQ(
      Render(Parse(R"(kernel { name: "t" programs { sites: ["boundary", "stage"]
                      chunk { flops: 524288 } } })"),
             "csv"),
      "field,value\nname,t\nprograms[0].sites[0],boundary\n"
      "programs[0].sites[1],stage\nprograms[0].chunk.flops,524288\n");
}

TEST(DescribeFile, ACalibrationShowsGroupConditionsAndInterval) {
  EXPECT_EQ(Render(Calibration(), "csv"),
            "group,quantity,k,blocks,blocks_per_sm,slot,site,variant,value,"
            "unit,low,high,source,fitted_from\n"
            "measured,tile_time_slot,64,,4,0,,,10.5,us,,,table 3,\n"
            "fitted,service_time,64,,,,,,6.25,us,6,6.5,least squares,table 3; "
            "table 4\n");
  EXPECT_THAT(
      Render(Calibration(), "table"),
      AllOf(HasSubstr("k=64 blocks_per_sm=4 slot=0"), HasSubstr("6 to 6.5"),
            HasSubstr("[2] least squares; fitted from table 3; table 4")));
}

TEST(DescribeFile, ASurfaceShowsProvenanceConditionsAndSoftCells) {
  const std::string text = Render(Surface(), "table");
  EXPECT_THAT(text, HasSubstr("provenance.kind          PUBLISHED\n"));
  EXPECT_THAT(text, HasSubstr("conditions.clock_hold    locked\n"));
  EXPECT_THAT(text, HasSubstr("latency_p50_us=32.768"));
  EXPECT_THAT(text, HasSubstr("soft: latency at k 64, 72 blocks"));
  const auto json = nlohmann::json::parse(Render(Surface(), "json"))[0];
  EXPECT_EQ(json["facts"]["provenance.seed"], 7);
  EXPECT_EQ(json["facts"]["conditions.sm_clock_mhz"], 1695.0);
  EXPECT_EQ(json["rows"][0]["latency_p50_us"], 32.768);
}

TEST(DescribeMessage, ShowsTheFieldsWithoutAHash) {
  const Description header = DescribeMessage("header", Part().part());
  const std::string text = *RenderDescriptions({{"f", header}}, "table");
  EXPECT_THAT(text, HasSubstr("== f: header ==\n"));
  EXPECT_THAT(text, HasSubstr("limits.warp_size"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("sha256")));
}

TEST(RenderDescriptions, SeveralFilesStayParseableOrAreRefused) {
  const std::vector<std::pair<std::string, Description>> files = {
      {"a", DescribeFile(Part())}, {"b", DescribeFile(Surface())}};
  const auto json = nlohmann::json::parse(*RenderDescriptions(files, "json"));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1]["file"], "b");
  EXPECT_EQ(RenderDescriptions(files, "csv").status().message(),
            "--format=csv with 2 files: one file is accepted; json and table "
            "take any number");
  EXPECT_THAT(*RenderDescriptions(files, "table"),
              AllOf(HasSubstr("== a: part"), HasSubstr("\n== b: surface")));
  EXPECT_FALSE(RenderDescriptions(files, "yaml").ok());
}

TEST(RenderDescriptions, ReadsTheSameWhateverTheFileHolds) {
  pb::File file = Surface();
  file.mutable_surface()->mutable_provenance()->set_note("two\nlines \"x\"");
  EXPECT_THAT(Render(file, "table"), HasSubstr("two lines \"x\"\n"));
  EXPECT_EQ(nlohmann::json::parse(
                Render(file, "json"))[0]["facts"]["provenance.note"],
            "two\nlines \"x\"");
}

}  // namespace
}  // namespace tilebound
