#include "validate/render_markdown.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "validate/sections.h"

namespace tilebound::validate {
namespace {

// GitHub stops rendering long before this; the JSON has every cell.
constexpr size_t kRowsShown = 1000;

std::string Cell(const TableValue& value) {
  Table one({""});
  one.AddRow({value});
  std::string text = one.ToText();
  text.erase(0, text.find('\n') + 1);
  const size_t start = text.find_first_not_of(' ');
  if (start == std::string::npos) return "";
  return EscapeMarkdown(
      text.substr(start, text.find_last_not_of(" \n") + 1 - start));
}

}  // namespace

std::string EscapeMarkdown(absl::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (static_cast<unsigned char>(c) < ' ') {
      escaped += ' ';
    } else {
      if (absl::string_view("\\`*_[]|#").find(c) != absl::string_view::npos) {
        escaped += '\\';
      }
      escaped += c;
    }
  }
  return escaped;
}

std::string MarkdownTable(const Table& table) {
  std::string text = "|", rule = "|";
  for (const std::string& column : table.columns()) {
    absl::StrAppend(&text, " ", EscapeMarkdown(column), " |");
    rule += " --- |";
  }
  absl::StrAppend(&text, "\n", rule, "\n");
  for (size_t r = 0; r < table.rows().size() && r < kRowsShown; ++r) {
    text += "|";
    for (const TableValue& value : table.rows()[r]) {
      absl::StrAppend(&text, " ", Cell(value), " |");
    }
    text += "\n";
  }
  if (table.rows().size() > kRowsShown) {
    absl::StrAppend(&text, "\nThe first ", kRowsShown, " of ",
                    table.rows().size(), " rows; report.json has all.\n");
  }
  return text;
}

std::string RenderMarkdown(const Findings& findings, const BaselineDiff* diff) {
  std::string text = "# Prediction against measurement\n";
  for (const Section& section : ReportSections(findings, diff)) {
    absl::StrAppend(&text, "\n## ", EscapeMarkdown(section.title), "\n\n");
    for (const std::string& paragraph : section.paragraphs) {
      absl::StrAppend(&text, EscapeMarkdown(paragraph), "\n\n");
    }
    if (!section.table.rows().empty()) {
      absl::StrAppend(&text, MarkdownTable(section.table));
    }
  }
  return text;
}

}  // namespace tilebound::validate
