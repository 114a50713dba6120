#include "data/io/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"

namespace tilebound {
namespace {

bool IsAbsent(const TableValue& value) {
  const double* number = std::get_if<double>(&value);
  return std::holds_alternative<std::monostate>(value) ||
         (number != nullptr && !std::isfinite(*number));
}

bool IsNumber(const TableValue& value) {
  return value.index() >= 2 && !IsAbsent(value);
}

// For people: enough digits to compare, few enough to read.
std::string ReadableDouble(double value) {
  std::string text = std::abs(value) < 1 ? absl::StrFormat("%.4f", value)
                                         : absl::StrFormat("%.3f", value);
  while (absl::EndsWith(text, "0")) text.pop_back();
  if (absl::EndsWith(text, ".")) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string Plain(const TableValue& value, std::string (*print)(double),
                  absl::string_view absent) {
  if (IsAbsent(value)) return std::string(absent);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return absl::StrCat(*number);
  }
  if (const auto* number = std::get_if<uint64_t>(&value)) {
    return absl::StrCat(*number);
  }
  return print(std::get<double>(value));
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace

std::string ShortestDouble(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

void Table::AddRow(std::vector<TableValue> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::string Table::ToText() const {
  const size_t n = columns_.size();
  std::vector<std::vector<std::string>> lines = {columns_};
  std::vector<bool> right(n, !rows_.empty());
  for (const auto& row : rows_) {
    auto& line = lines.emplace_back();
    for (size_t c = 0; c < n; ++c) {
      line.push_back(absl::StrReplaceAll(Plain(row[c], ReadableDouble, "-"),
                                         {{"\n", " "}, {"\t", " "}}));
      if (!IsNumber(row[c]) && !IsAbsent(row[c])) right[c] = false;
    }
  }
  std::vector<size_t> width(n, 0);
  for (const auto& line : lines) {
    for (size_t c = 0; c < n; ++c)
      width[c] = std::max(width[c], line[c].size());
  }
  std::string text;
  for (const auto& line : lines) {
    std::string out;
    for (size_t c = 0; c < n; ++c) {
      const std::string pad(width[c] - line[c].size(), ' ');
      absl::StrAppend(&out, c == 0 ? "" : "  ", right[c] ? pad : "", line[c],
                      right[c] ? "" : pad);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, out, "\n");
  }
  return text;
}

std::string Table::ToCsv() const {
  std::vector<std::string> header;
  for (const std::string& column : columns_) header.push_back(CsvField(column));
  std::string text = absl::StrCat(absl::StrJoin(header, ","), "\n");
  for (const auto& row : rows_) {
    std::vector<std::string> fields;
    for (const TableValue& value : row) {
      fields.push_back(CsvField(Plain(value, ShortestDouble, "")));
    }
    absl::StrAppend(&text, absl::StrJoin(fields, ","), "\n");
  }
  return text;
}

std::string Table::ToJson() const {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const auto& row : rows_) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (size_t c = 0; c < columns_.size(); ++c) {
      nlohmann::ordered_json& member = object[columns_[c]];
      if (IsAbsent(row[c])) continue;
      std::visit(
          [&member](const auto& value) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(value)>,
                                          std::monostate>) {
              member = value;
            }
          },
          row[c]);
    }
    array.push_back(std::move(object));
  }
  return array.dump(1, ' ', false,
                    nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

absl::Status CheckTableFormat(absl::string_view format) {
  if (format == "table" || format == "csv" || format == "json") {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--format=", format, ": accepted are table, csv, json"));
}

absl::StatusOr<std::string> Table::Render(absl::string_view format) const {
  if (absl::Status known = CheckTableFormat(format); !known.ok()) return known;
  if (format == "csv") return ToCsv();
  if (format == "json") return ToJson();
  return ToText();
}

}  // namespace tilebound
