#include "validate/plot_data.h"

#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "data/schema/histogram.h"
#include "data/schema/tolerances.h"
#include "nlohmann/json.hpp"
#include "validate/axes.h"
#include "validate/cell_table.h"

namespace tilebound::validate {
namespace {

using Json = nlohmann::ordered_json;

// Points of a distribution function that a plot can show.
constexpr size_t kCurvePoints = 240;

std::string Dump(const Json& json) {
  return absl::StrReplaceAll(
      json.dump(-1, ' ', false, Json::error_handler_t::replace),
      {{"<", "\\u003c"}});
}

// Six digits are more than a plot or a cell of a table shows.
Json Short(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  if (*value == 0) return 0;
  const double scale =
      std::pow(10, 6 - std::ceil(std::log10(std::abs(*value))));
  return std::round(*value * scale) / scale;
}

// Strings by number, so that 100,000 rows do not repeat them.
class Interned {
 public:
  int Index(const std::string& text) {
    if (text.empty()) return -1;
    const auto [at, fresh] =
        index_.try_emplace(text, static_cast<int>(texts_.size()));
    if (fresh) texts_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, int> index_;
  std::vector<std::string> texts_;
};

void AppendFigure(const Comparison* figure, Json& row) {
  if (figure == nullptr) {
    for (int i = 0; i < 5; ++i) row.push_back(nullptr);
    row.push_back(-1);
    return;
  }
  row.push_back(Short(figure->predicted));
  row.push_back(Short(figure->measured));
  row.push_back(Short(figure->low));
  row.push_back(Short(figure->high));
  row.push_back(figure->compared() ? Short(figure->tolerance) : Json(nullptr));
  row.push_back(static_cast<int>(figure->verdict));
}

// One metric of a cell: what p50 and p99 (or the scalar) say.
struct Figures {
  const Comparison* p50 = nullptr;
  const Comparison* p99 = nullptr;
};

std::vector<Figures> FiguresOf(const CellComparison& cell, bool headline_only) {
  if (headline_only) {
    const Headline headline = HeadlineOf(cell);
    return {{headline.p50, headline.p99}};
  }
  std::map<std::pair<const MetricInfo*, uint32_t>, Figures> figures;
  for (const Comparison& comparison : cell.comparisons) {
    Figures& entry = figures[{comparison.metric, comparison.slot}];
    if (comparison.q == 0 || std::abs(comparison.q - 0.5) < 1e-9) {
      entry.p50 = &comparison;
    } else if (std::abs(comparison.q - 0.99) < 1e-9) {
      entry.p99 = &comparison;
    }
  }
  std::vector<Figures> all;
  for (const auto& [key, entry] : figures) {
    if (entry.p50 != nullptr || entry.p99 != nullptr) all.push_back(entry);
  }
  return all;
}

Json AxisJson(const Axis& axis, const pb::CellKey& key) {
  const TableValue value = axis.value(key);
  if (const auto* number = std::get_if<uint64_t>(&value)) return *number;
  return std::get<std::string>(value);
}

Json RowJson(const CellComparison& cell, size_t index, const Figures& figures,
             const std::vector<Axis>& axes, Interned& texts) {
  const Comparison& any = figures.p50 ? *figures.p50 : *figures.p99;
  Json row = Json::array();
  for (const Axis& axis : axes) row.push_back(AxisJson(axis, cell.key));
  row.push_back(index);
  row.push_back(cell.predicted);
  row.push_back(cell.measured);
  row.push_back(any.metric - MetricRegistry().data());
  row.push_back(any.slot);
  row.push_back(any.n);
  AppendFigure(figures.p50, row);
  AppendFigure(figures.p99, row);
  row.push_back(texts.Index(any.soft_reason));
  row.push_back(texts.Index(any.reason));
  return row;
}

// [value, share of values up to it], thinned.
Json Curve(const pb::Metric& metric) {
  Json curve = Json::array();
  if (metric.has_quantiles()) {
    for (int i = 0; i < metric.quantiles().q_size(); ++i) {
      curve.push_back(
          {Short(metric.quantiles().value(i)), metric.quantiles().q(i)});
    }
    return curve;
  }
  const auto histogram = Histogram::FromProto(metric.histogram());
  if (!histogram.ok() || histogram->count() == 0) return curve;
  uint64_t seen = 0, drawn = 0;
  const double n = static_cast<double>(histogram->count());
  for (const auto& [bin, count] : histogram->bins()) {
    seen += count;
    const bool last = seen == histogram->count();
    // Thin in the middle, keep the last hundredth whole: that is the tail.
    const bool in_tail = static_cast<double>(seen) > 0.99 * n;
    if (!last && !in_tail &&
        static_cast<double>(seen - drawn) < n / kCurvePoints) {
      continue;
    }
    drawn = seen;
    curve.push_back({Short(histogram->ToMicroseconds(static_cast<double>(bin))),
                     Short(static_cast<double>(seen) / n)});
  }
  return curve;
}

const pb::Metric* DistributionOf(const pb::Cell& cell,
                                 const std::string& name) {
  const pb::Metric* metric = FindMetric(cell, name);
  if (metric == nullptr || metric->status() != pb::Metric::OK) return nullptr;
  return metric->has_histogram() || metric->has_quantiles() ? metric : nullptr;
}

Json DistributionsJson(const Findings& findings, size_t& total) {
  Json all = Json::array();
  total = 0;
  const auto& cells = findings.comparisons.cells;
  for (size_t c = 0; c < cells.size(); ++c) {
    if (IsBaseline(findings.PredictedOf(cells[c]))) continue;
    const Headline headline = HeadlineOf(cells[c]);
    if (headline.p50 == nullptr) continue;
    const std::string& name = headline.p50->metric->name;
    const pb::Metric* predicted = DistributionOf(
        findings.PredictedOf(cells[c]).cells(cells[c].predicted_cell), name);
    const pb::Metric* measured = DistributionOf(
        findings.MeasuredOf(cells[c]).cells(cells[c].measured_cell), name);
    // Two sets of quantiles are points in the other plots already.
    if (predicted == nullptr || measured == nullptr ||
        (!predicted->has_histogram() && !measured->has_histogram())) {
      continue;
    }
    if (++total > kDistributionsKept) continue;
    all.push_back({{"cell", ShortKey(findings.varying, cells[c].key)},
                   {"metric", name},
                   {"predicted", Curve(*predicted)},
                   {"measured", Curve(*measured)},
                   {"predicted_whole", predicted->has_histogram()},
                   {"measured_whole", measured->has_histogram()}});
  }
  return all;
}

void AddSlots(const std::vector<Input>& inputs, const char* side, Json& all) {
  for (const Input& input : inputs) {
    if (IsBaseline(input.surface)) continue;
    for (const pb::Cell& cell : input.surface.cells()) {
      for (const pb::Metric& metric : cell.metrics()) {
        if (metric.name() != kTileTime || all.size() >= kSlotFiguresKept) {
          continue;
        }
        std::optional<double> value = MetricScalar(metric);
        if (!value) value = MetricQuantile(metric, 0.5);
        if (!value) continue;
        all.push_back(
            {{"surface", input.surface.name()},
             {"side", side},
             {"cell", absl::StrCat(cell.key().part(), " ", cell.key().kernel(),
                                   " k=", cell.key().k(),
                                   " blocks=", cell.key().blocks())},
             {"slot", metric.slot()},
             {"us", Short(value)}});
      }
    }
  }
}

Json MetricsJson(const Findings& findings) {
  double quantum_us = 0;
  for (const Input& input : findings.inputs.measured) {
    quantum_us = std::max(
        quantum_us,
        static_cast<double>(input.surface.conditions().timer_quantum_ps()) *
            1e-6);
  }
  Json all = Json::array();
  for (const MetricInfo& info : MetricRegistry()) {
    Json object = {{"name", info.name}, {"unit", info.unit}};
    if (const pb::Tolerance* tolerance =
            FindTolerance(findings.inputs.tolerances, info.name,
                          info.distribution ? 0.5 : 0)) {
      object["relative"] = tolerance->relative();
      object["absolute"] = tolerance->absolute();
    }
    if (info.distribution) object["quantum"] = quantum_us;
    all.push_back(std::move(object));
  }
  return all;
}

Json SurfacesJson(const std::vector<Input>& inputs) {
  Json all = Json::array();
  for (const Input& input : inputs) {
    all.push_back({{"name", input.surface.name()},
                   {"baseline", IsBaseline(input.surface)},
                   {"sharing", input.surface.conditions().sharing()}});
  }
  return all;
}

}  // namespace

std::string PlotDataJson(const Findings& findings) {
  const auto& cells = findings.comparisons.cells;
  size_t all_rows = 0;
  for (const CellComparison& cell : cells) {
    all_rows += FiguresOf(cell, false).size();
  }
  const bool headline_only = all_rows > kRowsKept;
  const size_t stride =
      headline_only ? (cells.size() + kRowsKept - 1) / kRowsKept : 1;

  Interned texts;
  std::string rows;
  for (size_t c = 0; c < cells.size(); ++c) {
    // By measured cell, so that the model and its baselines stay together.
    if (static_cast<size_t>(cells[c].measured_cell) % stride != 0) continue;
    for (const Figures& figures : FiguresOf(cells[c], headline_only)) {
      if (figures.p50 == nullptr && figures.p99 == nullptr) continue;
      absl::StrAppend(
          &rows, rows.empty() ? "" : ",\n",
          Dump(RowJson(cells[c], c, figures, findings.varying, texts)));
    }
  }
  Json axes = Json::array();
  for (const Axis& axis : findings.varying) axes.push_back(axis.name);
  size_t distributions_total = 0;
  const Json distributions = DistributionsJson(findings, distributions_total);
  Json slots = Json::array();
  AddSlots(findings.inputs.predicted, "predicted", slots);
  AddSlots(findings.inputs.measured, "measured", slots);
  return absl::StrCat(
      "{\"axes\":", Dump(axes), ",\n\"metrics\":", Dump(MetricsJson(findings)),
      ",\n\"predicted\":", Dump(SurfacesJson(findings.inputs.predicted)),
      ",\n\"measured\":", Dump(SurfacesJson(findings.inputs.measured)),
      ",\n\"texts\":", Dump(texts.texts()), ",\n\"rows_total\":", all_rows,
      ",\n\"distributions_total\":", distributions_total,
      ",\n\"distributions\":", Dump(distributions),
      ",\n\"slots\":", Dump(slots), ",\n\"rows\":[", rows, "]}");
}

}  // namespace tilebound::validate
