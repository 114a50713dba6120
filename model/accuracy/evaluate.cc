#include "model/accuracy/evaluate.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "model/catalog_surface.h"

namespace tilebound::model {
namespace {

// Cells of one surface that any bar needs, each once.
std::vector<pb::CellKey> KeysOf(const pb::Surface& surface) {
  std::map<std::string, pb::CellKey> keys;
  for (const AccuracyBar& bar : AccuracyBars()) {
    if (bar.surface != surface.name()) continue;
    for (const pb::Cell* cell : CellsOf(bar, surface)) {
      keys.emplace(Fingerprint(cell->key()), cell->key());
    }
  }
  std::vector<pb::CellKey> list;
  for (auto& [fingerprint, key] : keys) list.push_back(std::move(key));
  return list;
}

}  // namespace

absl::StatusOr<std::vector<BarResult>> EvaluateBars(
    const std::vector<pb::Surface>& published, const PredictOptions& options) {
  std::map<std::string, const pb::Surface*> by_name;
  std::map<std::string, absl::StatusOr<pb::Surface>> predicted;
  for (const pb::Surface& surface : published) {
    by_name[surface.name()] = &surface;
    const std::vector<pb::CellKey> keys = KeysOf(surface);
    if (keys.empty()) continue;
    predicted.emplace(surface.name(), PredictFromCatalog(keys, options));
  }
  std::vector<BarResult> results;
  for (const AccuracyBar& bar : AccuracyBars()) {
    const auto surface = by_name.find(bar.surface);
    const auto ours = predicted.find(bar.surface);
    if (surface == by_name.end() || ours == predicted.end()) {
      return absl::NotFoundError(
          absl::StrCat("no published surface ", bar.surface,
                       " with figures for the bar \"", bar.name, "\""));
    }
    if (!ours->second.ok()) {
      BarResult result;
      result.missing = static_cast<int>(CellsOf(bar, *surface->second).size());
      result.missing_reason = std::string(ours->second.status().message());
      results.push_back(std::move(result));
      continue;
    }
    results.push_back(Judge(bar, *surface->second, {*ours->second}));
  }
  return results;
}

}  // namespace tilebound::model
