#include "data/trace/jsonl.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

// The example of docs/trace-format.md.
constexpr char kExample[] =
    R"({"tbtrace":1,"arm":"cooperative","site":"boundary","period":1,"urgent_tiles":1,"blocks":1,"tasks":1,"events":1,"blocks_per_sm":1}
{"block":0,"kind":"block_start","sm":0,"slot":0,"time_ns":0}
{"block":0,"kind":"pop","task":0,"time_ns":1000}
{"block":0,"kind":"tile_end","task":0,"time_ns":26000}
{"block":"host","kind":"flag_set","event":1,"time_ns":20000}
{"block":0,"kind":"observe","event":1,"time_ns":26000}
{"block":0,"kind":"claim","event":1,"urgent_tile":0,"site":"boundary","time_ns":26000}
{"block":0,"kind":"urgent_begin","event":1,"urgent_tile":0,"time_ns":26000}
{"block":0,"kind":"urgent_end","event":1,"urgent_tile":0,"time_ns":33000}
{"block":0,"kind":"block_exit","time_ns":33000}
)";

std::string Error(const std::string& text) {
  return std::string(TraceFromJsonLines(text, "a.jsonl").status().message());
}

std::string Header() {
  const std::string text = kExample;
  return text.substr(0, text.find('\n') + 1);
}

TEST(JsonLines, TheExampleReadsAndSurvivesTheRoundTrip) {
  auto bytes = TraceFromJsonLines(kExample, "a.jsonl");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  auto reader = TraceReader::FromBytes(*bytes, "a");
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(reader->header().cell().urgent_tiles(), 1u);
  auto text = JsonLinesOf(*reader);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text,
              HasSubstr(R"("kind":"tile_end","task":0,"time_ps":26000000)"));
  auto again = TraceFromJsonLines(*text, "b");
  ASSERT_TRUE(again.ok()) << again.status();
  auto second = TraceReader::FromBytes(*again, "b");
  EXPECT_EQ(*JsonLinesOf(*second), *text);
}

TEST(JsonLines, SequenceNumbersOfTheSourceAreKept) {
  auto bytes = TraceFromJsonLines(
      Header() + R"({"block":0,"seq":41,"kind":"block_exit","time_ps":7})",
      "a");
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  auto reader = TraceReader::FromBytes(*bytes, "a");
  reader->ForEachRecord([](uint32_t, uint64_t sequence, const Record&) {
    EXPECT_EQ(sequence, 41u);
  });
}

TEST(JsonLines, ErrorsNameLineFieldAndWhatIsAccepted) {
  EXPECT_EQ(Error("\n\n"),
            "a.jsonl: no header line; accepted is {\"tbtrace\":1,...}");
  EXPECT_EQ(Error("{"), "a.jsonl: line 1: not JSON");
  EXPECT_THAT(Error(R"({"tbtrace":2,"blocks":1})"), HasSubstr("newer than"));
  EXPECT_THAT(Error(R"({"tbtrace":1,"bloks":1})"),
              HasSubstr("\"bloks\" is not known (did you mean blocks?)"));
  EXPECT_THAT(Error(R"({"tbtrace":1,"arm":"never"})"),
              HasSubstr("cooperative"));
  EXPECT_EQ(Error(Header() + R"({"block":0,"kind":"pop","time_ns":1})"),
            "a.jsonl: line 2: \"task\" is missing");
  EXPECT_THAT(
      Error(Header() + R"({"block":0,"kind":"hop","time_ns":1})"),
      HasSubstr("line 2: \"kind\" is missing or not known; accepted are "
                "block_start, block_exit, pop"));
  EXPECT_EQ(
      Error(Header() + R"({"block":0,"kind":"pop","task":-1,"time_ns":1})"),
      "a.jsonl: line 2: \"task\" is -1; accepted: 0 to "
      "18446744073709551615");
  EXPECT_THAT(Error(Header() + R"({"block":0,"kind":"block_exit"})"),
              HasSubstr("one of \"time_ps\" and \"time_ns\" is needed"));
  EXPECT_THAT(
      Error(Header() + R"({"block":5,"kind":"block_exit","time_ps":1})"),
      HasSubstr("block 5; the header has blocks 0 to 0"));
  EXPECT_THAT(
      Error(Header() +
            R"({"block":0,"kind":"block_exit","time_ps":9000000000000000000})"),
      HasSubstr("26 days"));
}

}  // namespace
}  // namespace tilebound
