#include "data/schema/surface.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/schema/histogram.h"
#include "data/schema/metric.h"
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
      return absl::InvalidArgumentError(absl::StrCat(
          "metric ", metric.name(), " occurs twice; one per name and slot is "
          "accepted"));
    }
  }
  return absl::OkStatus();
}

absl::Status MergeMetric(const pb::Metric& from, pb::Metric& into) {
  if (!from.has_histogram() || !into.has_histogram()) {
    if (MessageDifferencer::Equals(from, into)) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "metric ", from.name(),
        " differs between shards; only histograms can be merged"));
  }
  TILEBOUND_ASSIGN_OR_RETURN(Histogram sum,
                             Histogram::FromProto(into.histogram()));
  TILEBOUND_ASSIGN_OR_RETURN(const Histogram more,
                             Histogram::FromProto(from.histogram()));
  TILEBOUND_RETURN_IF_ERROR(sum.Merge(more));
  *into.mutable_histogram() = sum.ToProto();
  into.set_n(sum.count());
  return absl::OkStatus();
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
  if (provenance.kind() == pb::Provenance::KIND_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        "surface.provenance.kind is not set; accepted are PREDICTED, MEASURED, "
        "PUBLISHED");
  }
  if (provenance.kind() == pb::Provenance::PUBLISHED &&
      provenance.citation().empty()) {
    return absl::InvalidArgumentError(
        "surface.provenance.citation is empty; a PUBLISHED surface says whose "
        "measurement it is");
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
          absl::StrCat("surface.cells[", i, "] has a key that an earlier cell "
                       "has too: ", text));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<pb::Surface> MergeSurfaces(
    const std::vector<pb::Surface>& shards) {
  if (shards.empty()) return absl::InvalidArgumentError("no shards to merge");
  pb::Surface merged = shards[0];
  std::map<std::string, pb::Cell> cells;
  for (size_t i = 0; i < shards.size(); ++i) {
    const pb::Surface& shard = shards[i];
    if (shard.provenance().kind() != merged.provenance().kind() ||
        !MessageDifferencer::Equals(shard.conditions(), merged.conditions())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "shard ", i + 1, " (", shard.name(),
          ") was made under other conditions than the first: ",
          shard.conditions().ShortDebugString(), " against ",
          merged.conditions().ShortDebugString()));
    }
    for (const pb::Cell& cell : shard.cells()) {
      const auto [at, fresh] = cells.try_emplace(CanonicalText(cell.key()), cell);
      if (fresh) continue;
      const absl::Status joined = MergeCell(cell, at->second);
      if (!joined.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("cell ", at->first, ": ", joined.message()));
      }
    }
  }
  merged.clear_cells();
  for (auto& [text, cell] : cells) *merged.add_cells() = std::move(cell);
  return merged;
}

}  // namespace tilebound
