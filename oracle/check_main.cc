#include <iostream>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "oracle/check.h"
#include "oracle/expect.h"
#include "oracle/generate.h"
#include "oracle/report.h"

ABSL_FLAG(std::string, format, "table", "table, csv or json.");
ABSL_FLAG(std::string, expect, "",
          "What the header must promise: NAME=VALUE,...");
ABSL_FLAG(double, bound_us, 0, "Handoff bound to hold; 0: the header's.");
ABSL_FLAG(int, threads, 0, "Threads; 0: one a core.");
ABSL_FLAG(bool, rules, false, "List the rules and their promises.");
ABSL_FLAG(std::string, generate, "",
          "Write a valid trace: NAME=VALUE,... or \"default\".");
ABSL_FLAG(uint64_t, seed, 1, "Seed of --generate.");
ABSL_FLAG(std::string, out, "", "File that --generate writes.");

namespace tilebound::oracle {
namespace {

absl::StatusOr<ExitCode> Generate() {
  const std::string text = absl::GetFlag(FLAGS_generate);
  TILEBOUND_ASSIGN_OR_RETURN(
      GeneratorConfig config,
      ParseGeneratorConfig(text == "default" ? "" : text));
  const std::string out = absl::GetFlag(FLAGS_out);
  if (out.empty()) {
    return absl::InvalidArgumentError("--generate needs --out=FILE");
  }
  TILEBOUND_RETURN_IF_ERROR(
      GenerateTrace(config, absl::GetFlag(FLAGS_seed), out));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Check(const std::vector<std::string>& files) {
  CheckOptions options;
  options.threads = absl::GetFlag(FLAGS_threads);
  if (options.threads < 0 || options.threads > 256) {
    return absl::InvalidArgumentError(
        absl::StrCat("--threads=", options.threads, ": accepted are 0 to 256"));
  }
  const double bound_us = absl::GetFlag(FLAGS_bound_us);
  if (!(bound_us >= 0 && bound_us <= 1e9)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--bound_us=", bound_us, ": accepted are 0 to 1e9"));
  }
  options.bound_ps = static_cast<int64_t>(bound_us * 1e6);
  TILEBOUND_ASSIGN_OR_RETURN(options.expectations,
                             ParseExpectations(absl::GetFlag(FLAGS_expect)));
  const std::string format = absl::GetFlag(FLAGS_format);
  std::vector<CheckReport> reports;
  for (const std::string& file : files) {
    TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(file));
    reports.push_back(CheckTrace(reader, options));
    if (format == "table") {
      std::cout << (reports.size() > 1 ? "\n" : "")
                << ReportText(reports.back());
    }
  }
  if (format == "csv") std::cout << ReportsTable(reports).ToCsv();
  if (format == "json") std::cout << ReportsJson(reports);
  return ExitCodeFor(reports);
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>& files) {
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(absl::GetFlag(FLAGS_format)));
  if (absl::GetFlag(FLAGS_rules)) {
    TILEBOUND_ASSIGN_OR_RETURN(
        std::string text, RulesTable().Render(absl::GetFlag(FLAGS_format)));
    std::cout << text;
    return ExitCode::kOk;
  }
  if (!absl::GetFlag(FLAGS_generate).empty()) return Generate();
  if (files.empty()) {
    return absl::InvalidArgumentError(
        "no trace given; usage: check TRACE... [flags]");
  }
  return Check(files);
}

}  // namespace
}  // namespace tilebound::oracle

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "check",
       .summary = "Checks that a scheduler trace keeps its promises.",
       .usage = "check TRACE... [flags]",
       .flags = {"format", "expect", "bound_us", "threads", "rules", "generate",
                 "seed", "out"},
       .takes_files = true,
       .examples = {"check run.tbtrace", "check --rules",
                    "check --generate=arm=reserved,reserve=1 --seed=7 "
                    "--out=a.tbtrace"}},
      argc, argv, tilebound::oracle::Run);
}
