#include "validate/hypotheses.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/table.h"
#include "data/schema/cell_key.h"
#include "validate/axes.h"

namespace tilebound::validate {
namespace {

std::optional<double> ValueOf(const pb::Metric& metric, double q) {
  return q == 0 ? MetricScalar(metric) : MetricQuantile(metric, q);
}

// Finds the measured value of a metric in the cell of a given key and surface.
class MeasuredCells {
 public:
  explicit MeasuredCells(const std::vector<Input>& inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      for (const pb::Cell& cell : inputs[i].surface.cells()) {
        cells_[{i, CanonicalText(cell.key())}] = &cell;
      }
    }
  }

  std::optional<double> Value(size_t input, const pb::CellKey& key,
                              const pb::Clause& clause) const {
    const auto at = cells_.find({input, CanonicalText(key)});
    if (at == cells_.end()) return std::nullopt;
    const pb::Metric* metric = FindMetric(*at->second, clause.metric());
    return metric == nullptr ? std::nullopt : ValueOf(*metric, clause.q());
  }

 private:
  std::map<std::pair<size_t, std::string>, const pb::Cell*> cells_;
};

// `key` with the axis set to what a flag would say; nothing if it cannot be.
std::optional<pb::CellKey> WithAxis(pb::CellKey key,
                                    const pb::AxisFilter& change) {
  const auto* field = pb::CellKey::descriptor()->FindFieldByName(change.axis());
  const std::string& value = change.value(0);
  const auto* reflection = key.GetReflection();
  using Field = google::protobuf::FieldDescriptor;
  if (field->cpp_type() == Field::CPPTYPE_UINT32) {
    uint32_t number;
    if (!absl::SimpleAtoi(value, &number)) return std::nullopt;
    reflection->SetUInt32(&key, field, number);
  } else if (field->cpp_type() == Field::CPPTYPE_STRING) {
    reflection->SetString(&key, field, value);
  } else if (field->cpp_type() == Field::CPPTYPE_ENUM) {
    // Enum values are the flag's words in capitals.
    for (int i = 0; i < field->enum_type()->value_count(); ++i) {
      const auto* candidate = field->enum_type()->value(i);
      if (absl::EqualsIgnoreCase(candidate->name(), value)) {
        reflection->SetEnum(&key, field, candidate);
        return key;
      }
    }
    return std::nullopt;
  } else {
    return std::nullopt;
  }
  return key;
}

std::optional<double> ScaledValue(const pb::Clause& clause,
                                  const pb::Metric& metric, size_t input,
                                  const pb::Cell& cell,
                                  const pb::Conditions& conditions,
                                  const MeasuredCells& cells) {
  const std::optional<double> value = ValueOf(metric, clause.q());
  if (!value) return std::nullopt;
  switch (clause.scale()) {
    case pb::Clause::QUANTA: {
      uint64_t quantum_ps = conditions.timer_quantum_ps();
      if (metric.has_histogram()) quantum_ps = metric.histogram().quantum_ps();
      if (quantum_ps == 0) return std::nullopt;
      return *value * 1e6 / static_cast<double>(quantum_ps);
    }
    case pb::Clause::SHARE_OF_EVENTS:
      if (metric.n() == 0) return std::nullopt;
      return *value / static_cast<double>(metric.n());
    case pb::Clause::EVENTS:
      if (metric.n() == 0) return std::nullopt;
      return static_cast<double>(metric.n() + conditions.warmup_events());
    case pb::Clause::RATIO: {
      std::optional<pb::CellKey> other = cell.key();
      for (const pb::AxisFilter& change : clause.relative_to()) {
        if (other) other = WithAxis(*other, change);
      }
      if (!other) return std::nullopt;
      const auto divisor = cells.Value(input, *other, clause);
      if (!divisor || *divisor == 0) return std::nullopt;
      return *value / *divisor;
    }
    default:
      return value;
  }
}

// A quantum or a percentage that went through a decimal is off in its last
// bits; a threshold is meant to be met by a value that equals it.
bool Satisfies(const pb::Clause& clause, double value) {
  const double slack = 1e-9 * std::max(1.0, std::abs(clause.threshold()));
  switch (clause.relation()) {
    case pb::Clause::AT_MOST:
      return value <= clause.threshold() + slack;
    case pb::Clause::AT_LEAST:
      return value >= clause.threshold() - slack;
    case pb::Clause::BELOW:
      return value < clause.threshold() - slack;
    case pb::Clause::ABOVE:
      return value > clause.threshold() + slack;
    default:
      return false;
  }
}

bool WantsLow(const pb::Clause& clause) {
  return clause.relation() == pb::Clause::AT_MOST ||
         clause.relation() == pb::Clause::BELOW;
}

ClauseResult DecideClause(const pb::Clause& clause,
                          const std::vector<Input>& measured,
                          const MeasuredCells& cells) {
  ClauseResult result;
  result.text = ClauseText(clause);
  const bool some = clause.quantifier() == pb::Clause::SOME;
  for (size_t i = 0; i < measured.size(); ++i) {
    const pb::Surface& surface = measured[i].surface;
    for (const pb::Cell& cell : surface.cells()) {
      const bool matches =
          std::all_of(clause.where().begin(), clause.where().end(),
                      [&](const pb::AxisFilter& filter) {
                        return Matches(filter, cell.key());
                      });
      if (!matches) continue;
      const pb::Metric* metric = FindMetric(cell, clause.metric());
      if (metric == nullptr) continue;
      const auto value =
          ScaledValue(clause, *metric, i, cell, surface.conditions(), cells);
      if (!value) continue;
      ++result.tested;
      if (Satisfies(clause, *value)) ++result.satisfied;
      // EVERY is decided by the worst value, SOME by the best.
      const bool wants_low = WantsLow(clause) == some;
      if (!result.evidence || (wants_low ? *value < result.evidence->value
                                         : *value > result.evidence->value)) {
        result.evidence = Evidence{*value, i, cell.key(), metric->n(),
                                   !metric->soft_reason().empty()};
      }
    }
  }
  if (result.tested == 0) return result;
  const bool holds =
      some ? result.satisfied > 0 : result.satisfied == result.tested;
  result.outcome = holds ? Outcome::kHolds : Outcome::kFails;
  return result;
}

Outcome Combine(const pb::Hypothesis& hypothesis,
                const std::vector<ClauseResult>& clauses) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(
        clauses.begin(), clauses.end(),
        [&](const ClauseResult& clause) { return clause.outcome == outcome; });
  };
  const bool all = hypothesis.combination() == pb::Hypothesis::ALL;
  const Outcome decisive = all ? Outcome::kFails : Outcome::kHolds;
  if (any(decisive)) return decisive;
  if (any(Outcome::kUntested)) return Outcome::kUntested;
  return all ? Outcome::kHolds : Outcome::kFails;
}

