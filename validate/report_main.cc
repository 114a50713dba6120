// report: joins predicted with measured surfaces and says where they agree.
#include <future>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "data/io/build_info.h"
#include "data/io/command.h"
#include "data/io/data_root.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/file.h"
#include "validate/baseline_diff.h"
#include "validate/cell_table.h"
#include "validate/findings.h"
#include "validate/plot_libraries.h"
#include "validate/registry.h"
#include "validate/render_html.h"
#include "validate/render_json.h"
#include "validate/render_markdown.h"
#include "validate/render_text.h"
#include "validate/write_outputs.h"

ABSL_FLAG(std::vector<std::string>, predicted, {},
          "Predicted surface; repeatable.");
ABSL_FLAG(std::vector<std::string>, measured, {},
          "Measured or published surface; repeatable.");
ABSL_FLAG(std::string, hypotheses, "", "Hypotheses to decide.");
ABSL_FLAG(std::string, tolerances, "",
          "Tolerances; data/tolerances.textproto if not given.");
ABSL_FLAG(std::string, out_dir, "",
          "Folder for report.html, report.md, report.json.");
ABSL_FLAG(std::string, fail_on, "never",
          "never, disagree, hypotheses: when to exit 1.");
ABSL_FLAG(std::string, baseline, "", "Earlier report.json to compare with.");
ABSL_FLAG(bool, register, false,
          "Append the predictions to the registry, nothing else.");
ABSL_FLAG(std::string, registry, "",
          "Registry; data/registry/registry.textproto if not given.");
ABSL_FLAG(std::string, format, "table", "table, csv or json on stdout.");

namespace tilebound::validate {
namespace {

absl::StatusOr<std::vector<Input>> ReadInputs(
    const std::vector<std::string>& paths, absl::string_view flag,
    bool predicted) {
  if (paths.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", flag, " is missing; one surface or more is accepted"));
  }
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    TILEBOUND_ASSIGN_OR_RETURN(pb::File file, ReadFile(path));
    if (!file.has_surface()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": holds a ", ContentName(file),
                       "; a surface is accepted for --", flag));
    }
    Input input;
    input.path = path;
    input.sha256 = ContentSha256(file);
    for (const Input& other : inputs) {
      if (other.sha256 != input.sha256) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": has the content of ", other.path,
                       "; each surface is accepted once"));
    }
    input.surface = std::move(*file.mutable_surface());
    const pb::Provenance::Kind kind = input.surface.provenance().kind();
    if (predicted != (kind == pb::Provenance::PREDICTED)) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": the surface is ", pb::Provenance::Kind_Name(kind), "; --",
          flag, " accepts ", predicted ? "PREDICTED" : "MEASURED, PUBLISHED"));
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

// The flag's value, or `name` in the data folder.
absl::StatusOr<std::string> PathOr(const std::string& flag,
                                   absl::string_view name) {
  if (!flag.empty()) return flag;
  TILEBOUND_ASSIGN_OR_RETURN(const std::string root, DataRoot());
  return absl::StrCat(root, "/", name);
}

absl::StatusOr<std::string> RegistryPath() {
  return PathOr(absl::GetFlag(FLAGS_registry), "registry/registry.textproto");
}

absl::StatusOr<ExitCode> RegisterPredictions() {
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<Input> predicted,
      ReadInputs(absl::GetFlag(FLAGS_predicted), "predicted", true));
  std::string hypotheses_sha256;
  if (const std::string path = absl::GetFlag(FLAGS_hypotheses); !path.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(const auto hypotheses,
                               ReadContent<pb::Hypotheses>(path));
    hypotheses_sha256 = ContentSha256(MakeFile(hypotheses));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string path, RegistryPath());
  TILEBOUND_RETURN_IF_ERROR(
      Register(path, predicted, hypotheses_sha256, Commit(), absl::Now()));
  for (const Input& input : predicted) {
    std::cout << "registered " << input.surface.name() << " " << input.sha256
              << " in " << path << "\n";
  }
  return ExitCode::kOk;
}

