#include "validate/render_html.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "validate/plot_data.h"
#include "validate/sections.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

constexpr char kStyle[] =
#include "validate/web/report_css.inc"
    ;
constexpr char kScript[] =
#include "validate/web/report_js.inc"
    ;
constexpr char kPlots[] =
#include "validate/web/plots_js.inc"
    ;

// A browser stays quick with this many rows; the script pages through the rest.
constexpr size_t kStaticRows = 500;

// Text up to this long is kept on one line.
constexpr size_t kShortText = 24;

// Vega compiles the expressions of a plot, hence unsafe-eval; nothing may be
// fetched, so there is nothing to evaluate but this file.
constexpr char kPolicy[] =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:";

// As Table::ToText prints it.
std::string Readable(const TableValue& value) {
  Table one({""});
  one.AddRow({value});
  std::string text = one.ToText();
  text.erase(0, text.find('\n') + 1);
  const size_t start = text.find_first_not_of(' ');
  if (start == std::string::npos) return "";
  return text.substr(start, text.find_last_not_of(" \n") + 1 - start);
}

// Verdicts and outcomes carry a mark and a word, so that no colour is needed.
std::string CellHtml(const TableValue& value) {
  const std::string text = EscapeHtml(Readable(value));
  if (!std::holds_alternative<std::string>(value)) {
    return absl::StrCat("<td class=\"number\">", text, "</td>");
  }
  const char* kind = nullptr;
  if (text == "AGREES" || text == "HOLDS" || text == "REGISTERED") {
    kind = "good";
  } else if (text == "OPTIMISTIC" || text == "FAILS") {
    kind = "low";
  } else if (text == "PESSIMISTIC") {
    kind = "high";
  } else if (text == "NOT COMPARED" || text == "UNTESTED" ||
             text == "POST HOC") {
    kind = "none";
  }
  if (kind == nullptr) {
    return absl::StrCat(
        text.size() <= kShortText ? "<td class=\"short\">" : "<td>", text,
        "</td>");
  }
  return absl::StrCat("<td><span class=\"mark ", kind, "\">", text,
                      "</span></td>");
}

std::string HtmlTable(const Table& table) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (const std::string& column : table.columns()) {
    absl::StrAppend(&html, "<th scope=\"col\">", EscapeHtml(column), "</th>");
  }
  html += "</tr></thead>\n<tbody>\n";
  for (size_t r = 0; r < table.rows().size() && r < kStaticRows; ++r) {
    html += "<tr>";
    for (const TableValue& value : table.rows()[r]) html += CellHtml(value);
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  if (table.rows().size() > kStaticRows) {
    absl::StrAppend(&html, "<p>The first ", kStaticRows, " of ",
                    table.rows().size(),
                    " rows; report.json has all of them.</p>\n");
  }
  return html;
}

std::string Tile(absl::string_view value, absl::string_view label) {
  return absl::StrCat("<div class=\"tile\"><strong>", EscapeHtml(value),
                      "</strong><span>", EscapeHtml(label), "</span></div>\n");
}

// The answer in a few figures.
std::string Tiles(const Findings& findings) {
  const Coverage& coverage = findings.coverage;
  std::string html =
      absl::StrCat("<div class=\"tiles\">\n",
                   Tile(absl::StrCat(coverage.compared_cells, " of ",
                                     coverage.measured_cells),
                        "measured cells compared"));
  int shown = 0;
  for (const MetricAccuracy& entry : findings.sound.entries()) {
    const Accuracy& accuracy = entry.accuracy;
    if (accuracy.compared() == 0 || !accuracy.mape() || shown >= 4) continue;
    if (entry.q != 0.5 && entry.q != 0.99) continue;
    ++shown;
    absl::StrAppend(
        &html, Tile(Percent(accuracy.mape()),
                    absl::StrCat(entry.metric->name, " ", QuantileName(entry.q),
                                 " mean error, ", accuracy.agrees(), " of ",
                                 accuracy.compared(), " agree")));
  }
  if (!findings.hypotheses.empty()) {
    size_t holds = 0, fails = 0;
    for (const HypothesisResult& result : findings.hypotheses) {
      holds += result.outcome == Outcome::kHolds;
      fails += result.outcome == Outcome::kFails;
    }
    absl::StrAppend(&html, Tile(absl::StrCat(holds, " / ", fails),
                                "hypotheses hold / fail"));
  }
  return html + "</div>\n";
}

std::string SectionHtml(const Section& section) {
  std::string html =
      absl::StrCat("<section id=\"", EscapeHtml(section.id), "\">\n<h2>",
                   EscapeHtml(section.title), "</h2>\n");
  // With scripts, the explorer takes the place of the static table.
  if (section.id == "cells") {
    html += "<div id=\"explorer\"></div>\n<div id=\"static-cells\">\n";
  }
  for (const std::string& paragraph : section.paragraphs) {
    absl::StrAppend(&html, "<p>", EscapeHtml(paragraph), "</p>\n");
  }
  if (!section.table.rows().empty()) html += HtmlTable(section.table);
  if (section.id == "cells") html += "</div>\n";
  return html + "</section>\n";
}

std::string PlotsHtml(const PlotLibraries& libraries) {
  if (!libraries.complete()) {
    return absl::StrCat(
        "<section id=\"plots\">\n<h2>Plots</h2>\n<p>This report has no plots, "
        "because Vega-Lite was not there when it was made: ",
        EscapeHtml(libraries.missing), ".</p>\n</section>\n");
  }
  return "<section id=\"plots\">\n<h2>Plots</h2>\n<div id=\"plot-area\">"
         "<p>The plots need JavaScript.</p></div>\n</section>\n";
}

}  // namespace

std::string EscapeHtml(absl::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string RenderHtml(const Findings& findings, const BaselineDiff* diff,
                       const PlotLibraries& libraries) {
  std::string html = absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      kPolicy,
      "\">\n<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Prediction against measurement</title>\n<style>",
      kStyle,
      "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#cells\">To the "
      "cells</a>\n<header><h1>Prediction against measurement</h1></header>\n"
      "<main>\n",
      Tiles(findings));
  const std::vector<Section> sections = ReportSections(findings, diff);
  html += "<nav aria-label=\"Sections\">";
  for (const Section& section : sections) {
    absl::StrAppend(&html, "<a href=\"#", EscapeHtml(section.id), "\">",
                    EscapeHtml(section.title), "</a>\n");
    if (section.id == "cells") html += "<a href=\"#plots\">Plots</a>\n";
  }
  html += "</nav>\n";
  for (const Section& section : sections) {
    html += SectionHtml(section);
    if (section.id == "cells") html += PlotsHtml(libraries);
  }
  absl::StrAppend(&html,
                  "</main>\n<script type=\"application/json\" "
                  "id=\"report-data\">",
                  PlotDataJson(findings), "</script>\n<script>", kScript,
                  "</script>\n");
  if (libraries.complete()) {
    absl::StrAppend(&html, "<script>", libraries.scripts, "</script>\n<script>",
                    kPlots, "</script>\n");
  }
  return html + "</body>\n</html>\n";
}

}  // namespace tilebound::validate
