#include "data/schema/cell_key.h"

#include <cmath>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/sha256.h"
#include "google/protobuf/util/message_differencer.h"

namespace tilebound {
namespace {

// Names of a proto enum in lower case, without the value 0 (unspecified).
std::vector<std::string> Words(const google::protobuf::EnumDescriptor* type) {
  std::vector<std::string> words;
  for (int i = 0; i < type->value_count(); ++i) {
    if (type->value(i)->number() == 0) continue;
    words.push_back(absl::AsciiStrToLower(type->value(i)->name()));
  }
  return words;
}

std::string Word(const google::protobuf::EnumDescriptor* type, int number) {
  const auto* value = type->FindValueByNumber(number);
  return value == nullptr || number == 0 ? "unspecified"
                                         : absl::AsciiStrToLower(value->name());
}

absl::StatusOr<int> ParseWord(const google::protobuf::EnumDescriptor* type,
                              absl::string_view word) {
  for (int i = 0; i < type->value_count(); ++i) {
    if (type->value(i)->number() != 0 &&
        absl::AsciiStrToLower(type->value(i)->name()) == word) {
      return type->value(i)->number();
    }
  }
  const std::vector<std::string> words = Words(type);
  return absl::InvalidArgumentError(absl::StrCat(
      absl::AsciiStrToLower(type->name()), " \"", word, "\" is not known",
      DidYouMean(word, words), "; accepted are ", absl::StrJoin(words, ", ")));
}

// A proto3 enum holds any number, also one that has no name here.
absl::Status CheckSet(absl::string_view field,
                      const google::protobuf::EnumDescriptor* type,
                      int number) {
  if (number != 0 && type->FindValueByNumber(number) != nullptr) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "key.", field,
      number == 0 ? " is not set" : absl::StrCat(" is number ", number),
      "; accepted are ", absl::StrJoin(Words(type), ", ")));
}

// Nanoseconds as microseconds without trailing zeros.
std::string Microseconds(uint64_t ns) {
  std::string text = absl::StrFormat("%d.%03d", ns / 1000, ns % 1000);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

absl::StatusOr<uint64_t> ParseMicroseconds(absl::string_view text) {
  double us = 0;
  if (!absl::SimpleAtod(text, &us) || !(us >= 0 && us <= 1e9)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", text, "\" is not a time in microseconds from 0 to 1e9"));
  }
  const double ns = std::round(us * 1000);
  if (std::abs(us * 1000 - ns) > 1e-3) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text, "\" has more than three decimals"));
  }
  return static_cast<uint64_t>(ns);
}

constexpr char kAcceptedArrivals[] =
    "accepted are uniform:MIN_US:MAX_US, poisson:MEAN_US, closed:UTILIZATION";

}  // namespace

