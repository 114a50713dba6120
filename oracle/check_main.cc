#include <iostream>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/trace/jsonl.h"
#include "data/trace/reader.h"
#include "oracle/check.h"
#include "oracle/expect.h"
#include "oracle/generate.h"
#include "oracle/mutate.h"
#include "oracle/perfetto.h"
#include "oracle/report.h"

ABSL_FLAG(std::string, format, "table", "table, csv or json.");
ABSL_FLAG(std::string, expect, "",
          "What the header must promise: NAME=VALUE,...");
ABSL_FLAG(double, bound_us, 0, "Handoff bound to hold; 0: the header's.");
ABSL_FLAG(int, threads, 0, "Threads; 0: one a core.");
ABSL_FLAG(bool, rules, false, "List the rules and their promises.");
ABSL_FLAG(std::string, perfetto, "", "Also write the trace for Perfetto.");
ABSL_FLAG(std::string, window_us, "", "Part that --perfetto writes: FROM:TO.");
ABSL_FLAG(std::string, to_jsonl, "", "Write the trace as lines of JSON.");
ABSL_FLAG(bool, import_jsonl, false, "Write a .jsonl TRACE as --out.");
ABSL_FLAG(std::string, generate, "",
          "Write a valid trace: NAME=VALUE,... or \"default\".");
ABSL_FLAG(std::string, mutate, "", "Plant a fault of this kind in TRACE.");
ABSL_FLAG(bool, list_mutations, false, "List the kinds of fault.");
constexpr uint64_t kFirstSeed = 1;
ABSL_FLAG(uint64_t, seed, kFirstSeed, "Seed of --generate and --mutate.");
ABSL_FLAG(std::string, out, "", "Trace that is written.");