absl::StatusOr<ReportInputs> ReadAll() {
  ReportInputs inputs;
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.predicted,
      ReadInputs(absl::GetFlag(FLAGS_predicted), "predicted", true));
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.measured,
      ReadInputs(absl::GetFlag(FLAGS_measured), "measured", false));
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.tolerances_path,
      PathOr(absl::GetFlag(FLAGS_tolerances), "tolerances.textproto"));
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.tolerances, ReadContent<pb::Tolerances>(inputs.tolerances_path));
  inputs.hypotheses_path = absl::GetFlag(FLAGS_hypotheses);
  if (!inputs.hypotheses_path.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(
        inputs.hypotheses, ReadContent<pb::Hypotheses>(inputs.hypotheses_path));
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string registry, RegistryPath());
  TILEBOUND_ASSIGN_OR_RETURN(inputs.registry, ReadRegistry(registry));
  return inputs;
}

absl::Status WriteReport(const std::string& out_dir, const Findings& findings,
                         const BaselineDiff* since) {
  const PlotLibraries libraries = FindPlotLibraries();
  // Large reports spend most of their time here.
  auto json = std::async(std::launch::async,
                         [&] { return RenderJson(findings, since); });
  std::string html = RenderHtml(findings, since, libraries);
  TILEBOUND_RETURN_IF_ERROR(
      WriteOutputs(out_dir, {{"report.md", RenderMarkdown(findings, since)},
                             {"report.json", json.get()},
                             {"report.html", std::move(html)}}));
  if (!libraries.complete()) {
    std::cerr << "report: tables only, no plots: " << libraries.missing
              << std::endl;
  }
  return absl::OkStatus();
}

absl::Status CheckFailOn(const std::string& fail_on) {
  if (fail_on != "never" && fail_on != "disagree" && fail_on != "hypotheses") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--fail_on=", fail_on, ": accepted are never, disagree, hypotheses"));
  }
  if (fail_on == "hypotheses" && absl::GetFlag(FLAGS_hypotheses).empty()) {
    return absl::InvalidArgumentError(
        "--fail_on=hypotheses needs --hypotheses=FILE");
  }
  return absl::OkStatus();
}

bool Failed(const std::string& fail_on, const Findings& findings) {
  if (fail_on == "disagree") {
    // A gate that compared nothing must not stand open.
    return findings.AnyDisagreement() || !findings.AnyCompared();
  }
  return fail_on == "hypotheses" && findings.AnyHypothesisUnwelcome();
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const std::string format = absl::GetFlag(FLAGS_format);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(format));
  const std::string fail_on = absl::GetFlag(FLAGS_fail_on);
  TILEBOUND_RETURN_IF_ERROR(CheckFailOn(fail_on));
  if (absl::GetFlag(FLAGS_register)) return RegisterPredictions();

  TILEBOUND_ASSIGN_OR_RETURN(ReportInputs inputs, ReadAll());
  std::optional<EarlierReport> earlier;
  if (const std::string path = absl::GetFlag(FLAGS_baseline); !path.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(earlier, ReadEarlierReport(path));
  }
  const Findings findings = Find(std::move(inputs));
  std::optional<BaselineDiff> diff;
  if (earlier) diff = DiffAgainst(*earlier, findings);
  const BaselineDiff* since = diff ? &*diff : nullptr;

  const std::string out_dir = absl::GetFlag(FLAGS_out_dir);
  if (!out_dir.empty()) {
    TILEBOUND_RETURN_IF_ERROR(WriteReport(out_dir, findings, since));
  }
  if (format == "table") {
    std::cout << RenderText(findings, since);
    if (!out_dir.empty()) {
      std::cout << "report: " << out_dir << "/report.html\n";
    }
  } else {
    TILEBOUND_ASSIGN_OR_RETURN(const std::string rows,
                               FullCellTable(findings).Render(format));
    std::cout << rows;
  }
  return Failed(fail_on, findings) ? ExitCode::kWrong : ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::validate

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "report",
       .summary = "Says where predicted and measured surfaces agree.",
       .usage = "report --predicted=FILE --measured=FILE [flags]",
       .flags = {"predicted", "measured", "hypotheses", "tolerances", "out_dir",
                 "fail_on", "baseline", "register", "registry", "format"},
       .repeatable = {"predicted", "measured"},
       .examples = {"report --predicted=out/a10_predicted.textproto \\\n"
                    "      --measured=data/published/a10_reference.textproto "
                    "--out_dir=out/report"}},
      argc, argv, tilebound::validate::Run);
}
