#include "data/io/atomic_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracle/mutate.h"
#include "oracle/report.h"

namespace tilebound::oracle {
namespace {

using ::testing::HasSubstr;

TEST(OraclePage, HoldsTheTablesThatTheCommandPrints) {
  const auto page = ReadWholeFile("docs/oracle.md");
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_THAT(*page, HasSubstr("```\n" + RulesTable().ToText() + "```"))
      << "put in the output of: check --rules";
  EXPECT_THAT(*page, HasSubstr("```\n" + MutationsTable().ToText() + "```"))
      << "put in the output of: check --list_mutations";
}

}  // namespace
}  // namespace tilebound::oracle
