#include "model/cycle/instruction_stream.h"

#include <string>

#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto parsed = ParseInstructions(text);
  return parsed.ok() ? "no error" : std::string(parsed.status().message());
}

TEST(InstructionStream, EveryFieldIsReadFromItsLetter) {
  const auto parsed = ParseInstructions("2*cpa?,s4,w1,r5,m024 wait.3,w0");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  ASSERT_EQ(parsed->size(), 3u);
  const Instruction& copy = (*parsed)[1];
  EXPECT_EQ(copy, (*parsed)[0]);
  EXPECT_EQ(copy.kind, InstructionKind::kAsyncCopy);
  EXPECT_TRUE(copy.not_in_last_chunk);
  EXPECT_EQ(copy.stall, 4);
  EXPECT_EQ(copy.write, 1);
  EXPECT_EQ(copy.read, 5);
  EXPECT_EQ(copy.waits, 0b10101);
  EXPECT_EQ((*parsed)[2].kind, InstructionKind::kWaitGroup);
  EXPECT_EQ((*parsed)[2].argument, 3u);
}

TEST(InstructionStream, WhatIsLeftOutIsStallOneNoScoreboardAndOneWord) {
  const auto parsed = ParseInstructions("ldg");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ((*parsed)[0].argument, 1u);
  EXPECT_EQ((*parsed)[0].stall, 1);
  EXPECT_EQ((*parsed)[0].write, kNoScoreboard);
  EXPECT_EQ((*parsed)[0].waits, 0);
}

TEST(InstructionStream, FormattingBringsTheTextBackWithRunsCounted) {
  const std::string text =
      "3*int,s2 var,w1 fma,m05 mma.2048 lds.4,w2 sts.4,r0 ldg,w5 stg,m1 "
      "atom,s4,w2 cpa?,s3,r1 commit,w0 wait.1,s4,w0 bar,s6";
  const auto parsed = ParseInstructions(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(FormatInstructions(*parsed), text);
  const auto loose = ParseInstructions("  int,s2\n2*int,s2\tsts.1 ");
  ASSERT_TRUE(loose.ok()) << loose.status();
  EXPECT_EQ(FormatInstructions(*loose), "3*int,s2 sts");
}

TEST(InstructionStream, ErrorsTellTheItemItsTextAndWhatIsAccepted) {
  EXPECT_EQ(ErrorOf("int lsd.4"),
            "item 2, \"lsd.4\": no instruction \"lsd\"; accepted: int, var, "
            "fma, mma, lds, sts, ldg, stg, atom, cpa, commit, wait, bar");
  EXPECT_EQ(ErrorOf("lds"),
            "item 1, \"lds\": lds needs an argument, as in lds.4");
  EXPECT_EQ(ErrorOf("fma.2"), "item 1, \"fma.2\": fma takes no argument");
  EXPECT_EQ(ErrorOf("fma,s16"),
            "item 1, \"fma,s16\": field \"s16\"; s1 to s15 is accepted");
  EXPECT_EQ(ErrorOf("ldg,w6"),
            "item 1, \"ldg,w6\": field \"w6\"; a scoreboard from 0 to 5 is "
            "accepted");
  EXPECT_EQ(ErrorOf("0*int"),
            "item 1, \"0*int\": count \"0\"; 1 to 1000000 is accepted");
  EXPECT_EQ(ErrorOf("commit"),
            "item 1, \"commit\": commit needs the scoreboard that counts its "
            "groups, as in commit,w0");
  EXPECT_EQ(ErrorOf("int,"),
            "item 1, \"int,\": field \"\"; sN, wN, rN or mN... is accepted");
}

TEST(InstructionStream, ARunCountCannotExhaustTheMemory) {
  EXPECT_NE(ErrorOf("1000000*int 1000000*int"), "no error");
}

pb::InstructionStream SmallText() {
  pb::InstructionStream text;
  text.set_compute_capability(86);
  text.set_elect("atom,w0");
  text.set_fetch("bar");
  text.set_chunk("fma");
  return text;
}

TEST(InstructionStream, ABarrierThatOneWarpWouldWaitAtAloneIsRefused) {
  pb::InstructionStream text = SmallText();
  EXPECT_TRUE(ParseStream(text).ok());
  text.set_elect("atom,w0 bar");
  EXPECT_EQ(ParseStream(text).status().message(),
            "elect, instruction 2: bar; only warp 0 runs this segment, and a "
            "barrier needs all of them");
}

TEST(InstructionStream, LastChunkMarksBelongToChunks) {
  pb::InstructionStream text = SmallText();
  text.set_chunk("cpa?");
  EXPECT_TRUE(ParseStream(text).ok());
  text.set_epilogue("cpa?");
  EXPECT_FALSE(ParseStream(text).ok());
}

TEST(InstructionStream, AFaultyStreamNamesItsCapabilityAndSegment) {
  pb::InstructionStream text = SmallText();
  text.set_fetch("bar baz");
  EXPECT_EQ(std::string(ParseStream(text).status().message()).substr(0, 40),
            "stream for 86, fetch, item 2, \"baz\": no ");
}

TEST(InstructionStream, AMissingCapabilityTellsThoseThereAre) {
  pb::TileProgram program;
  program.set_name("tile");
  *program.add_streams() = SmallText();
  EXPECT_TRUE(FindStream(program, 86).ok());
  const absl::Status missing = FindStream(program, 80).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(missing.message(),
            "program tile has no instruction stream for compute capability "
            "80; it has 86");
}

}  // namespace
}  // namespace tilebound::model
