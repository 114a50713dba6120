#include "validate/render_json.h"

#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "data/io/table.h"
#include "data/schema/cell_key.h"
#include "nlohmann/json.hpp"
#include "validate/axes.h"
#include "validate/report_schema.h"
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

// Members of one object, appended straight to the text: cells are too many for
// a document tree.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& text) : text_(text) { text_ += "{"; }
  ~ObjectWriter() { text_ += "}"; }

  void Count(const char* name, uint64_t value) {
    absl::StrAppend(&text_, Key(name), value);
  }
  void Figure(const char* name, const std::optional<double>& value) {
    if (!value || !std::isfinite(*value)) return;
    absl::StrAppend(&text_, Key(name), ShortestDouble(*value));
  }
  // A word of ours, which needs no escapes.
  void Word(const char* name, absl::string_view word) {
    absl::StrAppend(&text_, Key(name), "\"", word, "\"");
  }
  void Text(const char* name, const std::string& value) {
    absl::StrAppend(&text_, Key(name), Dump(value));
  }
  void Bool(const char* name, bool value) {
    absl::StrAppend(&text_, Key(name), value ? "true" : "false");
  }
  // Begins a member whose value the caller appends.
  void Open(const char* name) { text_ += Key(name); }

 private:
  std::string Key(const char* name) {
    return absl::StrCat(std::exchange(first_, false) ? "\"" : ",\"", name,
                        "\":");
  }

  std::string& text_;
  bool first_ = true;
};

void AppendKey(std::string& text, const pb::CellKey& key) {
  ObjectWriter object(text);
  for (const Axis& axis : Axes()) {
    const TableValue value = axis.value(key);
    if (const auto* number = std::get_if<uint64_t>(&value)) {
      object.Count(axis.name.c_str(), *number);
    } else {
      object.Text(axis.name.c_str(), std::get<std::string>(value));
    }
  }
}

