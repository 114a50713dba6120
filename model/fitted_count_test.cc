// How many numbers were fitted in all: everything that the calibrations of the
// catalog hold, whatever part and kernel they are for. A value that was carried
// over from another calibration stands among the declared ones, with that
// source, and was counted there.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/schema/calibration.h"
#include "data/schema/catalog.h"
#include "gtest/gtest.h"

namespace tilebound::model {
namespace {

struct Fitted {
  std::string name;
  std::set<std::string> from;
};

std::vector<Fitted> FittedValues(const Catalog& catalog) {
  std::vector<Fitted> all;
  for (const std::string& file : catalog.CalibrationNames()) {
    const size_t dot = file.find('.');
    const auto calibration =
        catalog.FindCalibration(file.substr(0, dot), file.substr(dot + 1));
    EXPECT_TRUE(calibration.ok()) << calibration.status();
    for (const pb::CalibrationValue& value : calibration->fitted()) {
      all.push_back({absl::StrCat(file, " ", value.quantity()),
                     {value.fitted_from().begin(), value.fitted_from().end()}});
    }
  }
  return all;
}

bool Meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& item) { return b.count(item); });
}

// Values that rest on common observations are as many numbers as there are
// observations, if those are fewer: two latencies in a fixed ratio are one.
size_t IndependentNumbers(const std::vector<Fitted>& values) {
  std::vector<std::pair<size_t, std::set<std::string>>> groups;
  for (const Fitted& value : values) {
    std::pair<size_t, std::set<std::string>> joined = {1, value.from};
    for (auto it = groups.begin(); it != groups.end();) {
      if (!Meet(it->second, joined.second)) {
        ++it;
        continue;
      }
      joined.first += it->first;
      joined.second.insert(it->second.begin(), it->second.end());
      it = groups.erase(it);
    }
    groups.push_back(std::move(joined));
  }
  size_t count = 0;
  for (const auto& [members, from] : groups) {
    count += std::min(members, from.size());
  }
  return count;
}

TEST(FittedCount, TwoValuesOfOneObservationAreOneNumber) {
  EXPECT_EQ(IndependentNumbers({{"a", {"x"}}, {"b", {"x"}}}), 1u);
  EXPECT_EQ(
      IndependentNumbers({{"a", {"x", "y", "z"}}, {"b", {"x", "y", "z"}}}), 2u);
  EXPECT_EQ(IndependentNumbers({{"a", {"x"}}, {"b", {"y"}}, {"c", {"x", "y"}}}),
            2u);
}

TEST(FittedCount, IsAtMostEightOverTheWholeCatalog) {
  const std::vector<Fitted> values = FittedValues(*Catalog::Open());
  std::string list;
  for (const Fitted& value : values) absl::StrAppend(&list, value.name, "\n");
  EXPECT_LE(IndependentNumbers(values), 8u) << list;
  // Of a catalog without calibrations nothing would be shown.
  EXPECT_GE(values.size(), 8u) << list;
}

// Each is one of the few that the project allows itself: tile times, throughput, one handoff, one overhead
// and one reserved launch. tile_wall serves the iid baseline only.
TEST(FittedCount, EveryObservationOfEveryRecipeIsOneOfTheAllowed) {
  const auto catalog = Catalog::Open();
  EXPECT_GE(catalog->RecipeNames().size(), 5u);
  for (const std::string& name : catalog->RecipeNames()) {
    const auto recipe = catalog->FindRecipe(name);
    ASSERT_TRUE(recipe.ok()) << recipe.status();
    for (const pb::FitObservation& o : recipe->observations()) {
      const pb::CellKey& cell = o.cell();
      const bool allowed =
          o.metric() == "tile_time_mean" || o.metric() == "tile_wall" ||
          (o.surface() == "a10_reference" && o.metric() == "latency" &&
           o.quantile() == 0.5 && cell.blocks() == 288 && cell.period() == 1) ||
          (o.surface() == "a10_tensor128" && o.metric() == "overhead" &&
           cell.k() == 256 && cell.site() == pb::STAGE &&
           (cell.variant() == "pipelined_flag" ||
            cell.variant() == "sync_flag")) ||
          (o.surface() == "a10_pareto" && o.metric() == "e2e" &&
           cell.reserve() == 8 && cell.urgent_tiles() == 1);
      EXPECT_TRUE(allowed) << name << ": " << o.ShortDebugString();
    }
  }
}

}  // namespace
}  // namespace tilebound::model
