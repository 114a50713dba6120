// Tables on stdout in the three formats that every command offers.
//
//   Table table({"cell", "latency_p99_us"});
//   table.AddRow({"a10/288", 86.016});
//   TILEBOUND_ASSIGN_OR_RETURN(std::string text, table.Render("csv"));
#ifndef TILEBOUND_DATA_IO_TABLE_H_
#define TILEBOUND_DATA_IO_TABLE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tilebound {

// One field. std::monostate is an absent value: an empty CSV field, null in
// JSON, "-" in a table. A double that is not finite counts as absent.
using TableValue =
    std::variant<std::monostate, std::string, int64_t, uint64_t, double>;

class Table {
 public:
  explicit Table(std::vector<std::string> columns)
      : columns_(std::move(columns)) {}

  // A row has one value per column; a shorter one is filled with absent values.
  void AddRow(std::vector<TableValue> row);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<TableValue>>& rows() const { return rows_; }

  // Aligned columns, numbers to the right, four significant decimals.
  std::string ToText() const;
  // RFC 4180 with a header line; doubles in their shortest exact form.
  std::string ToCsv() const;
  // An array of objects, members in column order.
  std::string ToJson() const;

  // `format` is one of kTableFormats.
  absl::StatusOr<std::string> Render(absl::string_view format) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<TableValue>> rows_;
};

// Accepts "table", "csv", "json"; the error names the value and these.
absl::Status CheckTableFormat(absl::string_view format);

// The shortest decimal that reads back as the same double.
std::string ShortestDouble(double value);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_TABLE_H_
