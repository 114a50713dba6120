#include "validate/render_html.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "validate/sections.h"

namespace tilebound::validate {
namespace {

constexpr char kHead[] = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Prediction against measurement</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem;
  padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: left; border-bottom: 1px solid #8886; }
td.number { text-align: right; }
.scroll { overflow-x: auto; }
</style>
</head>
<body>
<h1>Prediction against measurement</h1>
)";

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

std::string HtmlTable(const Table& table) {
  std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const std::string& column : table.columns()) {
    absl::StrAppend(&html, "<th scope=\"col\">", EscapeHtml(column), "</th>");
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows()) {
    html += "<tr>";
    for (const TableValue& value : row) {
      const bool text = std::holds_alternative<std::string>(value);
      absl::StrAppend(&html, text ? "<td>" : "<td class=\"number\">",
                      EscapeHtml(Readable(value)), "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
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

std::string RenderHtml(const Findings& findings) {
  std::string html = kHead;
  for (const Section& section : ReportSections(findings)) {
    absl::StrAppend(&html, "<section id=\"", EscapeHtml(section.id),
                    "\">\n<h2>", EscapeHtml(section.title), "</h2>\n");
    for (const std::string& paragraph : section.paragraphs) {
      absl::StrAppend(&html, "<p>", EscapeHtml(paragraph), "</p>\n");
    }
    if (!section.table.rows().empty()) html += HtmlTable(section.table);
    html += "</section>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace tilebound::validate
