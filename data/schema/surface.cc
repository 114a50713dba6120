#include "data/schema/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/message_differencer.h"

namespace tilebound {
namespace {

using google::protobuf::util::MessageDifferencer;

absl::Status ValidateCell(const pb::Cell& cell) {
  TILEBOUND_RETURN_IF_ERROR(ValidateCellKey(cell.key()));
  absl::flat_hash_set<std::string> names;
  for (const pb::Metric& metric : cell.metrics()) {
    TILEBOUND_RETURN_IF_ERROR(ValidateMetric(metric));
    if (!names.insert(absl::StrCat(metric.name(), "/", metric.slot())).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("metric ", metric.name(),
                       " occurs twice; one per name and slot is "
                       "accepted"));
    }
  }
  return absl::OkStatus();
}

absl::Status MergeMetric(const pb::Metric& from, pb::Metric& into) {
  const bool both = from.has_histogram() && into.has_histogram();
  pb::Metric left = from, right = into;
  if (both) {
    for (pb::Metric* metric : {&left, &right}) {
      metric->clear_histogram();
      metric->clear_n();
    }
  }
  if (!MessageDifferencer::Equals(left, right)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "metric ", from.name(),
        " differs between shards: ", left.ShortDebugString(), " against ",
        right.ShortDebugString(), "; only histograms can be merged"));
  }
  if (!both) return absl::OkStatus();
  TILEBOUND_ASSIGN_OR_RETURN(Histogram sum,
                             Histogram::FromProto(into.histogram()));
  TILEBOUND_ASSIGN_OR_RETURN(const Histogram more,
                             Histogram::FromProto(from.histogram()));
  TILEBOUND_RETURN_IF_ERROR(sum.Merge(more));
  *into.mutable_histogram() = sum.ToProto();
  into.set_n(sum.count());
  return absl::OkStatus();
}

// "" if equal, else the first condition that is not, with both values.
std::string DifferentCondition(const pb::Surface& shard,
                               const pb::Surface& first) {
  if (shard.provenance().kind() != first.provenance().kind()) {
    return absl::StrCat("provenance.kind is ",
                        pb::Provenance::Kind_Name(shard.provenance().kind()),
                        ", the first shard's is ",
                        pb::Provenance::Kind_Name(first.provenance().kind()));
  }
  const auto* type = pb::Conditions::descriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const auto text = [&](const pb::Surface& surface) {
      std::string value;
      google::protobuf::TextFormat::PrintFieldValueToString(
          surface.conditions(), type->field(i), -1, &value);
      return value;
    };
    if (text(shard) != text(first)) {
      return absl::StrCat("conditions.", type->field(i)->name(), " is ",
                          text(shard), ", the first shard's is ", text(first));
    }
  }
  return "";
}

absl::Status MergeCell(const pb::Cell& from, pb::Cell& into) {
  for (const pb::Metric& metric : from.metrics()) {
    pb::Metric* match = nullptr;
    for (pb::Metric& candidate : *into.mutable_metrics()) {
      if (candidate.name() == metric.name() &&
          candidate.slot() == metric.slot()) {
        match = &candidate;
      }
    }
    if (match == nullptr) {
      *into.add_metrics() = metric;
    } else {
      TILEBOUND_RETURN_IF_ERROR(MergeMetric(metric, *match));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateSurface(const pb::Surface& surface) {
  const pb::Provenance& provenance = surface.provenance();
  if (provenance.kind() == pb::Provenance::KIND_UNSPECIFIED ||
      !pb::Provenance::Kind_IsValid(provenance.kind())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "surface.provenance.kind is ",
        provenance.kind() == 0 ? "not set"
                               : absl::StrCat("number ", provenance.kind()),
        "; accepted are PREDICTED, MEASURED, PUBLISHED"));
  }
  if (provenance.kind() == pb::Provenance::PUBLISHED &&
      provenance.citation().empty()) {
    return absl::InvalidArgumentError(
        "surface.provenance.citation is empty; a PUBLISHED surface says whose "
        "measurement it is");
  }
  if (!(surface.conditions().sm_clock_mhz() >= 0) ||
      !std::isfinite(surface.conditions().sm_clock_mhz())) {
    return absl::InvalidArgumentError(
        absl::StrCat("surface.conditions.sm_clock_mhz is ",
                     surface.conditions().sm_clock_mhz(),
                     "; a number of at least 0 is accepted (0: not known)"));
  }
  absl::flat_hash_set<std::string> keys;
  for (int i = 0; i < surface.cells_size(); ++i) {
    const pb::Cell& cell = surface.cells(i);
    const absl::Status valid = ValidateCell(cell);
    const std::string text = CanonicalText(cell.key());
    if (!valid.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "surface.cells[", i, "] (", text, "): ", valid.message()));
    }
    if (!keys.insert(text).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("surface.cells[", i,
                       "] has a key that an earlier cell "
                       "has too: ",
                       text));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<pb::Surface> MergeSurfaces(
    const std::vector<pb::Surface>& shards) {
  if (shards.empty()) return absl::InvalidArgumentError("no shards to merge");
  pb::Surface merged = shards[0];
  std::map<pb::CellKey, pb::Cell, decltype(&CellKeyLess)> cells(&CellKeyLess);
  std::set<std::pair<std::string, uint64_t>> drawn;
  for (size_t i = 0; i < shards.size(); ++i) {
    const pb::Surface& shard = shards[i];
    const std::string different = DifferentCondition(shard, shards[0]);
    if (!different.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("shard ", i + 1, ": ", different,
                       "; shards of one surface have the same"));
    }
    for (const pb::Cell& cell : shard.cells()) {
      const auto [at, fresh] = cells.try_emplace(cell.key(), cell);
      if (shard.provenance().kind() == pb::Provenance::PREDICTED &&
          !drawn.insert({CanonicalText(cell.key()), shard.provenance().seed()})
               .second) {
        return absl::InvalidArgumentError(
            absl::StrCat("shard ", i + 1, " predicts a cell from seed ",
                         shard.provenance().seed(),
                         " that an earlier shard predicts from it too: ",
                         CanonicalText(cell.key()),
                         "; the same events would count twice, so other seeds "
                         "or other cells "
                         "are accepted"));
      }
      if (fresh) continue;
      const absl::Status joined = MergeCell(cell, at->second);
      if (!joined.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("shard ", i + 1, ", cell ", CanonicalText(cell.key()),
                         ": ", joined.message()));
      }
    }
  }
  merged.clear_cells();
  for (auto& [key, cell] : cells) *merged.add_cells() = std::move(cell);
  return merged;
}

}  // namespace tilebound
