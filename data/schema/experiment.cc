#include "data/schema/experiment.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"

namespace tilebound {
namespace {

using Strings = google::protobuf::RepeatedPtrField<std::string>;

constexpr size_t kMostValues = 1'000'000;

absl::Status Refuse(absl::string_view axis, absl::string_view entry,
                    absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(
      axis, "=", entry, ": ", why,
      "; accepted are whole numbers, FIRST:LAST and FIRST:LAST:STEP"));
}

// The keys so far, each taken once for every value of the next axis.
class Product {
 public:
  explicit Product(pb::CellKey start) : keys_{std::move(start)} {}

  // `set` puts one value into a key; it may depend on the key's earlier fields.
  template <typename Value, typename Set>
  absl::Status Times(const std::vector<Value>& values, Set set) {
    if (keys_.size() * values.size() > kMostValues) {
      return absl::InvalidArgumentError(
          absl::StrCat("the axes span over ", kMostValues,
                       " cells; split them over several commands"));
    }
    std::vector<pb::CellKey> next;
    next.reserve(keys_.size() * values.size());
    for (const pb::CellKey& key : keys_) {
      for (const Value& value : values) {
        next.push_back(key);
        TILEBOUND_RETURN_IF_ERROR(set(next.back(), value));
      }
    }
    keys_ = std::move(next);
    return absl::OkStatus();
  }

  std::vector<pb::CellKey>& keys() { return keys_; }

 private:
  std::vector<pb::CellKey> keys_;
};

absl::StatusOr<std::vector<uint32_t>> Numbers(absl::string_view axis,
                                              const Strings& entries,
                                              uint32_t fallback) {
  if (entries.empty()) return std::vector<uint32_t>{fallback};
  std::vector<uint32_t> numbers;
  for (const std::string& entry : entries) {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<uint32_t> more,
                               ExpandRange(axis, entry));
    numbers.insert(numbers.end(), more.begin(), more.end());
  }
  return numbers;
}

absl::StatusOr<std::vector<std::string>> Words(absl::string_view axis,
                                               const Strings& entries,
                                               const std::string& fallback) {
  if (entries.empty()) {
    if (!fallback.empty()) return std::vector<std::string>{fallback};
    return absl::InvalidArgumentError(
        absl::StrCat(axis, " is not given and has no default"));
  }
  for (const std::string& entry : entries) {
    if (entry.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(axis,
                       " has an empty entry; give a value or leave the "
                       "entry out"));
    }
  }
  return std::vector<std::string>(entries.begin(), entries.end());
}

// Entries that need the part and kernel stay words; ranges become numbers.
absl::StatusOr<std::vector<std::string>> BlocksEntries(const Strings& entries) {
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<std::string> words,
                             Words("blocks", entries, ""));
  std::vector<std::string> expanded;
  for (const std::string& word : words) {
    if (word == "saturation" || word == "1persm") {
      expanded.push_back(word);
      continue;
    }
    const auto numbers = ExpandRange("blocks", word);
    if (!numbers.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          numbers.status().message(), ", and the words saturation and 1persm"));
    }
    for (uint32_t number : *numbers) expanded.push_back(absl::StrCat(number));
  }
  return expanded;
}

}  // namespace

absl::StatusOr<std::vector<uint32_t>> ExpandRange(absl::string_view axis,
                                                  absl::string_view entry) {
  const std::vector<absl::string_view> parts = absl::StrSplit(entry, ':');
  std::vector<uint32_t> bounds;
  for (absl::string_view part : parts) {
    uint32_t number = 0;
    if (!absl::SimpleAtoi(part, &number)) {
      return Refuse(axis, entry,
                    absl::StrCat("\"", part,
                                 "\" is not a whole number up to 4294967295"));
    }
    bounds.push_back(number);
  }
  if (bounds.size() > 3) return Refuse(axis, entry, "too many ':'");
  const uint32_t first = bounds[0];
  const uint32_t last = bounds.size() > 1 ? bounds[1] : first;
  const uint32_t step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) return Refuse(axis, entry, "a step of 0 never ends");
  if (last < first) return Refuse(axis, entry, "the range is reversed");
  if ((last - first) / step >= kMostValues) {
    return Refuse(axis, entry, "over a million values");
  }
  std::vector<uint32_t> values;
  for (uint64_t value = first; value <= last; value += step) {
    values.push_back(static_cast<uint32_t>(value));
  }
  return values;
}

