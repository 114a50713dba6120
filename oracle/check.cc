#include "oracle/check.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "oracle/pass.h"
#include "oracle/rules.h"
#include "oracle/survey.h"
#include "oracle/witness.h"

namespace tilebound::oracle {
namespace {

int ThreadCount(const CheckOptions& options, uint64_t file_bytes) {
  if (options.threads > 0) return options.threads;
  // A small trace is done before a thread has started.
  if (file_bytes < (1 << 20)) return 1;
  return std::clamp<int>(std::thread::hardware_concurrency(), 1, 64);
}

// Calls work(t) for each t under `threads`, on as many threads.
template <typename Work>
void OnThreads(uint32_t threads, const Work& work) {
  std::vector<std::thread> others;
  for (uint32_t t = 1; t < threads; ++t) {
    others.emplace_back([&work, t] { work(t); });
  }
  work(0);
  for (std::thread& other : others) other.join();
}

void TakeFindings(const std::vector<std::string>& unknown, Rule& rule,
                  RuleReport& report) {
  FindingLog& wrong = rule.wrong();
  if (unknown.empty()) {
    wrong.Absorb(rule.absent());
  } else {
    report.untold = rule.absent().count();
  }
  report.violations = wrong.count();
  report.findings = std::move(wrong.kept());
}

}  // namespace

absl::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "OK";
    case Verdict::kViolation:
      return "VIOLATION";
    case Verdict::kUnknown:
      return "UNKNOWN";
  }
  return "UNKNOWN";
}

absl::string_view CheckReport::FirstRule() const {
  for (const RuleReport& rule : rules) {
    if (rule.violations > 0) return rule.name;
  }
  return "";
}

uint64_t CheckReport::violations() const {
  uint64_t count = 0;
  for (const RuleReport& rule : rules) count += rule.violations;
  return count;
}

CheckReport CheckTrace(const TraceReader& reader, const CheckOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  TraceFacts facts;
  facts.header = reader.header();
  const auto threads =
      static_cast<uint32_t>(ThreadCount(options, reader.file_bytes()));
  TraceSurvey survey = SurveyTrace(reader);
  facts.sets = std::move(survey.sets);
  facts.expectations = options.expectations;
  facts.bound_ps = options.bound_ps > 0
                       ? options.bound_ps
                       : static_cast<int64_t>(facts.header.handoff_bound_ps());
  TaskSet tasks(facts.header.tasks(), survey.most_executions);

  std::vector<std::unique_ptr<TracePass>> passes;
  for (uint32_t t = 0; t < threads; ++t) {
    passes.push_back(
        std::make_unique<TracePass>(reader, facts, tasks, t, threads));
  }
  OnThreads(threads, [&](uint32_t t) { passes[t]->Run(); });
  for (uint32_t t = 1; t < threads; ++t) {
    passes[0]->Absorb(*passes[t]);
    passes[t].reset();
  }

  CheckReport report;
  report.name = reader.name();
  report.header = reader.header();
  report.bound_given = options.bound_ps > 0;
  report.threads = static_cast<int>(threads);
  report.unknown = passes[0]->Conclude();
  std::vector<Finding*> findings;
  for (size_t i = 0; i < AllRules().size(); ++i) {
    RuleReport& rule = report.rules.emplace_back();
    rule.name = AllRules()[i].name;
    rule.promise = AllRules()[i].promise;
    TakeFindings(report.unknown, *passes[0]->rules()[i], rule);
  }
  for (RuleReport& rule : report.rules) {
    for (Finding& finding : rule.findings) findings.push_back(&finding);
  }
  CompleteWitnesses(reader, findings);
  for (Finding* finding : findings) {
    for (Place& place : finding->records) passes[0]->Locate(place);
  }
  report.counts = passes[0]->counts();
  report.handoff = passes[0]->handoff().Summarize();
  report.verdict = !findings.empty()        ? Verdict::kViolation
                   : report.unknown.empty() ? Verdict::kOk
                                            : Verdict::kUnknown;
  report.file_bytes = reader.file_bytes();
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

}  // namespace tilebound::oracle
