#include "model/missing_metrics.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tilebound::model {
namespace {

struct Missing {
  std::string reason;
  std::vector<std::string> metrics;
  std::set<int> cells;
};

}  // namespace

std::vector<std::string> MissingMetrics(const pb::Surface& surface) {
  std::vector<Missing> all;
  for (int i = 0; i < surface.cells_size(); ++i) {
    for (const pb::Metric& metric : surface.cells(i).metrics()) {
      if (metric.status() != pb::Metric::NOT_MODELLED) continue;
      auto it = std::find_if(all.begin(), all.end(), [&](const Missing& m) {
        return m.reason == metric.reason();
      });
      if (it == all.end())
        it = all.insert(all.end(), {metric.reason(), {}, {}});
      if (std::find(it->metrics.begin(), it->metrics.end(), metric.name()) ==
          it->metrics.end()) {
        it->metrics.push_back(metric.name());
      }
      it->cells.insert(i);
    }
  }
  std::vector<std::string> lines;
  for (const Missing& missing : all) {
    lines.push_back(absl::StrCat(
        absl::StrJoin(missing.metrics, ", "), " of ", missing.cells.size(),
        " of ", surface.cells_size(), " cells: ", missing.reason));
  }
  return lines;
}

}  // namespace tilebound::model
