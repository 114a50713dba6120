#include "data/io/table.h"

#include <limits>

#include "gtest/gtest.h"

namespace tilebound {
namespace {

Table Example() {
  Table table({"cell", "n", "p50_us"});
  table.AddRow({std::string("a, \"b\""), uint64_t{10}, 64.512});
  table.AddRow({std::string("c"), uint64_t{2},
                std::numeric_limits<double>::quiet_NaN()});
  table.AddRow({std::string("d")});
  return table;
}

TEST(Table, CsvQuotesAndLeavesAbsentFieldsEmpty) {
  EXPECT_EQ(Example().ToCsv(),
            "cell,n,p50_us\n\"a, \"\"b\"\"\",10,64.512\nc,2,\nd,,\n");
}

TEST(Table, TextAlignsNumbersToTheRight) {
  EXPECT_EQ(Example().ToText(),
            "cell     n  p50_us\n"
            "a, \"b\"  10  64.512\n"
            "c        2       -\n"
            "d        -       -\n");
}

TEST(Table, JsonKeepsColumnOrderAndWritesNull) {
  EXPECT_EQ(Table({"b", "a"}).ToJson(), "[]\n");
  const std::string json = Example().ToJson();
  EXPECT_LT(json.find("\"cell\""), json.find("\"n\""));
  EXPECT_NE(json.find("\"p50_us\": null"), std::string::npos);
}

TEST(Table, UnknownFormatNamesTheAcceptedOnes) {
  EXPECT_EQ(Example().Render("xml").status().message(),
            "--format=xml: accepted are table, csv, json");
}

TEST(ShortestDouble, ReadsBackAsTheSameValue) {
  for (double value : {0.1, 64.512, 1e300, 1.0 / 3}) {
    EXPECT_EQ(std::stod(ShortestDouble(value)), value);
  }
}

}  // namespace
}  // namespace tilebound