absl::StatusOr<std::vector<pb::CellKey>> ExpandExperiment(
    const pb::Experiment& experiment, const NameResolvers& resolvers) {
  const pb::CellKey start = DefaultCellKey();
  Product product(start);
  using Key = pb::CellKey;
  const auto words = [&](absl::string_view axis, const Strings& entries,
                         const std::string& fallback,
                         auto set) -> absl::Status {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<std::string> values,
                               Words(axis, entries, fallback));
    return product.Times(values, set);
  };
  const auto numbers = [&](absl::string_view axis, const Strings& entries,
                           uint32_t fallback,
                           void (Key::*set)(uint32_t)) -> absl::Status {
    TILEBOUND_ASSIGN_OR_RETURN(const std::vector<uint32_t> values,
                               Numbers(axis, entries, fallback));
    return product.Times(values, [set](Key& key, uint32_t value) {
      (key.*set)(value);
      return absl::OkStatus();
    });
  };

  // Outermost first: the order in which tables list the cells. Blocks come
  // after part and kernel, which give words like "saturation" their meaning.
  TILEBOUND_RETURN_IF_ERROR(words("part", experiment.part(), "",
                                  [](Key& key, const std::string& word) {
                                    key.set_part(word);
                                    return absl::OkStatus();
                                  }));
  TILEBOUND_RETURN_IF_ERROR(words("kernel", experiment.kernel(), "",
                                  [](Key& key, const std::string& word) {
                                    key.set_kernel(word);
                                    return absl::OkStatus();
                                  }));
  if (experiment.k().empty()) {
    return absl::InvalidArgumentError("k is not given and has no default");
  }
  TILEBOUND_RETURN_IF_ERROR(numbers("k", experiment.k(), 0, &Key::set_k));
  TILEBOUND_RETURN_IF_ERROR(
      words("site", experiment.site(), SiteName(start.site()),
            [](Key& key, const std::string& word) -> absl::Status {
              TILEBOUND_ASSIGN_OR_RETURN(pb::Site site, ParseSite(word));
              key.set_site(site);
              return absl::OkStatus();
            }));
  TILEBOUND_RETURN_IF_ERROR(words("variant", experiment.variant(),
                                  start.variant(),
                                  [](Key& key, const std::string& word) {
                                    key.set_variant(word);
                                    return absl::OkStatus();
                                  }));
  TILEBOUND_RETURN_IF_ERROR(words(
      "discipline", experiment.discipline(), DisciplineName(start.discipline()),
      [](Key& key, const std::string& word) -> absl::Status {
        TILEBOUND_ASSIGN_OR_RETURN(pb::Discipline discipline,
                                   ParseDiscipline(word));
        key.set_discipline(discipline);
        return absl::OkStatus();
      }));
  TILEBOUND_RETURN_IF_ERROR(
      words("arm", experiment.arm(), ArmName(start.arm()),
            [](Key& key, const std::string& word) -> absl::Status {
              TILEBOUND_ASSIGN_OR_RETURN(pb::Arm arm, ParseArm(word));
              key.set_arm(arm);
              return absl::OkStatus();
            }));
  TILEBOUND_RETURN_IF_ERROR(numbers("reserve", experiment.reserve(),
                                    start.reserve(), &Key::set_reserve));
  TILEBOUND_RETURN_IF_ERROR(numbers("urgent_tiles", experiment.urgent_tiles(),
                                    start.urgent_tiles(),
                                    &Key::set_urgent_tiles));
  TILEBOUND_RETURN_IF_ERROR(
      words("setter", experiment.setter(), SetterName(start.setter()),
            [](Key& key, const std::string& word) -> absl::Status {
              TILEBOUND_ASSIGN_OR_RETURN(pb::Setter setter, ParseSetter(word));
              key.set_setter(setter);
              return absl::OkStatus();
            }));
  TILEBOUND_RETURN_IF_ERROR(words(
      "arrivals", experiment.arrivals(), ArrivalsText(start.arrivals()),
      [](Key& key, const std::string& word) -> absl::Status {
        TILEBOUND_ASSIGN_OR_RETURN(pb::Arrivals arrivals, ParseArrivals(word));
        *key.mutable_arrivals() = arrivals;
        return absl::OkStatus();
      }));
  TILEBOUND_ASSIGN_OR_RETURN(const std::vector<std::string> blocks,
                             BlocksEntries(experiment.blocks()));
  TILEBOUND_RETURN_IF_ERROR(product.Times(
      blocks, [&](Key& key, const std::string& word) -> absl::Status {
        uint32_t number = 0;
        if (!absl::SimpleAtoi(word, &number)) {
          TILEBOUND_ASSIGN_OR_RETURN(
              number, resolvers.blocks(key.part(), key.kernel(), word));
        }
        key.set_blocks(number);
        return absl::OkStatus();
      }));
  TILEBOUND_RETURN_IF_ERROR(
      numbers("period", experiment.period(), start.period(), &Key::set_period));

  std::vector<pb::CellKey> keys;
  absl::flat_hash_set<std::string> seen;
  for (pb::CellKey& key : product.keys()) {
    TILEBOUND_ASSIGN_OR_RETURN(*key.mutable_part(), resolvers.part(key.part()));
    TILEBOUND_ASSIGN_OR_RETURN(*key.mutable_kernel(),
                               resolvers.kernel(key.kernel()));
    TILEBOUND_RETURN_IF_ERROR(ValidateCellKey(key));
    if (seen.insert(CanonicalText(key)).second) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace tilebound
