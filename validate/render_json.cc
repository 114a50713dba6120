#include "validate/render_json.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "data/schema/cell_key.h"
#include "nlohmann/json.hpp"
#include "validate/axes.h"
#include "validate/summary_table.h"

namespace tilebound::validate {
namespace {

using Json = nlohmann::ordered_json;

// Bytes that are not UTF-8 become U+FFFD instead of an exception.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void Set(Json& object, const char* name, const std::optional<double>& value) {
  if (value) object[name] = *value;
}

Json KeyJson(const pb::CellKey& key) {
  Json object;
  for (const Axis& axis : Axes()) {
    const TableValue value = axis.value(key);
    if (const auto* number = std::get_if<uint64_t>(&value)) {
      object[axis.name] = *number;
    } else {
      object[axis.name] = std::get<std::string>(value);
    }
  }
  return object;
}

Json InputJson(const Input& input, bool with_baseline) {
  const pb::Surface& surface = input.surface;
  const pb::Conditions& conditions = surface.conditions();
  Json object = {
      {"name", surface.name()},
      {"path", input.path},
      {"sha256", input.sha256},
      {"kind", pb::Provenance::Kind_Name(surface.provenance().kind())},
      {"cells", surface.cells_size()},
      {"sm_clock_mhz", conditions.sm_clock_mhz()},
      {"build", conditions.build()},
      {"card", conditions.card()},
      {"events", conditions.events()},
      {"timer_quantum_ps", conditions.timer_quantum_ps()},
      {"started_utc", surface.provenance().started_utc()},
      {"citation", surface.provenance().citation()},
      {"tool", surface.provenance().tool()},
      {"commit", surface.provenance().commit()},
  };
  if (with_baseline) {
    object["sharing"] = conditions.sharing();
    object["fidelity"] = conditions.fidelity();
    object["baseline"] = IsBaseline(surface);
  }
  return object;
}

Json ComparisonJson(const Comparison& comparison) {
  Json object = {{"metric", comparison.metric->name}};
  if (comparison.metric->name == kTileTime) object["slot"] = comparison.slot;
  if (comparison.q > 0) object["q"] = comparison.q;
  object["unit"] = comparison.metric->unit;
  Set(object, "predicted", comparison.predicted);
  Set(object, "measured", comparison.measured);
  Set(object, "low", comparison.low);
  Set(object, "high", comparison.high);
  if (comparison.compared()) {
    object["tolerance"] = comparison.tolerance;
    object["within"] = comparison.within;
  }
  Set(object, "relative_error", comparison.RelativeError());
  object["verdict"] = VerdictName(comparison.verdict);
  if (!comparison.reason.empty()) object["reason"] = comparison.reason;
  if (!comparison.soft_reason.empty()) object["soft"] = comparison.soft_reason;
  if (comparison.n > 0) object["n"] = comparison.n;
  if (comparison.few_events) object["few_events"] = true;
  return object;
}

Json AccuracyJson(const std::string& who, const MetricAccuracy& entry) {
  const Accuracy& accuracy = entry.accuracy;
  Json object = {{"who", who}, {"metric", entry.metric->name}};
  if (entry.q > 0) object["q"] = entry.q;
  object["compared"] = accuracy.compared();
  object["agrees"] = accuracy.agrees();
  object["optimistic"] = accuracy.optimistic();
  object["pessimistic"] = accuracy.pessimistic();
  object["within"] = accuracy.within();
  object["not_compared"] = accuracy.not_compared();
  Set(object, "mape", accuracy.mape());
  Set(object, "bias", accuracy.bias());
  Set(object, "worst", accuracy.worst());
  Set(object, "mean_difference", accuracy.mean_difference());
  Set(object, "mean_absolute_difference", accuracy.mean_absolute_difference());
  Set(object, "correlation", accuracy.correlation());
  return object;
}

// Members are written one by one: a document tree of 100,000 cells would take
// gigabytes.
void AppendArray(std::string& text, const char* name,
                 const std::vector<Json>& items) {
  absl::StrAppend(&text, ",\n\"", name, "\": [");
  for (size_t i = 0; i < items.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "\n " : ",\n ", Dump(items[i]));
  }
  text += "]";
}

}  // namespace

std::string RenderJson(const Findings& findings) {
  const Coverage& coverage = findings.coverage;
  std::string text = absl::StrCat(
      "{\"schema\": \"tilebound.report\", \"schema_major\": ",
      kReportSchemaMajor, ", \"schema_minor\": ", kReportSchemaMinor, ",\n");
  absl::StrAppend(&text, "\"coverage\": ",
                  Dump({{"measured_cells", coverage.measured_cells},
                        {"compared_cells", coverage.compared_cells},
                        {"predicted_cells", coverage.predicted_cells},
                        {"measured_only", coverage.measured_only},
                        {"predicted_only", coverage.predicted_only}}));
  std::vector<Json> items;
  for (const ReasonCount& reason : coverage.reasons) {
    items.push_back({{"what", reason.what},
                     {"reason", reason.reason},
                     {"count", reason.count}});
  }
  AppendArray(text, "not_compared", items);
  items.assign(findings.notes.begin(), findings.notes.end());
  AppendArray(text, "notes", items);
  items.clear();
  for (const NamedAccuracy& named : AllAccuracies(findings)) {
    for (const MetricAccuracy& entry : named.accuracy->entries()) {
      items.push_back(AccuracyJson(named.who, entry));
    }
  }
  AppendArray(text, "accuracy", items);
  items.clear();
  for (const Input& input : findings.inputs.predicted) {
    items.push_back(InputJson(input, true));
  }
  AppendArray(text, "predicted", items);
  items.clear();
  for (const Input& input : findings.inputs.measured) {
    items.push_back(InputJson(input, false));
  }
  AppendArray(text, "measured", items);

  text += ",\n\"cells\": [";
  const char* separator = "\n ";
  for (const CellComparison& cell : findings.comparisons.cells) {
    Json comparisons = Json::array();
    for (const Comparison& comparison : cell.comparisons) {
      comparisons.push_back(ComparisonJson(comparison));
    }
    absl::StrAppend(&text, separator,
                    Dump({{"fingerprint", Fingerprint(cell.key)},
                          {"key", KeyJson(cell.key)},
                          {"predicted", cell.predicted},
                          {"measured", cell.measured},
                          {"comparisons", std::move(comparisons)}}));
    separator = ",\n ";
  }
  text += "],\n\"one_sided\": [";
  separator = "\n ";
  for (const OneSidedCell& cell : findings.comparisons.one_sided) {
    const bool measured = cell.side == Side::kMeasured;
    absl::StrAppend(&text, separator,
                    Dump({{"side", measured ? "measured" : "predicted"},
                          {"input", cell.input},
                          {"fingerprint", Fingerprint(cell.key)},
                          {"key", KeyJson(cell.key)},
                          {"reason", cell.reason}}));
    separator = ",\n ";
  }
  return text + "]\n}\n";
}

}  // namespace tilebound::validate