void AppendComparison(std::string& text, const Comparison& comparison) {
  ObjectWriter object(text);
  object.Word("metric", comparison.metric->name);
  if (comparison.metric->name == kTileTime) {
    object.Count("slot", uint64_t{comparison.slot});
  }
  if (comparison.q > 0) object.Figure("q", comparison.q);
  object.Word("unit", comparison.metric->unit);
  object.Figure("predicted", comparison.predicted);
  object.Figure("measured", comparison.measured);
  object.Figure("low", comparison.low);
  object.Figure("high", comparison.high);
  if (comparison.compared()) {
    object.Figure("tolerance", comparison.tolerance);
    object.Bool("within", comparison.within);
  }
  object.Figure("relative_error", comparison.RelativeError());
  object.Word("verdict", VerdictName(comparison.verdict));
  if (!comparison.reason.empty()) object.Text("reason", comparison.reason);
  if (!comparison.soft_reason.empty()) {
    object.Text("soft", comparison.soft_reason);
  }
  if (comparison.n > 0) object.Count("n", comparison.n);
  if (comparison.few_events) object.Bool("few_events", true);
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

Json HypothesisJson(const HypothesisResult& result) {
  Json clauses = Json::array();
  for (const ClauseResult& clause : result.clauses) {
    Json object = {{"text", clause.text},
                   {"outcome", OutcomeName(clause.outcome)},
                   {"tested", clause.tested},
                   {"satisfied", clause.satisfied}};
    if (clause.evidence) {
      object["evidence"] = {{"value", clause.evidence->value},
                            {"measured", clause.evidence->input},
                            {"fingerprint", Fingerprint(clause.evidence->key)},
                            {"n", clause.evidence->n},
                            {"soft", clause.evidence->soft}};
    }
    clauses.push_back(std::move(object));
  }
  return {{"id", result.hypothesis.id()},
          {"statement", result.hypothesis.statement()},
          {"date", result.hypothesis.date()},
          {"source", result.hypothesis.source()},
          {"falsifier", result.hypothesis.falsifier()},
          {"outcome", OutcomeName(result.outcome)},
          {"clauses", std::move(clauses)}};
}

void AppendDistance(std::string& text, const MetricDistance& entry) {
  const DistributionDistance& distance = entry.distance;
  ObjectWriter object(text);
  object.Word("metric", entry.metric->name);
  if (entry.metric->name == kTileTime) {
    object.Count("slot", uint64_t{entry.slot});
  }
  object.Figure("mean_shift_us", distance.mean_shift_us);
  object.Figure("relative", distance.relative);
  object.Figure("largest_gap", distance.largest_gap);
  object.Figure("low_share", distance.low_share);
  object.Figure("body_share", distance.body_share);
  object.Figure("tail_share", distance.tail_share);
}

// "[...]" of what `append` writes for each item.
template <typename Items, typename Append>
void AppendItems(std::string& text, const Items& items, Append append) {
  text += "[";
  bool first = true;
  for (const auto& item : items) {
    if (!std::exchange(first, false)) text += ",";
    append(text, item);
  }
  text += "]";
}

void AppendCell(std::string& text, const CellComparison& cell) {
  ObjectWriter object(text);
  object.Word("fingerprint", Fingerprint(cell.key));
  object.Open("key");
  AppendKey(text, cell.key);
  object.Count("predicted", uint64_t{cell.predicted});
  object.Count("measured", uint64_t{cell.measured});
  object.Open("comparisons");
  AppendItems(text, cell.comparisons, AppendComparison);
  if (cell.distances.empty()) return;
  object.Open("distances");
  AppendItems(text, cell.distances, AppendDistance);
}

void AppendOneSided(std::string& text, const OneSidedCell& cell) {
  ObjectWriter object(text);
  object.Word("side", cell.side == Side::kMeasured ? "measured" : "predicted");
  object.Count("input", uint64_t{cell.input});
  object.Word("fingerprint", Fingerprint(cell.key));
  object.Open("key");
  AppendKey(text, cell.key);
  object.Text("reason", cell.reason);
}

std::vector<Json> ChangesJson(const Findings& findings,
                              const BaselineDiff& diff) {
  std::vector<Json> items;
  const auto add = [&](const char* direction,
                       const std::vector<FigureChange>& changes) {
    for (const FigureChange& change : changes) {
      const CellComparison& cell = findings.comparisons.cells[change.now.cell];
      const Comparison& now = cell.comparisons[change.now.comparison];
      Json object = {{"direction", direction},
                     {"fingerprint", Fingerprint(cell.key)},
                     {"metric", now.metric->name}};
      if (now.q > 0) object["q"] = now.q;
      object["change"] = change.change;
      object["predicted_before"] = change.before.predicted;
      object["measured_before"] = change.before.measured;
      object["verdict_before"] = change.before.verdict;
      items.push_back(std::move(object));
    }
  };
  add("worse", diff.worse);
  add("better", diff.better);
  return items;
}

// Everything that stands on its own, cells apart.
void AppendSummaries(const Findings& findings, const BaselineDiff* diff,
                     std::string& text) {
  std::vector<Json> items;
  for (const HypothesisResult& result : findings.hypotheses) {
    items.push_back(HypothesisJson(result));
  }
  AppendArray(text, "hypotheses", items);
  items.clear();
  for (const PairStanding& pair : findings.standings) {
    items.push_back({{"predicted", pair.predicted},
                     {"measured", pair.measured},
                     {"registered", pair.standing.registered},
                     {"reason", pair.standing.reason}});
  }
  AppendArray(text, "standings", items);
  items.clear();
  for (const AxisAccuracy& entry : findings.by_axis) {
    for (const MetricAccuracy& metric : entry.accuracy.entries()) {
      Json object = AccuracyJson("model", metric);
      object["axis"] = entry.axis;
      object["value"] = entry.value;
      items.push_back(std::move(object));
    }
  }
  AppendArray(text, "by_axis", items);
  if (diff == nullptr) return;
  absl::StrAppend(&text, ",\n\"since\": ",
                  Dump({{"path", diff->path},
                        {"better", diff->better.size()},
                        {"worse", diff->worse.size()},
                        {"unchanged", diff->unchanged},
                        {"added", diff->added},
                        {"gone", diff->gone}}));
  AppendArray(text, "changes", ChangesJson(findings, *diff));
}

}  // namespace

std::string RenderJson(const Findings& findings, const BaselineDiff* diff) {
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

  AppendSummaries(findings, diff, text);
  text += ",\n\"cells\": [";
  const char* separator = "\n ";
  for (const CellComparison& cell : findings.comparisons.cells) {
    text += separator;
    AppendCell(text, cell);
    separator = ",\n ";
  }
  text += "],\n\"one_sided\": [";
  separator = "\n ";
  for (const OneSidedCell& cell : findings.comparisons.one_sided) {
    text += separator;
    AppendOneSided(text, cell);
    separator = ",\n ";
  }
  return text + "]\n}\n";
}

}  // namespace tilebound::validate
