#include "oracle/report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "oracle/rules.h"
#include "oracle/witness.h"

namespace tilebound::oracle {
namespace {

using Json = nlohmann::ordered_json;

double Us(int64_t ps) { return static_cast<double>(ps) * 1e-6; }

std::string VerdictLine(const CheckReport& report) {
  std::string line =
      absl::StrCat(VerdictName(report.verdict), "  ", report.name);
  if (report.verdict == Verdict::kViolation) {
    absl::StrAppend(&line, ": ", report.FirstRule());
  } else if (report.verdict == Verdict::kUnknown) {
    absl::StrAppend(&line, ": ", report.unknown[0]);
  }
  return line + "\n";
}

void AppendWitnesses(const CheckReport& report, std::string& text) {
  for (const RuleReport& rule : report.rules) {
    if (rule.violations == 0) continue;
    absl::StrAppend(&text, "\n", rule.name, ": ", rule.promise, "\n");
    for (const Finding& finding : rule.findings) {
      absl::StrAppend(&text, "  - ", finding.text, "\n");
      for (const Place& place : finding.records) {
        absl::StrAppend(&text, "      ", DescribePlace(place), "\n");
      }
    }
    if (rule.violations > rule.findings.size()) {
      absl::StrAppend(&text, "  and ", rule.violations - rule.findings.size(),
                      " more\n");
    }
  }
}

void AppendUnknown(const CheckReport& report, std::string& text) {
  if (report.unknown.empty()) return;
  absl::StrAppend(&text, "\nWhat is not there:\n");
  for (const std::string& reason : report.unknown) {
    absl::StrAppend(&text, "  - ", reason, "\n");
  }
  for (const RuleReport& rule : report.rules) {
    if (rule.untold == 0) continue;
    absl::StrAppend(&text, "  - so ", rule.name, " cannot be told in ",
                    rule.untold, rule.untold == 1 ? " case\n" : " cases\n");
  }
}

std::string RuleResult(const CheckReport& report, const RuleReport& rule) {
  if (rule.violations > 0) return absl::StrCat(rule.violations, " violations");
  if (rule.untold > 0) return "cannot tell";
  if (rule.name == "bound" && report.header.handoff_bound_ps() == 0 &&
      !report.bound_given) {
    return "no bound given";
  }
  return "kept";
}

void AppendPromises(const CheckReport& report, std::string& text) {
  Table promised({"promise", "value"});
  for (const std::string& name : PromiseNames()) {
    promised.AddRow({name, PromisedValue(report.header, name)});
  }
  Table rules({"rule", "result"});
  for (const RuleReport& rule : report.rules) {
    rules.AddRow({std::string(rule.name), RuleResult(report, rule)});
  }
  absl::StrAppend(&text, "\n", promised.ToText(), "\n", rules.ToText());
}

const std::vector<std::pair<std::string, uint64_t CheckCounts::*>>&
CountFields() {
  static const auto* fields =
      new std::vector<std::pair<std::string, uint64_t CheckCounts::*>>{
          {"executions", &CheckCounts::executions},
          {"events", &CheckCounts::events},
          {"observations", &CheckCounts::observations},
          {"claims", &CheckCounts::claims},
          {"urgent_tiles", &CheckCounts::urgent_tiles},
          {"abandons", &CheckCounts::abandons},
          {"dropped", &CheckCounts::dropped},
          {"blocks", &CheckCounts::blocks},
          {"records", &CheckCounts::records},
          {"chunks", &CheckCounts::chunks}};
  return *fields;
}

const std::vector<std::pair<std::string, Quantiles HandoffSummary::*>>&
HandoffFields() {
  static const auto* fields =
      new std::vector<std::pair<std::string, Quantiles HandoffSummary::*>>{
          {"latency", &HandoffSummary::latency},
          {"latency_with_setter", &HandoffSummary::latency_with_setter},
          {"first", &HandoffSummary::first},
          {"e2e", &HandoffSummary::e2e}};
  return *fields;
}

void AppendHandoff(const CheckReport& report, std::string& text) {
  Table table({"handoff_us", "n", "p50", "p90", "p95", "p99", "max"});
  for (const auto& [name, field] : HandoffFields()) {
    const Quantiles& q = report.handoff.*field;
    if (q.n == 0) continue;
    table.AddRow({name, q.n, Us(q.p50_ps), Us(q.p90_ps), Us(q.p95_ps),
                  Us(q.p99_ps), Us(q.max_ps)});
  }
  if (table.rows().empty()) return;
  absl::StrAppend(&text, "\n", table.ToText());
  if (report.handoff.latency.n > 0 && report.handoff.latency.n < 10000) {
    absl::StrAppend(&text, "(p99 from fewer than 10,000 events)\n");
  }
}

Json PlaceJson(const Place& place) {
  const Record& record = place.spot.record;
  Json json;
  json["block"] =
      place.stream == kHostStream ? Json("host") : Json(place.stream);
  if (place.sm >= 0) {
    json["on_sm"] = place.sm;
    json["in_slot"] = place.slot;
  }
  json["seq"] = place.spot.sequence;
  json["kind"] = std::string(KindName(record.kind));
  switch (MeaningOf(record.kind)) {
    case ValueMeaning::kSm:
      json["sm"] = record.value;
      json["slot"] = record.detail;
      break;
    case ValueMeaning::kTask:
      json["task"] = record.value;
      break;
    case ValueMeaning::kGeneration:
      json["event"] = record.value;
      if (HasDetail(record.kind)) json["urgent_tile"] = record.detail;
      break;
    case ValueMeaning::kCount:
      json["count"] = record.value;
      break;
    case ValueMeaning::kNone:
      break;
  }
  json["time_ps"] = record.time_ps;
  return json;
}

Json RuleJson(const CheckReport& report, const RuleReport& rule) {
  Json json;
  json["rule"] = std::string(rule.name);
  json["promise"] = std::string(rule.promise);
  json["result"] = RuleResult(report, rule);
  json["violations"] = rule.violations;
  json["witnesses"] = Json::array();
  for (const Finding& finding : rule.findings) {
    Json& witness = json["witnesses"].emplace_back();
    witness["text"] = finding.text;
    if (finding.task.has_value()) witness["task"] = *finding.task;
    if (finding.event.has_value()) witness["event"] = *finding.event;
    witness["records"] = Json::array();
    for (const Place& place : finding.records) {
      witness["records"].push_back(PlaceJson(place));
    }
  }
  return json;
}

Json ReportJson(const CheckReport& report) {
  Json json;
  json["verdict"] = std::string(VerdictName(report.verdict));
  json["file"] = report.name;
  json["first_rule"] = std::string(report.FirstRule());
  json["violations"] = report.violations();
  json["unknown"] = report.unknown;
  for (const std::string& name : PromiseNames()) {
    json["promises"][name] = PromisedValue(report.header, name);
  }
  for (const auto& [name, field] : CountFields()) {
    json["counts"][name] = report.counts.*field;
  }
  for (const auto& [name, field] : HandoffFields()) {
    const Quantiles& q = report.handoff.*field;
    json["handoff_us"][name] = {{"n", q.n},
                                {"p50", Us(q.p50_ps)},
                                {"p90", Us(q.p90_ps)},
                                {"p95", Us(q.p95_ps)},
                                {"p99", Us(q.p99_ps)},
                                {"max", Us(q.max_ps)}};
  }
  json["rules"] = Json::array();
  for (const RuleReport& rule : report.rules) {
    json["rules"].push_back(RuleJson(report, rule));
  }
  json["file_bytes"] = report.file_bytes;
  json["threads"] = report.threads;
  json["seconds"] = report.seconds;
  return json;
}

}  // namespace

std::string ReportText(const CheckReport& report) {
  std::string text = VerdictLine(report);
  AppendWitnesses(report, text);
  AppendUnknown(report, text);
  AppendPromises(report, text);
  Table counts({"count", "value"});
  for (const auto& [name, field] : CountFields()) {
    counts.AddRow({name, report.counts.*field});
  }
  absl::StrAppend(&text, "\n", counts.ToText());
  AppendHandoff(report, text);
  absl::StrAppendFormat(
      &text, "\nChecked %.1f MB in %.3f s with %d thread%s.\n",
      static_cast<double>(report.file_bytes) * 1e-6, report.seconds,
      report.threads, report.threads == 1 ? "" : "s");
  return text;
}

std::string ReportsJson(const std::vector<CheckReport>& reports) {
  Json array = Json::array();
  for (const CheckReport& report : reports) {
    array.push_back(ReportJson(report));
  }
  return array.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Table ReportsTable(const std::vector<CheckReport>& reports) {
  std::vector<std::string> columns = {"verdict", "file", "first_rule",
                                      "violations"};
  for (const auto& [name, field] : CountFields()) columns.push_back(name);
  for (const char* q : {"p50", "p90", "p95", "p99", "max"}) {
    columns.push_back(absl::StrCat("latency_", q, "_us"));
  }
  columns.push_back("seconds");
  Table table(columns);
  for (const CheckReport& report : reports) {
    std::vector<TableValue> row = {std::string(VerdictName(report.verdict)),
                                   report.name, std::string(report.FirstRule()),
                                   report.violations()};
    for (const auto& [name, field] : CountFields()) {
      row.emplace_back(report.counts.*field);
    }
    const Quantiles& q = report.handoff.latency;
    for (const int64_t ps :
         {q.p50_ps, q.p90_ps, q.p95_ps, q.p99_ps, q.max_ps}) {
      if (q.n == 0) {
        row.emplace_back();
      } else {
        row.emplace_back(Us(ps));
      }
    }
    row.emplace_back(report.seconds);
    table.AddRow(std::move(row));
  }
  return table;
}

Table RulesTable() {
  Table table({"rule", "promise"});
  for (const RuleInfo& info : AllRules()) {
    table.AddRow({std::string(info.name), std::string(info.promise)});
  }
  return table;
}

ExitCode ExitCodeFor(const std::vector<CheckReport>& reports) {
  ExitCode code = ExitCode::kOk;
  for (const CheckReport& report : reports) {
    if (report.verdict == Verdict::kViolation) return ExitCode::kWrong;
    if (report.verdict == Verdict::kUnknown) code = ExitCode::kCannotTell;
  }
  return code;
}

}  // namespace tilebound::oracle