namespace tilebound::oracle {
namespace {

absl::StatusOr<std::string> OutFile() {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (out.empty()) return absl::InvalidArgumentError("--out=FILE is needed");
  return out;
}

absl::StatusOr<std::string> OneFile(const std::vector<std::string>& files) {
  if (files.size() == 1) return files[0];
  return absl::InvalidArgumentError(
      absl::StrCat(files.size(), " traces given; accepted here: 1"));
}

absl::StatusOr<TraceReader> Open(const std::string& file) {
  if (!absl::EndsWith(file, ".jsonl")) return TraceReader::Open(file);
  TILEBOUND_ASSIGN_OR_RETURN(std::string text, ReadWholeFile(file));
  TILEBOUND_ASSIGN_OR_RETURN(std::string bytes, TraceFromJsonLines(text, file));
  return TraceReader::FromBytes(std::move(bytes), file);
}

absl::StatusOr<ExitCode> Generate() {
  const std::string text = absl::GetFlag(FLAGS_generate);
  TILEBOUND_ASSIGN_OR_RETURN(
      GeneratorConfig config,
      ParseGeneratorConfig(text == "default" ? "" : text));
  TILEBOUND_ASSIGN_OR_RETURN(std::string out, OutFile());
  TILEBOUND_RETURN_IF_ERROR(
      GenerateTrace(config, absl::GetFlag(FLAGS_seed), out));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Mutate(const std::vector<std::string>& files) {
  TILEBOUND_ASSIGN_OR_RETURN(std::string out, OutFile());
  TILEBOUND_ASSIGN_OR_RETURN(std::string file, OneFile(files));
  TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, Open(file));
  TILEBOUND_ASSIGN_OR_RETURN(MutatedTrace mutated,
                             MutateTrace(reader, absl::GetFlag(FLAGS_mutate),
                                         absl::GetFlag(FLAGS_seed)));
  TILEBOUND_RETURN_IF_ERROR(WriteFileAtomically(out, mutated.bytes));
  std::cout << mutated.planted.what;
  if (mutated.planted.record.has_value()) {
    std::cout << ": " << StreamName(*mutated.planted.stream) << ", "
              << DescribeRecord(*mutated.planted.record);
  }
  std::cout << "\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Import(const std::vector<std::string>& files) {
  TILEBOUND_ASSIGN_OR_RETURN(std::string out, OutFile());
  TILEBOUND_ASSIGN_OR_RETURN(std::string file, OneFile(files));
  TILEBOUND_ASSIGN_OR_RETURN(std::string text, ReadWholeFile(file));
  TILEBOUND_ASSIGN_OR_RETURN(std::string bytes, TraceFromJsonLines(text, file));
  TILEBOUND_RETURN_IF_ERROR(WriteFileAtomically(out, bytes));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> Export(const std::vector<std::string>& files) {
  TILEBOUND_ASSIGN_OR_RETURN(std::string file, OneFile(files));
  TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, Open(file));
  TILEBOUND_ASSIGN_OR_RETURN(std::string text, JsonLinesOf(reader));
  TILEBOUND_RETURN_IF_ERROR(
      WriteFileAtomically(absl::GetFlag(FLAGS_to_jsonl), text));
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
  const std::string perfetto = absl::GetFlag(FLAGS_perfetto);
  TILEBOUND_ASSIGN_OR_RETURN(PerfettoWindow window,
                             ParseWindow(absl::GetFlag(FLAGS_window_us)));
  if (!perfetto.empty()) TILEBOUND_RETURN_IF_ERROR(OneFile(files).status());
  std::vector<CheckReport> reports;
  for (const std::string& file : files) {
    TILEBOUND_ASSIGN_OR_RETURN(TraceReader reader, Open(file));
    reports.push_back(CheckTrace(reader, options));
    if (!perfetto.empty()) {
      TILEBOUND_RETURN_IF_ERROR(
          WritePerfetto(reader, reports.back(), window, perfetto));
    }
    if (format == "table") {
      std::cout << (reports.size() > 1 ? "\n" : "")
                << ReportText(reports.back());
    }
  }
  if (format == "csv") std::cout << ReportsTable(reports).ToCsv();
  if (format == "json") std::cout << ReportsJson(reports);
  return ExitCodeFor(reports);
}

// What is asked for instead of a check, as the user wrote it.
std::vector<std::string> Modes() {
  std::vector<std::string> modes;
  if (absl::GetFlag(FLAGS_rules)) modes.push_back("--rules");
  if (absl::GetFlag(FLAGS_list_mutations)) modes.push_back("--list_mutations");
  if (!absl::GetFlag(FLAGS_generate).empty()) modes.push_back("--generate");
  if (!absl::GetFlag(FLAGS_mutate).empty()) modes.push_back("--mutate");
  if (absl::GetFlag(FLAGS_import_jsonl)) modes.push_back("--import_jsonl");
  if (!absl::GetFlag(FLAGS_to_jsonl).empty()) modes.push_back("--to_jsonl");
  return modes;
}

// A flag or file that the mode asked for does not read is a mistake, not a
// wish.
absl::Status CheckModes(const std::vector<std::string>& files) {
  const std::vector<std::string> modes = Modes();
  if (modes.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(modes[0], " and ", modes[1], ": accepted is one of them"));
  }
  const std::string mode = modes.empty() ? "" : modes[0];
  const bool draws = mode == "--generate" || mode == "--mutate";
  const bool writes = draws || mode == "--import_jsonl";
  if (!absl::GetFlag(FLAGS_out).empty() && !writes) {
    return absl::InvalidArgumentError(
        absl::StrCat("--out=", absl::GetFlag(FLAGS_out),
                     " goes with --generate, --mutate or --import_jsonl"));
  }
  if (absl::GetFlag(FLAGS_seed) != kFirstSeed && !draws) {
    return absl::InvalidArgumentError(
        absl::StrCat("--seed=", absl::GetFlag(FLAGS_seed),
                     " goes with --generate or --mutate"));
  }
  if (!absl::GetFlag(FLAGS_window_us).empty() &&
      absl::GetFlag(FLAGS_perfetto).empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--window_us=", absl::GetFlag(FLAGS_window_us),
                     " goes with --perfetto=FILE"));
  }
  if (mode.empty()) return absl::OkStatus();
  const std::pair<absl::string_view, bool> of_checks[] = {
      {"--perfetto", !absl::GetFlag(FLAGS_perfetto).empty()},
      {"--expect", !absl::GetFlag(FLAGS_expect).empty()},
      {"--bound_us", absl::GetFlag(FLAGS_bound_us) != 0},
      {"--threads", absl::GetFlag(FLAGS_threads) != 0}};
  for (const auto& [flag, given] : of_checks) {
    if (!given) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(flag, " goes with a check, not with ", mode));
  }
  const bool reads = writes ? mode != "--generate" : mode == "--to_jsonl";
  if (!reads && !files.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(files[0], ": ", mode, " reads no trace"));
  }
  return absl::OkStatus();
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>& files) {
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(absl::GetFlag(FLAGS_format)));
  TILEBOUND_RETURN_IF_ERROR(CheckModes(files));
  if (absl::GetFlag(FLAGS_rules) || absl::GetFlag(FLAGS_list_mutations)) {
    const Table table =
        absl::GetFlag(FLAGS_rules) ? RulesTable() : MutationsTable();
    TILEBOUND_ASSIGN_OR_RETURN(std::string text,
                               table.Render(absl::GetFlag(FLAGS_format)));
    std::cout << text;
    return ExitCode::kOk;
  }
  for (const std::string& output :
       {absl::GetFlag(FLAGS_out), absl::GetFlag(FLAGS_perfetto),
        absl::GetFlag(FLAGS_to_jsonl)}) {
    TILEBOUND_RETURN_IF_ERROR(CheckDistinct(output, files));
  }
  if (!absl::GetFlag(FLAGS_generate).empty()) return Generate();
  if (files.empty()) {
    return absl::InvalidArgumentError(
        "no trace given; usage: check TRACE... [flags]");
  }
  if (!absl::GetFlag(FLAGS_mutate).empty()) return Mutate(files);
  if (absl::GetFlag(FLAGS_import_jsonl)) return Import(files);
  if (!absl::GetFlag(FLAGS_to_jsonl).empty()) return Export(files);
  return Check(files);
}

}  // namespace
}  // namespace tilebound::oracle

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "check",
       .summary = "Checks that a scheduler trace keeps its promises.",
       .usage = "check TRACE... [flags]",
       .flags = {"format", "expect", "bound_us", "threads", "rules", "perfetto",
                 "window_us", "to_jsonl", "import_jsonl", "generate", "mutate",
                 "list_mutations", "seed", "out"},
       .takes_files = true,
       .examples = {"check run.tbtrace --perfetto=run.pftrace",
                    "check foreign.jsonl",
                    "check --generate=arm=reserved,reserve=1 --seed=7 "
                    "--out=a.tbtrace"}},
      argc, argv, tilebound::oracle::Run);
}
