#include "data/schema/hypothesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::Hypotheses Valid() {
  pb::Hypotheses hypotheses;
  pb::Hypothesis* hypothesis = hypotheses.add_hypothesis();
  hypothesis->set_id("H1");
  hypothesis->set_statement("Overhead is at most 10 %.");
  hypothesis->set_date("2026-08");
  hypothesis->set_source("a test");
  pb::Clause* clause = hypothesis->add_clause();
  clause->set_metric("overhead");
  clause->set_relation(pb::Clause::AT_MOST);
  clause->set_threshold(10);
  pb::AxisFilter* where = clause->add_where();
  where->set_axis("site");
  where->add_value("boundary");
  return hypotheses;
}

std::string ErrorAfter(void (*spoil)(pb::Hypothesis&)) {
  pb::Hypotheses hypotheses = Valid();
  spoil(*hypotheses.mutable_hypothesis(0));
  return std::string(ValidateHypotheses(hypotheses).message());
}

TEST(ValidateHypotheses, AcceptsAWholeOne) {
  EXPECT_TRUE(ValidateHypotheses(Valid()).ok());
}

TEST(ValidateHypotheses, NamesHypothesisClauseFieldAndValue) {
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) {
                h.mutable_clause(0)->mutable_where(0)->set_axis("sites");
              }),
              HasSubstr("(H1).clause[0].where[0].axis is \"sites\" (did you "
                        "mean site?)"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) {
                h.mutable_clause(0)->set_metric("overhaed");
              }),
              HasSubstr("\"overhaed\" (did you mean overhead?)"));
  EXPECT_THAT(
      ErrorAfter([](pb::Hypothesis& h) { h.mutable_clause(0)->set_q(50); }),
      HasSubstr(".q is 50"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) {
                h.mutable_clause(0)->clear_relation();
              }),
              HasSubstr(".relation is missing"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) {
                h.mutable_clause(0)->set_threshold(
                    std::numeric_limits<double>::quiet_NaN());
              }),
              HasSubstr(".threshold is not a finite number"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) {
                h.mutable_clause(0)->set_scale(pb::Clause::RATIO);
              }),
              HasSubstr(".relative_to is missing"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) { h.clear_date(); }),
              HasSubstr(".date is missing"));
  EXPECT_THAT(ErrorAfter([](pb::Hypothesis& h) { h.clear_clause(); }),
              HasSubstr(".clause is missing"));
}

TEST(ValidateHypotheses, RefusesTheSameIdTwice) {
  pb::Hypotheses hypotheses = Valid();
  *hypotheses.add_hypothesis() = hypotheses.hypothesis(0);
  EXPECT_THAT(std::string(ValidateHypotheses(hypotheses).message()),
              HasSubstr("\"H1\" occurs twice"));
}

}  // namespace
}  // namespace tilebound