std::string RelationText(pb::Clause::Relation relation) {
  switch (relation) {
    case pb::Clause::AT_MOST:
      return "<=";
    case pb::Clause::AT_LEAST:
      return ">=";
    case pb::Clause::BELOW:
      return "<";
    default:
      return ">";
  }
}

}  // namespace

std::string OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kHolds:
      return "HOLDS";
    case Outcome::kFails:
      return "FAILS";
    case Outcome::kUntested:
      break;
  }
  return "UNTESTED";
}

bool HypothesisResult::Welcome() const {
  return outcome ==
         (hypothesis.falsifier() ? Outcome::kFails : Outcome::kHolds);
}

bool Matches(const pb::AxisFilter& filter, const pb::CellKey& key) {
  const Axis* axis = FindAxis(filter.axis());
  if (axis == nullptr) return false;
  const TableValue value = axis->value(key);
  for (const std::string& accepted : filter.value()) {
    if (accepted == AxisText(*axis, key)) return true;
    const auto* number = std::get_if<uint64_t>(&value);
    const size_t colon = accepted.find(':');
    uint64_t low, high;
    if (number != nullptr && colon != std::string::npos &&
        absl::SimpleAtoi(accepted.substr(0, colon), &low) &&
        absl::SimpleAtoi(accepted.substr(colon + 1), &high) && low <= *number &&
        *number <= high) {
      return true;
    }
  }
  return false;
}

std::string ClauseText(const pb::Clause& clause) {
  std::string text = clause.metric();
  if (clause.q() > 0) absl::StrAppend(&text, " ", QuantileName(clause.q()));
  const MetricInfo* info = FindMetricInfo(clause.metric());
  std::string unit = info == nullptr ? "" : info->unit;
  switch (clause.scale()) {
    case pb::Clause::QUANTA:
      unit = "quanta";
      break;
    case pb::Clause::SHARE_OF_EVENTS:
      unit = "of the events";
      break;
    case pb::Clause::EVENTS:
      absl::StrAppend(&text, " events");
      unit = "";
      break;
    case pb::Clause::RATIO: {
      std::vector<std::string> axes;
      for (const pb::AxisFilter& filter : clause.relative_to()) {
        axes.push_back(absl::StrCat(filter.axis(), "=", filter.value(0)));
      }
      unit = absl::StrCat("times that of ", absl::StrJoin(axes, " "));
      break;
    }
    default:
      break;
  }
  absl::StrAppend(&text, " ", RelationText(clause.relation()), " ",
                  ShortestDouble(clause.threshold()));
  if (!unit.empty() && unit != "1") absl::StrAppend(&text, " ", unit);
  absl::StrAppend(&text, clause.quantifier() == pb::Clause::SOME
                             ? " in some cell"
                             : " in every cell");
  for (int i = 0; i < clause.where_size(); ++i) {
    absl::StrAppend(&text, i == 0 ? " with " : " ", clause.where(i).axis(), "=",
                    absl::StrJoin(clause.where(i).value(), ","));
  }
  return text;
}

std::vector<HypothesisResult> Decide(const pb::Hypotheses& hypotheses,
                                     const std::vector<Input>& measured) {
  const MeasuredCells cells(measured);
  std::vector<HypothesisResult> results;
  for (const pb::Hypothesis& hypothesis : hypotheses.hypothesis()) {
    HypothesisResult result;
    result.hypothesis = hypothesis;
    for (const pb::Clause& clause : hypothesis.clause()) {
      result.clauses.push_back(DecideClause(clause, measured, cells));
    }
    result.outcome = Combine(hypothesis, result.clauses);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace tilebound::validate