pb::CellKey DefaultCellKey() {
  pb::CellKey key;
  key.set_site(pb::BOUNDARY);
  key.set_period(1);
  key.set_variant("default");
  key.set_discipline(pb::DRAIN);
  key.set_arm(pb::COOPERATIVE);
  key.set_urgent_tiles(1);
  key.set_setter(pb::DEVICE);
  key.mutable_arrivals()->set_process(pb::Arrivals::UNIFORM);
  key.mutable_arrivals()->set_min_gap_ns(150'000);
  key.mutable_arrivals()->set_max_gap_ns(400'000);
  key.set_cluster_size(1);
  return key;
}

std::string SiteName(pb::Site site) {
  return Word(pb::Site_descriptor(), site);
}
std::string DisciplineName(pb::Discipline discipline) {
  return Word(pb::Discipline_descriptor(), discipline);
}
std::string ArmName(pb::Arm arm) { return Word(pb::Arm_descriptor(), arm); }
std::string SetterName(pb::Setter setter) {
  return Word(pb::Setter_descriptor(), setter);
}

absl::StatusOr<pb::Site> ParseSite(absl::string_view word) {
  TILEBOUND_ASSIGN_OR_RETURN(int number,
                             ParseWord(pb::Site_descriptor(), word));
  return static_cast<pb::Site>(number);
}
absl::StatusOr<pb::Discipline> ParseDiscipline(absl::string_view word) {
  TILEBOUND_ASSIGN_OR_RETURN(int number,
                             ParseWord(pb::Discipline_descriptor(), word));
  return static_cast<pb::Discipline>(number);
}
absl::StatusOr<pb::Arm> ParseArm(absl::string_view word) {
  TILEBOUND_ASSIGN_OR_RETURN(int number, ParseWord(pb::Arm_descriptor(), word));
  return static_cast<pb::Arm>(number);
}
absl::StatusOr<pb::Setter> ParseSetter(absl::string_view word) {
  TILEBOUND_ASSIGN_OR_RETURN(int number,
                             ParseWord(pb::Setter_descriptor(), word));
  return static_cast<pb::Setter>(number);
}

std::string ArrivalsText(const pb::Arrivals& arrivals) {
  switch (arrivals.process()) {
    case pb::Arrivals::UNIFORM:
      return absl::StrCat("uniform:", Microseconds(arrivals.min_gap_ns()), ":",
                          Microseconds(arrivals.max_gap_ns()));
    case pb::Arrivals::POISSON:
      return absl::StrCat("poisson:", Microseconds(arrivals.mean_gap_ns()));
    case pb::Arrivals::CLOSED: {
      std::string text =
          absl::StrFormat("closed:%.6f", arrivals.utilization_ppm() * 1e-6);
      while (text.back() == '0') text.pop_back();
      return text;
    }
    default:
      return "unspecified";
  }
}

absl::StatusOr<pb::Arrivals> ParseArrivals(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  pb::Arrivals arrivals;
  const auto wrong = [&](absl::string_view why) {
    return absl::InvalidArgumentError(absl::StrCat(
        "arrivals \"", text, "\": ", why, "; ", kAcceptedArrivals));
  };
  if (parts[0] == "uniform" && parts.size() == 3) {
    const auto min = ParseMicroseconds(parts[1]);
    const auto max = ParseMicroseconds(parts[2]);
    if (!min.ok()) return wrong(min.status().message());
    if (!max.ok()) return wrong(max.status().message());
    arrivals.set_process(pb::Arrivals::UNIFORM);
    arrivals.set_min_gap_ns(*min);
    arrivals.set_max_gap_ns(*max);
    if (*min > *max) return wrong("the smallest gap is over the largest");
    return arrivals;
  }
  if (parts[0] == "poisson" && parts.size() == 2) {
    const auto mean = ParseMicroseconds(parts[1]);
    if (!mean.ok()) return wrong(mean.status().message());
    if (*mean == 0) return wrong("a mean gap over 0 is needed");
    arrivals.set_process(pb::Arrivals::POISSON);
    arrivals.set_mean_gap_ns(*mean);
    return arrivals;
  }
  if (parts[0] == "closed" && parts.size() == 2) {
    double utilization = 0;
    const bool number = absl::SimpleAtod(parts[1], &utilization);
    const double ppm = std::round(utilization * 1e6);
    if (!number || !(ppm >= 1 && ppm <= 999'999)) {
      return wrong("a utilization between 0 and 1 is needed");
    }
    arrivals.set_process(pb::Arrivals::CLOSED);
    arrivals.set_utilization_ppm(static_cast<uint32_t>(ppm));
    return arrivals;
  }
  return wrong("not understood");
}

std::string CanonicalText(const pb::CellKey& key) {
  return absl::StrCat("part=", key.part(), " kernel=", key.kernel(),
                      " k=", key.k(), " blocks=", key.blocks(),
                      " site=", SiteName(key.site()), " period=", key.period(),
                      " variant=", key.variant(),
                      " discipline=", DisciplineName(key.discipline()),
                      " arm=", ArmName(key.arm()), " reserve=", key.reserve(),
                      " urgent_tiles=", key.urgent_tiles(),
                      " setter=", SetterName(key.setter()),
                      " arrivals=", ArrivalsText(key.arrivals()),
                      " cluster_size=", key.cluster_size());
}

std::string Fingerprint(const pb::CellKey& key) {
  return Sha256Hex(CanonicalText(key)).substr(0, 16);
}

absl::Status ValidateName(absl::string_view field, absl::string_view name) {
  bool good =
      !name.empty() && name.size() <= 64 && absl::ascii_islower(name[0]);
  for (char c : name) {
    good =
        good && (absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_');
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(field, " \"", name,
                   "\" is not a name; accepted are lower-case letters, digits "
                   "and '_', starting with a letter, at most 64"));
}

absl::Status ValidateArrivals(const pb::Arrivals& arrivals) {
  TILEBOUND_RETURN_IF_ERROR(CheckSet("arrivals.process",
                                     pb::Arrivals::Process_descriptor(),
                                     arrivals.process()));
  // The text is the fingerprint's: what it cannot say back would make two
  // different keys one.
  const auto parsed = ParseArrivals(ArrivalsText(arrivals));
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("key.", parsed.status().message()));
  }
  if (google::protobuf::util::MessageDifferencer::Equals(*parsed, arrivals)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("key.arrivals has fields of another process: ",
                   arrivals.ShortDebugString(), "; accepted are the fields of ",
                   pb::Arrivals::Process_Name(arrivals.process())));
}

bool CellKeyLess(const pb::CellKey& a, const pb::CellKey& b) {
  const auto rank = [](const pb::CellKey& key) {
    return std::make_tuple(
        absl::string_view(key.part()), absl::string_view(key.kernel()), key.k(),
        static_cast<int>(key.site()), absl::string_view(key.variant()),
        static_cast<int>(key.discipline()), static_cast<int>(key.arm()),
        key.reserve(), key.urgent_tiles(), static_cast<int>(key.setter()),
        static_cast<int>(key.arrivals().process()), key.arrivals().min_gap_ns(),
        key.arrivals().max_gap_ns(), key.arrivals().mean_gap_ns(),
        key.arrivals().utilization_ppm(), key.blocks(), key.period(),
        key.cluster_size());
  };
  return rank(a) < rank(b);
}

absl::Status ValidateCellKey(const pb::CellKey& key) {
  TILEBOUND_RETURN_IF_ERROR(ValidateName("key.part", key.part()));
  TILEBOUND_RETURN_IF_ERROR(ValidateName("key.kernel", key.kernel()));
  TILEBOUND_RETURN_IF_ERROR(ValidateName("key.variant", key.variant()));
  if (key.blocks() == 0) {
    return absl::InvalidArgumentError(
        "key.blocks is 0; at least one block is needed");
  }
  if (key.kernel() != "none" && key.k() == 0) {
    return absl::InvalidArgumentError(
        "key.k is 0; a tile depth over 0 is needed (only kernel none has k 0)");
  }
  TILEBOUND_RETURN_IF_ERROR(
      CheckSet("site", pb::Site_descriptor(), key.site()));
  TILEBOUND_RETURN_IF_ERROR(
      CheckSet("discipline", pb::Discipline_descriptor(), key.discipline()));
  TILEBOUND_RETURN_IF_ERROR(CheckSet("arm", pb::Arm_descriptor(), key.arm()));
  TILEBOUND_RETURN_IF_ERROR(
      CheckSet("setter", pb::Setter_descriptor(), key.setter()));
  TILEBOUND_RETURN_IF_ERROR(ValidateArrivals(key.arrivals()));
  if (key.period() == 0) {
    return absl::InvalidArgumentError(
        "key.period is 0; a block looks at every period-th site, so 1 or more "
        "is accepted");
  }
  if ((key.arm() == pb::RESERVED) != (key.reserve() > 0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "key.reserve is ", key.reserve(), " with arm ", ArmName(key.arm()),
        "; arm reserved needs 1 or more slots, every other arm has 0"));
  }
  if (key.cluster_size() == 0) {
    return absl::InvalidArgumentError(
        "key.cluster_size is 0; 1 means no clusters");
  }
  return absl::OkStatus();
}

}  // namespace tilebound
