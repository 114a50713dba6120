#include "validate/compare.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "validate/axes.h"
#include "validate/compare_cell.h"

namespace tilebound::validate {
namespace {

// The values that each axis takes on one side, baselines apart. Collected when
// the first cell asks: most reports have none that does.
class AxisValues {
 public:
  explicit AxisValues(const std::vector<Input>& inputs) : inputs_(inputs) {}

  // What keeps `key` from having a counterpart on this side.
  std::string WhyAbsent(const pb::CellKey& key, absl::string_view side) {
    Collect();
    if (values_.empty()) return absl::StrCat("no cell is ", side);
    for (const Axis& axis : Axes()) {
      const std::string value = AxisText(axis, key);
      const std::set<std::string>& known = values_.at(axis.name);
      if (known.count(value) == 1) continue;
      return absl::StrCat(axis.name, "=", value, " is not ", side, "; ",
                          known.size() > 8
                              ? absl::StrCat(known.size(), " others are")
                              : absl::StrJoin(known, ", "));
    }
    return absl::StrCat("this combination of values is not ", side);
  }

 private:
  void Collect() {
    if (std::exchange(collected_, true)) return;
    for (const Input& input : inputs_) {
      if (IsBaseline(input.surface)) continue;
      for (const pb::Cell& cell : input.surface.cells()) {
        for (const Axis& axis : Axes()) {
          values_[axis.name].insert(AxisText(axis, cell.key()));
        }
      }
    }
  }

  const std::vector<Input>& inputs_;
  bool collected_ = false;
  std::map<std::string, std::set<std::string>> values_;
};

std::vector<MetricDistance> DistancesOf(const pb::Cell& predicted,
                                        const pb::Cell& measured) {
  std::vector<MetricDistance> distances;
  for (const pb::Metric& m : measured.metrics()) {
    if (!m.has_histogram()) continue;
    for (const pb::Metric& p : predicted.metrics()) {
      if (p.name() != m.name() || p.slot() != m.slot() || !p.has_histogram()) {
        continue;
      }
      const auto a = Histogram::FromProto(p.histogram());
      const auto b = Histogram::FromProto(m.histogram());
      if (!a.ok() || !b.ok() || a->count() == 0 || b->count() == 0) continue;
      distances.push_back(
          {FindMetricInfo(m.name()), m.slot(), Distance(*a, *b)});
    }
  }
  return distances;
}

struct Place {
  size_t input;
  int cell;
};

}  // namespace

Comparisons CompareSurfaces(const std::vector<Input>& predicted,
                            const std::vector<Input>& measured,
                            const pb::Tolerances& tolerances) {
  absl::flat_hash_map<std::string, std::vector<Place>> places;
  AxisValues predicted_values(predicted), measured_values(measured);
  for (size_t i = 0; i < predicted.size(); ++i) {
    const pb::Surface& surface = predicted[i].surface;
    for (int c = 0; c < surface.cells_size(); ++c) {
      places[Fingerprint(surface.cells(c).key())].push_back({i, c});
    }
  }

  Comparisons result;
  CellComparer comparer(tolerances);
  absl::flat_hash_set<std::string> seen;
  for (size_t m = 0; m < measured.size(); ++m) {
    const pb::Surface& surface = measured[m].surface;
    for (int c = 0; c < surface.cells_size(); ++c) {
      const pb::Cell& cell = surface.cells(c);
      std::string fingerprint = Fingerprint(cell.key());
      bool has_prediction = false;
      if (const auto at = places.find(fingerprint); at != places.end()) {
        for (const Place& place : at->second) {
          const pb::Surface& other = predicted[place.input].surface;
          has_prediction = has_prediction || !IsBaseline(other);
          result.cells.push_back(
              {cell.key(), place.input, place.cell, m, c,
               comparer.Compare(other.cells(place.cell), other.conditions(),
                                cell, surface.conditions()),
               DistancesOf(other.cells(place.cell), cell)});
        }
      }
      if (!has_prediction) {
        result.one_sided.push_back(
            {Side::kMeasured, m, cell.key(),
             predicted_values.WhyAbsent(cell.key(), "predicted")});
      }
      seen.insert(std::move(fingerprint));
    }
  }
  for (size_t p = 0; p < predicted.size(); ++p) {
    if (IsBaseline(predicted[p].surface)) continue;
    for (const pb::Cell& cell : predicted[p].surface.cells()) {
      if (seen.contains(Fingerprint(cell.key()))) continue;
      result.one_sided.push_back(
          {Side::kPredicted, p, cell.key(),
           measured_values.WhyAbsent(cell.key(), "measured")});
    }
  }
  return result;
}

}  // namespace tilebound::validate
