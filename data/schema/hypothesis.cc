#include "data/schema/hypothesis.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/cell_key.pb.h"
#include "data/schema/metric.h"

namespace tilebound {
namespace {

absl::Status Wrong(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(field, " ", what));
}

absl::Status CheckFilter(const std::string& at, const pb::AxisFilter& filter) {
  std::vector<std::string> axes;
  const auto* key = pb::CellKey::descriptor();
  for (int i = 0; i < key->field_count(); ++i) {
    axes.push_back(key->field(i)->name());
  }
  if (key->FindFieldByName(filter.axis()) == nullptr) {
    return Wrong(absl::StrCat(at, ".axis"),
                 absl::StrCat("is \"", filter.axis(), "\"",
                              DidYouMean(filter.axis(), axes),
                              "; accepted are ", absl::StrJoin(axes, ", ")));
  }
  if (filter.value().empty()) {
    return Wrong(absl::StrCat(at, ".value"),
                 "is missing; one value or more is accepted");
  }
  return absl::OkStatus();
}

absl::Status CheckClause(const std::string& at, const pb::Clause& clause) {
  if (FindMetricInfo(clause.metric()) == nullptr) {
    std::vector<std::string> names;
    for (const MetricInfo& info : MetricRegistry()) names.push_back(info.name);
    return Wrong(absl::StrCat(at, ".metric"),
                 absl::StrCat("is \"", clause.metric(), "\"",
                              DidYouMean(clause.metric(), names),
                              "; a registered metric is accepted"));
  }
  if (!(clause.q() >= 0 && clause.q() <= 1)) {
    return Wrong(absl::StrCat(at, ".q"),
                 absl::StrCat("is ", clause.q(),
                              "; a quantile in (0, 1], or 0 for a scalar, is "
                              "accepted"));
  }
  if (clause.relation() == pb::Clause::RELATION_UNSPECIFIED) {
    return Wrong(absl::StrCat(at, ".relation"),
                 "is missing; accepted are AT_MOST, AT_LEAST, BELOW, ABOVE");
  }
  if (!std::isfinite(clause.threshold())) {
    return Wrong(absl::StrCat(at, ".threshold"), "is not a finite number");
  }
  const bool ratio = clause.scale() == pb::Clause::RATIO;
  if (ratio != !clause.relative_to().empty()) {
    return Wrong(absl::StrCat(at, ".relative_to"),
                 ratio ? "is missing; scale RATIO needs the axes of the cell "
                         "to divide by"
                       : "is given, but only scale RATIO uses it");
  }
  for (int i = 0; i < clause.where_size(); ++i) {
    TILEBOUND_RETURN_IF_ERROR(
        CheckFilter(absl::StrCat(at, ".where[", i, "]"), clause.where(i)));
  }
  for (int i = 0; i < clause.relative_to_size(); ++i) {
    const std::string place = absl::StrCat(at, ".relative_to[", i, "]");
    TILEBOUND_RETURN_IF_ERROR(CheckFilter(place, clause.relative_to(i)));
    if (clause.relative_to(i).value_size() != 1) {
      return Wrong(absl::StrCat(place, ".value"),
                   "has several values; exactly one is accepted");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateHypotheses(const pb::Hypotheses& hypotheses) {
  std::set<std::string> ids;
  for (int i = 0; i < hypotheses.hypothesis_size(); ++i) {
    const pb::Hypothesis& hypothesis = hypotheses.hypothesis(i);
    std::string at = absl::StrCat("hypotheses.hypothesis[", i, "]");
    if (hypothesis.id().empty()) return Wrong(at + ".id", "is missing");
    if (!ids.insert(hypothesis.id()).second) {
      return Wrong(at + ".id", absl::StrCat("\"", hypothesis.id(),
                                            "\" occurs twice; each hypothesis "
                                            "needs its own"));
    }
    absl::StrAppend(&at, " (", hypothesis.id(), ")");
    if (hypothesis.statement().empty()) {
      return Wrong(at + ".statement", "is missing");
    }
    if (hypothesis.date().empty()) {
      return Wrong(at + ".date",
                   "is missing; when the threshold was fixed is accepted");
    }
    if (hypothesis.source().empty()) return Wrong(at + ".source", "is missing");
    if (hypothesis.clause().empty()) {
      return Wrong(at + ".clause", "is missing; one or more is accepted");
    }
    for (int c = 0; c < hypothesis.clause_size(); ++c) {
      TILEBOUND_RETURN_IF_ERROR(CheckClause(
          absl::StrCat(at, ".clause[", c, "]"), hypothesis.clause(c)));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
