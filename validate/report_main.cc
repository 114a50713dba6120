// report: joins predicted with measured surfaces and says where they agree.
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/command.h"
#include "data/io/data_root.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/file.h"
#include "validate/cell_table.h"
#include "validate/findings.h"
#include "validate/render_html.h"
#include "validate/render_json.h"
#include "validate/render_markdown.h"
#include "validate/render_text.h"
#include "validate/write_outputs.h"

ABSL_FLAG(std::vector<std::string>, predicted, {},
          "Predicted surface; repeatable.");
ABSL_FLAG(std::vector<std::string>, measured, {},
          "Measured or published surface; repeatable.");
ABSL_FLAG(std::string, tolerances, "",
          "Tolerances; data/tolerances.textproto if not given.");
ABSL_FLAG(std::string, out_dir, "",
          "Folder for report.html, report.md, report.json.");
ABSL_FLAG(std::string, fail_on, "never",
          "never, or disagree: exit 1 then, or if nothing was compared.");
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

absl::StatusOr<ReportInputs> ReadAll() {
  ReportInputs inputs;
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.predicted,
      ReadInputs(absl::GetFlag(FLAGS_predicted), "predicted", true));
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.measured,
      ReadInputs(absl::GetFlag(FLAGS_measured), "measured", false));
  inputs.tolerances_path = absl::GetFlag(FLAGS_tolerances);
  if (inputs.tolerances_path.empty()) {
    TILEBOUND_ASSIGN_OR_RETURN(const std::string root, DataRoot());
    inputs.tolerances_path = absl::StrCat(root, "/tolerances.textproto");
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      inputs.tolerances, ReadContent<pb::Tolerances>(inputs.tolerances_path));
  return inputs;
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const std::string format = absl::GetFlag(FLAGS_format);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(format));
  const std::string fail_on = absl::GetFlag(FLAGS_fail_on);
  if (fail_on != "never" && fail_on != "disagree") {
    return absl::InvalidArgumentError(
        absl::StrCat("--fail_on=", fail_on, ": accepted are never, disagree"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(ReportInputs inputs, ReadAll());
  const Findings findings = Find(std::move(inputs));

  const std::string out_dir = absl::GetFlag(FLAGS_out_dir);
  if (!out_dir.empty()) {
    TILEBOUND_RETURN_IF_ERROR(
        WriteOutputs(out_dir, {{"report.md", RenderMarkdown(findings)},
                               {"report.json", RenderJson(findings)},
                               {"report.html", RenderHtml(findings)}}));
  }
  if (format == "table") {
    std::cout << RenderText(findings);
    if (!out_dir.empty()) {
      std::cout << "report: " << out_dir << "/report.html\n";
    }
  } else {
    TILEBOUND_ASSIGN_OR_RETURN(const std::string rows,
                               FullCellTable(findings).Render(format));
    std::cout << rows;
  }
  const bool failed = fail_on == "disagree" &&
                      (findings.AnyDisagreement() || !findings.AnyCompared());
  return failed ? ExitCode::kWrong : ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::validate

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "report",
       .summary = "Says where predicted and measured surfaces agree.",
       .usage = "report --predicted=FILE --measured=FILE [flags]",
       .flags = {"predicted", "measured", "tolerances", "out_dir", "fail_on",
                 "format"},
       .repeatable = {"predicted", "measured"},
       .examples = {"report --predicted=out/a10_predicted.textproto \\\n"
                    "      --measured=data/published/a10_reference.textproto "
                    "--out_dir=out/report"}},
      argc, argv, tilebound::validate::Run);
}
