// The four renderings of one set of findings, and that none of them lets a name
// out of its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "nlohmann/json.hpp"
#include "validate/findings.h"
#include "validate/planted.h"
#include "validate/render_html.h"
#include "validate/render_json.h"
#include "validate/render_markdown.h"
#include "validate/render_text.h"

namespace tilebound::validate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Findings FindIn(pb::Surface predicted, pb::Surface measured) {
  ReportInputs inputs;
  inputs.predicted.push_back(AsInput(std::move(predicted)));
  inputs.measured.push_back(AsInput(std::move(measured)));
  inputs.tolerances.set_clock_relative(0.03);
  inputs.tolerances.set_confidence(0.95);
  inputs.tolerances.add_tolerance()->set_relative(0.05);
  return Find(std::move(inputs));
}

Findings Optimistic() {
  PlantedOptions options;
  options.blocks = {100, 200};
  options.period = {1, 2};
  return FindIn(Scaled(PlantedSurface(options), 0.9), PlantedSurface(options));
}

TEST(RenderText, HasARowACellWithTheAxesThatVary) {
  const std::string text = RenderText(Optimistic());
  EXPECT_THAT(text, HasSubstr("part=a10 kernel=sgemm64 k=64"));
  EXPECT_THAT(text, HasSubstr("blocks  period  p50 predicted  measured"));
  // 200 blocks, period 2: p50 360 against 400, p99 450 against 500.
  EXPECT_THAT(text, HasSubstr("   200       2            360       400"));
  EXPECT_THAT(text, HasSubstr("OPTIMISTIC"));
  EXPECT_THAT(text, HasSubstr("4 of 4 measured cells compared"));
  EXPECT_THAT(text, HasSubstr("10.0 %"));
}

TEST(RenderText, OfNothingStillSaysWhatIsCovered) {
  pb::Surface empty = PlantedSurface({});
  empty.clear_cells();
  const std::string text = RenderText(FindIn(Scaled(empty, 1), empty));
  EXPECT_THAT(text, HasSubstr("0 of 0 measured cells compared"));
}

TEST(RenderJson, ParsesAndCarriesEveryFigure) {
  const auto json = nlohmann::json::parse(RenderJson(Optimistic()));
  EXPECT_EQ(json["schema"], "tilebound.report");
  EXPECT_EQ(json["schema_major"], 1);
  ASSERT_EQ(json["cells"].size(), 4u);
  const auto& cell = json["cells"][3];
  EXPECT_EQ(cell["key"]["blocks"], 200);
  EXPECT_EQ(cell["key"]["period"], 2);
  EXPECT_EQ(cell["fingerprint"].get<std::string>().size(), 16u);
  const auto& p99 = cell["comparisons"][1];
  EXPECT_EQ(p99["metric"], "latency");
  EXPECT_EQ(p99["q"], 0.99);
  EXPECT_DOUBLE_EQ(p99["predicted"], 450);
  EXPECT_DOUBLE_EQ(p99["measured"], 500);
  EXPECT_DOUBLE_EQ(p99["tolerance"], 25);
  EXPECT_EQ(p99["verdict"], "OPTIMISTIC");
  EXPECT_EQ(json["accuracy"][0]["optimistic"], 4);
  EXPECT_NEAR(json["accuracy"][0]["bias"].get<double>(), -0.1, 1e-9);
}

TEST(RenderJson, OfNothingIsStillADocument) {
  pb::Surface empty = PlantedSurface({});
  empty.clear_cells();
  const auto json =
      nlohmann::json::parse(RenderJson(FindIn(Scaled(empty, 1), empty)));
  EXPECT_TRUE(json["cells"].empty());
  EXPECT_EQ(json["coverage"]["compared_cells"], 0);
}

TEST(Renderings, KeepHostileNamesInTheirPlace) {
  const std::string hostile =
      "</script><script>alert('x')</script>&\"|`" + std::string(5000, 'n');
  pb::Surface measured = PlantedSurface({});
  measured.set_name(hostile);
  measured.mutable_provenance()->set_citation("<img src=x onerror=alert(1)>");
  measured.mutable_conditions()->set_build("a|b\nc");
  measured.mutable_cells(0)->mutable_metrics(1)->set_soft_reason("<b>soft</b>");
  measured.mutable_cells(1)->mutable_key()->set_variant("\xff\xfe<i>");
  const Findings findings = FindIn(Scaled(PlantedSurface({}), 1), measured);

  const std::string html = RenderHtml(findings, nullptr, PlotLibraries());
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<b>soft")));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));

  const std::string markdown = RenderMarkdown(findings);
  EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown, HasSubstr("a\\|b c"));

  const auto json = nlohmann::json::parse(RenderJson(findings));
  EXPECT_EQ(json["measured"][0]["name"], hostile);
}

TEST(RenderHtml, WithoutPlotLibrariesSaysSoAndKeepsItsTables) {
  PlotLibraries none;
  none.missing = "vega.min.js is missing";
  const std::string html = RenderHtml(Optimistic(), nullptr, none);
  EXPECT_THAT(html, HasSubstr("This report has no plots"));
  EXPECT_THAT(html, HasSubstr("vega.min.js is missing"));
  EXPECT_THAT(html, HasSubstr("OPTIMISTIC"));
  EXPECT_THAT(html, Not(HasSubstr("vegaEmbed")));
}

TEST(RenderHtml, MayLoadNothing) {
  const std::string html = RenderHtml(Optimistic(), nullptr, PlotLibraries());
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
}

TEST(RenderMarkdown, TablesHaveOneBarMoreThanColumns) {
  Table table({"a|b", "c"});
  table.AddRow({std::string("x|y"), 1.5});
  EXPECT_EQ(MarkdownTable(table),
            "| a\\|b | c |\n| --- | --- |\n| x\\|y | 1.5 |\n");
}

TEST(RenderMarkdown, PutsCoverageFirst) {
  const std::string markdown = RenderMarkdown(Optimistic());
  EXPECT_LT(markdown.find("## Coverage"), markdown.find("## Accuracy"));
  EXPECT_NE(markdown.find("## Largest errors"), std::string::npos);
}

}  // namespace
}  // namespace tilebound::validate
