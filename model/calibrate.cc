// Makes a calibration from the values that a recipe allows it to read.
#include <iostream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "data/io/command.h"
#include "data/io/status_macros.h"
#include "data/io/table.h"
#include "data/schema/catalog.h"
#include "data/schema/cell_key.h"
#include "data/schema/file.h"
#include "model/fit.h"

ABSL_FLAG(std::string, recipe, "", "Recipe: a catalog name or a file.");
ABSL_FLAG(std::string, surfaces, "",
          "Folder of surfaces (.textproto); default data/published.");
ABSL_FLAG(std::string, out, "", "Calibration to write.");
ABSL_FLAG(std::string, format, "table", "table, csv or json.");

namespace tilebound::model {
namespace {

// Every value of the calibration with its group, then the residuals.
Table CalibrationTable(const pb::Calibration& calibration,
                       const std::vector<FitResidual>& residuals) {
  Table table({"group", "quantity", "k", "blocks", "blocks_per_sm", "slot",
               "quantile", "value", "unit", "low", "high", "predicted",
               "residual_pct"});
  for (const auto& [group, values] : CalibrationGroups(calibration)) {
    for (const pb::CalibrationValue& value : *values) {
      std::vector<TableValue> row = {group, value.quantity()};
      row.push_back(value.k() == 0 ? TableValue() : uint64_t{value.k()});
      row.push_back(value.blocks() == 0 ? TableValue()
                                        : uint64_t{value.blocks()});
      row.push_back(value.blocks_per_sm() == 0
                        ? TableValue()
                        : uint64_t{value.blocks_per_sm()});
      row.push_back(value.blocks_per_sm() == 0 ? TableValue()
                                               : uint64_t{value.slot()});
      row.push_back(TableValue());
      row.push_back(value.value());
      row.push_back(value.unit());
      const bool interval = value.low() != 0 || value.high() != 0;
      row.push_back(interval ? TableValue(value.low()) : TableValue());
      row.push_back(interval ? TableValue(value.high()) : TableValue());
      table.AddRow(std::move(row));
    }
  }
  for (const FitResidual& residual : residuals) {
    const pb::FitObservation& observation = residual.observation;
    table.AddRow(
        {"residual", observation.quantity(), uint64_t{observation.cell().k()},
         uint64_t{observation.cell().blocks()}, TableValue(), TableValue(),
         observation.quantile() > 0 ? TableValue(observation.quantile())
                                    : TableValue(),
         residual.observed, "us", TableValue(), TableValue(),
         residual.predicted,
         100 * (residual.predicted / residual.observed - 1)});
  }
  return table;
}

absl::StatusOr<ExitCode> Run(const std::vector<std::string>&) {
  const std::string out = absl::GetFlag(FLAGS_out);
  TILEBOUND_RETURN_IF_ERROR(CheckTableFormat(absl::GetFlag(FLAGS_format)));
  if (!out.empty()) TILEBOUND_RETURN_IF_ERROR(CheckOutputPath(out));
  if (absl::GetFlag(FLAGS_recipe).empty()) {
    return absl::InvalidArgumentError(
        "--recipe is not given; --recipe=a10.sgemm64 or a file is accepted");
  }
  TILEBOUND_ASSIGN_OR_RETURN(const Catalog catalog, Catalog::Open());
  TILEBOUND_ASSIGN_OR_RETURN(const pb::FitRecipe recipe,
                             catalog.FindRecipe(absl::GetFlag(FLAGS_recipe)));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Part part,
                             catalog.FindPart(recipe.part()));
  TILEBOUND_ASSIGN_OR_RETURN(const pb::Kernel kernel,
                             catalog.FindKernel(recipe.kernel()));
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<pb::Surface> surfaces,
                             catalog.Surfaces(absl::GetFlag(FLAGS_surfaces)));
  pb::Calibration source;
  if (recipe.has_transfer()) {
    TILEBOUND_ASSIGN_OR_RETURN(
        source,
        catalog.FindCalibration(recipe.transfer().part(), recipe.kernel()));
  }
  TILEBOUND_ASSIGN_OR_RETURN(
      const pb::Calibration calibration,
      FitCalibration(part, kernel, recipe, surfaces,
                     recipe.has_transfer() ? &source : nullptr));
  TILEBOUND_ASSIGN_OR_RETURN(
      const std::vector<FitResidual> residuals,
      FitResiduals(part, kernel, recipe, surfaces, calibration));
  if (!out.empty()) {
    TILEBOUND_RETURN_IF_ERROR(WriteContent(out, calibration));
    std::cerr << "wrote " << out << std::endl;
  }
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text,
                             CalibrationTable(calibration, residuals)
                                 .Render(absl::GetFlag(FLAGS_format)));
  std::cout << text;
  return ExitCode::kOk;
}

}  // namespace
}  // namespace tilebound::model

int main(int argc, char** argv) {
  return tilebound::RunCommand(
      {.name = "calibrate",
       .summary = "Fits the model's parameters to the values that a recipe "
                  "lists, and to no others.",
       .usage = "calibrate --recipe=PART.KERNEL [flags]",
       .flags = {"recipe", "surfaces", "out", "format"},
       .examples = {"calibrate --recipe=a10.sgemm64",
                    "calibrate --recipe=my/recipe.textproto "
                    "--surfaces=my/surfaces --out=calibration.textproto"}},
      argc, argv, tilebound::model::Run);
}
