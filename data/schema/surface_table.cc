#include "data/schema/surface_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "data/schema/cell_key.h"
#include "data/schema/metric.h"

namespace tilebound {
namespace {

struct QuantileColumn {
  double q;
  const char* label;
};

// In ascending order; CSV columns pick from these by name.
constexpr QuantileColumn kQuantiles[] = {
    {0.5, "p50"}, {0.9, "p90"}, {0.95, "p95"}, {0.99, "p99"}, {1, "max"}};

std::string UnitSuffix(const std::string& unit) {
  if (unit == "percent") return "_pct";
  return unit == "1" ? "" : absl::StrCat("_", unit);
}

// Column name -> value for everything that one metric says.
void AddMetric(const pb::Metric& metric,
               std::map<std::string, TableValue>& values) {
  std::string base = metric.name();
  if (base == kTileTime) absl::StrAppend(&base, "_slot", metric.slot());
  const std::string suffix = UnitSuffix(metric.unit());
  if (const auto scalar = MetricScalar(metric)) {
    values[absl::StrCat(base, suffix)] = *scalar;
  }
  for (const QuantileColumn& column : kQuantiles) {
    if (const auto value = MetricQuantile(metric, column.q)) {
      values[absl::StrCat(base, "_", column.label, suffix)] = *value;
    }
  }
}

std::map<std::string, TableValue> CellValues(const pb::Cell& cell) {
  const pb::CellKey& key = cell.key();
  std::map<std::string, TableValue> values = {
      {"part", key.part()},
      {"kernel", key.kernel()},
      {"k", uint64_t{key.k()}},
      {"blocks", uint64_t{key.blocks()}},
      {"site", SiteName(key.site())},
      {"period", uint64_t{key.period()}},
      {"variant", key.variant()},
      {"discipline", DisciplineName(key.discipline())},
      {"arm", ArmName(key.arm())},
      {"reserve", uint64_t{key.reserve()}},
      {"urgent_tiles", uint64_t{key.urgent_tiles()}},
      {"setter", SetterName(key.setter())},
      {"arrivals", ArrivalsText(key.arrivals())},
      {"cluster_size", uint64_t{key.cluster_size()}},
      {"status", CellStatus(cell)},
  };
  uint64_t n = 0;
  for (const pb::Metric& metric : cell.metrics()) {
    AddMetric(metric, values);
    n = std::max<uint64_t>(n, metric.n());
  }
  const pb::Metric* latency = FindMetric(cell, kLatency);
  values["n"] = latency != nullptr && latency->n() > 0 ? latency->n() : n;
  return values;
}

Table BuildTable(const pb::Surface& surface, std::vector<std::string> columns) {
  Table table(columns);
  for (const pb::Cell& cell : surface.cells()) {
    const auto values = CellValues(cell);
    std::vector<TableValue> row;
    for (const std::string& column : columns) {
      const auto at = values.find(column);
      row.push_back(at == values.end() ? TableValue() : at->second);
    }
    table.AddRow(std::move(row));
  }
  return table;
}

}  // namespace

const std::vector<std::string>& SurfaceColumns() {
  static const auto* columns = new std::vector<std::string>{"part",
                                                            "kernel",
                                                            "k",
                                                            "blocks",
                                                            "site",
                                                            "period",
                                                            "variant",
                                                            "discipline",
                                                            "arm",
                                                            "reserve",
                                                            "urgent_tiles",
                                                            "setter",
                                                            "n",
                                                            "latency_p50_us",
                                                            "latency_p90_us",
                                                            "latency_p95_us",
                                                            "latency_p99_us",
                                                            "latency_max_us",
                                                            "first_p50_us",
                                                            "first_p99_us",
                                                            "spread_p50_us",
                                                            "spread_p99_us",
                                                            "e2e_p50_us",
                                                            "e2e_p99_us",
                                                            "wait_p50_us",
                                                            "wait_p99_us",
                                                            "rate_loss_pct",
                                                            "overhead_pct",
                                                            "status"};
  return *columns;
}

Table SurfaceTable(const pb::Surface& surface) {
  return BuildTable(surface, SurfaceColumns());
}

Table FullSurfaceTable(const pb::Surface& surface) {
  std::vector<std::string> columns = SurfaceColumns();
  std::set<std::string> more;
  for (const pb::Cell& cell : surface.cells()) {
    for (const auto& [name, value] : CellValues(cell)) more.insert(name);
  }
  for (const std::string& column : columns) more.erase(column);
  columns.insert(columns.end(), more.begin(), more.end());
  return BuildTable(surface, columns);
}

std::string SurfaceText(const pb::Surface& surface) {
  // Between the CSV's columns, what belongs beside a predicted p99.
  std::vector<std::string> shown = SurfaceColumns();
  const std::vector<std::string> beside = {
      "latency_bound_us", "error_band_p50_pct", "error_band_p99_pct"};
  shown.insert(std::find(shown.begin(), shown.end(), "first_p50_us"),
               beside.begin(), beside.end());
  const Table full = BuildTable(surface, shown);
  std::string common;
  std::vector<size_t> kept;
  const auto& rows = full.rows();
  for (size_t c = 0; c < full.columns().size(); ++c) {
    const bool same =
        std::all_of(rows.begin(), rows.end(),
                    [&](const auto& row) { return row[c] == rows[0][c]; });
    if (rows.empty() || !same) {
      kept.push_back(c);
    } else if (!std::holds_alternative<std::monostate>(rows[0][c])) {
      Table one({full.columns()[c]});
      one.AddRow({rows[0][c]});
      const std::string text = one.ToText();
      const std::string value = text.substr(text.find('\n') + 1);
      const size_t start = value.find_first_not_of(' ');
      absl::StrAppend(
          &common, common.empty() ? "" : " ", full.columns()[c], "=",
          start == std::string::npos
              ? ""
              : value.substr(start, value.find_last_not_of('\n') + 1 - start));
    }
  }
  std::vector<std::string> columns;
  for (size_t c : kept) columns.push_back(full.columns()[c]);
  if (columns.empty()) return absl::StrCat(common, "\n");
  Table narrow(columns);
  for (const auto& row : rows) {
    std::vector<TableValue> values;
    for (size_t c : kept) values.push_back(row[c]);
    narrow.AddRow(std::move(values));
  }
  return absl::StrCat(common, common.empty() ? "" : "\n\n", narrow.ToText());
}

absl::StatusOr<std::string> RenderSurface(const pb::Surface& surface,
                                          absl::string_view format) {
  if (absl::Status known = CheckTableFormat(format); !known.ok()) return known;
  if (format == "csv") return SurfaceTable(surface).ToCsv();
  if (format == "json") return FullSurfaceTable(surface).ToJson();
  return SurfaceText(surface);
}

std::string CellStatus(const pb::Cell& cell) {
  const pb::Metric* worst = nullptr;
  bool any_ok = false;
  for (const pb::Metric& metric : cell.metrics()) {
    any_ok = any_ok || metric.status() == pb::Metric::OK;
    if (metric.status() == pb::Metric::NOT_MODELLED &&
        metric.name() != kLatency) {
      continue;
    }
    if (worst == nullptr || metric.status() > worst->status()) worst = &metric;
  }
  if (worst == nullptr && !any_ok && !cell.metrics().empty()) {
    worst = &cell.metrics(0);
  }
  if (worst == nullptr || worst->status() == pb::Metric::OK) return "OK";
  return absl::StrCat(pb::Metric::Status_Name(worst->status()), "(",
                      worst->reason(), ")");
}

}  // namespace tilebound
