#include "validate/baseline_diff.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "nlohmann/json.hpp"
#include "validate/report_schema.h"

namespace tilebound::validate {
namespace {

using Json = nlohmann::json;

std::string FigureId(absl::string_view fingerprint, absl::string_view measured,
                     absl::string_view metric, uint64_t slot, double q) {
  return absl::StrCat(fingerprint, "/", measured, "/", metric, "/", slot, "/",
                      std::llround(q * 1e6));
}

absl::Status NotAReport(const std::string& path, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": ", what, "; a report.json of schema ",
                   kReportSchemaMajor, " is accepted for --baseline"));
}

// Throws nlohmann's exceptions for members that are not as they should be.
void AddFigures(const Json& report, EarlierReport& earlier) {
  for (const Json& cell : report.at("cells")) {
    const Json& prediction =
        report.at("predicted").at(cell.at("predicted").get<size_t>());
    if (prediction.at("baseline").get<bool>()) continue;
    const std::string measured =
        report.at("measured").at(cell.at("measured").get<size_t>()).at("name");
    for (const Json& comparison : cell.at("comparisons")) {
      const std::string verdict = comparison.at("verdict");
      if (verdict == VerdictName(Verdict::kNotCompared)) continue;
      earlier.figures.try_emplace(
          FigureId(cell.at("fingerprint").get<std::string>(), measured,
                   comparison.at("metric").get<std::string>(),
                   comparison.value("slot", uint64_t{0}),
                   comparison.value("q", 0.0)),
          EarlierFigure{comparison.at("predicted"), comparison.at("measured"),
                        verdict});
    }
  }
}

double Noise(const Comparison& comparison, const pb::Surface& measured) {
  double noise = 0;
  if (comparison.q > 0 && comparison.metric->unit == "us") {
    noise =
        static_cast<double>(measured.conditions().timer_quantum_ps()) * 1e-6;
  }
  if (comparison.low && comparison.high) {
    noise = std::max(noise, (*comparison.high - *comparison.low) / 2);
  }
  return noise;
}

}  // namespace

absl::StatusOr<EarlierReport> ReadEarlierReport(const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path));
  const Json report = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded() || !report.is_object() ||
      !report.contains("schema") || report["schema"] != "tilebound.report") {
    return NotAReport(path, "not a report of Tilebound");
  }
  const auto major = report.find("schema_major");
  if (major == report.end() || !major->is_number_integer() ||
      major->get<int64_t>() > kReportSchemaMajor) {
    return NotAReport(path, "its schema is newer than this command's");
  }
  EarlierReport earlier;
  earlier.path = path;
  // The library reports a missing or mistyped member by an exception, which
  // ends here.
  try {
    AddFigures(report, earlier);
  } catch (const Json::exception& error) {
    return NotAReport(path, error.what());
  }
  return earlier;
}

BaselineDiff DiffAgainst(const EarlierReport& earlier,
                         const Findings& findings) {
  BaselineDiff diff;
  diff.path = earlier.path;
  std::set<std::string> seen;
  const auto& cells = findings.comparisons.cells;
  for (size_t c = 0; c < cells.size(); ++c) {
    if (IsBaseline(findings.PredictedOf(cells[c]))) continue;
    const std::string fingerprint = Fingerprint(cells[c].key);
    const pb::Surface& measured = findings.MeasuredOf(cells[c]);
    for (size_t i = 0; i < cells[c].comparisons.size(); ++i) {
      const Comparison& now = cells[c].comparisons[i];
      if (!now.compared()) continue;
      const std::string id = FigureId(fingerprint, measured.name(),
                                      now.metric->name, now.slot, now.q);
      if (!seen.insert(id).second) continue;
      const auto before = earlier.figures.find(id);
      if (before == earlier.figures.end()) {
        ++diff.added;
        continue;
      }
      const double change =
          std::abs(*now.predicted - *now.measured) -
          std::abs(before->second.predicted - before->second.measured);
      // A hair over the noise, for quanta that went through a decimal.
      if (std::abs(change) <= Noise(now, measured) * (1 + 1e-9) + 1e-12) {
        ++diff.unchanged;
      } else {
        (change < 0 ? diff.better : diff.worse)
            .push_back({{c, i}, before->second, change});
      }
    }
  }
  for (const auto& [id, figure] : earlier.figures) {
    if (seen.count(id) == 0) ++diff.gone;
  }
  const auto larger = [](const FigureChange& a, const FigureChange& b) {
    return std::abs(a.change) > std::abs(b.change);
  };
  std::stable_sort(diff.better.begin(), diff.better.end(), larger);
  std::stable_sort(diff.worse.begin(), diff.worse.end(), larger);
  return diff;
}

}  // namespace tilebound::validate
