#include "data/trace/jsonl_header.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/status_macros.h"
#include "data/io/suggest.h"
#include "data/schema/cell_key.h"
#include "data/trace/header.h"

namespace tilebound {
namespace {

using Header = pb::TraceHeader;
using Json = nlohmann::json;

// A number of the header or of its cell.
struct Number {
  const char* name;
  uint64_t most;
  void (*set)(Header&, uint64_t);
  uint64_t (*get)(const Header&);
};

constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMost64 = std::numeric_limits<uint64_t>::max();

#define TILEBOUND_HEADER_NUMBER(field, most)           \
  Number {                                             \
#field, most, [](Header& h, uint64_t v) {            \
      h.set_##field(static_cast<decltype(h.field())>(v)); \
    },                                                   \
        [](const Header& h) -> uint64_t { return h.field(); } \
  }
#define TILEBOUND_CELL_NUMBER(field)                                  \
  Number {                                                            \
#field, kMost32, [](Header& h, uint64_t v) {                        \
      h.mutable_cell()->set_##field(static_cast<uint32_t>(v));          \
    },                                                                  \
        [](const Header& h) -> uint64_t { return h.cell().field(); } \
  }

const std::vector<Number>& Numbers() {
  static const auto* numbers = new std::vector<Number>{
      TILEBOUND_CELL_NUMBER(period),
      TILEBOUND_CELL_NUMBER(urgent_tiles),
      TILEBOUND_CELL_NUMBER(k),
      TILEBOUND_CELL_NUMBER(reserve),
      TILEBOUND_HEADER_NUMBER(blocks, kMost32),
      TILEBOUND_HEADER_NUMBER(urgent_streams, kMost32),
      TILEBOUND_HEADER_NUMBER(tasks, kMost64),
      TILEBOUND_HEADER_NUMBER(events, kMost64),
      TILEBOUND_HEADER_NUMBER(blocks_per_sm, kMost32),
      TILEBOUND_HEADER_NUMBER(sm_count, kMost32),
      TILEBOUND_HEADER_NUMBER(quantum_ps, kMost64),
      TILEBOUND_HEADER_NUMBER(visibility_allowance_ps, kMost64),
      TILEBOUND_HEADER_NUMBER(stale_looks, kMost32),
      TILEBOUND_HEADER_NUMBER(stages_per_tile, kMost32),
      TILEBOUND_HEADER_NUMBER(stage_bound_ps, kMost64),
      TILEBOUND_HEADER_NUMBER(handoff_bound_ps, kMost64),
      TILEBOUND_HEADER_NUMBER(time_unit_ps, kMost64),
      TILEBOUND_HEADER_NUMBER(seed, kMost64),
  };
  return *numbers;
}

#undef TILEBOUND_HEADER_NUMBER
#undef TILEBOUND_CELL_NUMBER

// A word or a text of the header or of its cell.
struct Text {
  const char* name;
  absl::Status (*set)(Header&, const std::string&);
  std::string (*get)(const Header&);
};

const std::vector<Text>& Texts() {
  static const auto* texts = new std::vector<Text>{
      {"arm",
       [](Header& h, const std::string& v) -> absl::Status {
         TILEBOUND_ASSIGN_OR_RETURN(const pb::Arm arm, ParseArm(v));
         h.mutable_cell()->set_arm(arm);
         return absl::OkStatus();
       },
       [](const Header& h) { return ArmName(h.cell().arm()); }},
      {"site",
       [](Header& h, const std::string& v) -> absl::Status {
         TILEBOUND_ASSIGN_OR_RETURN(const pb::Site site, ParseSite(v));
         h.mutable_cell()->set_site(site);
         return absl::OkStatus();
       },
       [](const Header& h) { return SiteName(h.cell().site()); }},
      {"setter",
       [](Header& h, const std::string& v) -> absl::Status {
         TILEBOUND_ASSIGN_OR_RETURN(const pb::Setter setter, ParseSetter(v));
         h.mutable_cell()->set_setter(setter);
         return absl::OkStatus();
       },
       [](const Header& h) { return SetterName(h.cell().setter()); }},
      {"part",
       [](Header& h, const std::string& v) {
         h.mutable_cell()->set_part(v);
         return absl::OkStatus();
       },
       [](const Header& h) { return h.cell().part(); }},
      {"kernel",
       [](Header& h, const std::string& v) {
         h.mutable_cell()->set_kernel(v);
         return absl::OkStatus();
       },
       [](const Header& h) { return h.cell().kernel(); }},
      {"variant",
       [](Header& h, const std::string& v) {
         h.mutable_cell()->set_variant(v);
         return absl::OkStatus();
       },
       [](const Header& h) { return h.cell().variant(); }},
      {"provenance",
       [](Header& h, const std::string& v) {
         h.set_provenance(v);
         return absl::OkStatus();
       },
       [](const Header& h) { return h.provenance(); }},
  };
  return *texts;
}

absl::Status SetMember(const std::string& name, const Json& json,
                       Header& header) {
  for (const Number& number : Numbers()) {
    if (name != number.name) continue;
    TILEBOUND_ASSIGN_OR_RETURN(uint64_t value,
                               UnsignedMember(json, number.name, number.most));
    number.set(header, value);
    return absl::OkStatus();
  }
  for (const Text& text : Texts()) {
    if (name != text.name) continue;
    if (!json[name].is_string()) {
      return absl::InvalidArgumentError(
          absl::StrCat("\"", name, "\" must be a text"));
    }
    return text.set(header, json[name].get<std::string>());
  }
  std::vector<std::string> names;
  for (const Number& number : Numbers()) names.push_back(number.name);
  for (const Text& text : Texts()) names.push_back(text.name);
  return absl::InvalidArgumentError(
      absl::StrCat("\"", name, "\" is not known", DidYouMean(name, names),
                   "; accepted are ", absl::StrJoin(names, ", ")));
}

}  // namespace

absl::StatusOr<uint64_t> UnsignedMember(const Json& json, const char* name,
                                        uint64_t most) {
  const auto it = json.find(name);
  if (it == json.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\" is missing"));
  }
  if (!it->is_number_unsigned() || it->get<uint64_t>() > most) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", name, "\" is ",
        // Printing a nested value recurses as deep as the value is.
        it->is_structured()
            ? std::string("an ") + it->type_name()
            : it->dump(-1, ' ', false, Json::error_handler_t::replace)
                  .substr(0, 40),
        "; accepted: 0 to ", most));
  }
  return it->get<uint64_t>();
}

absl::StatusOr<Header> HeaderFromJson(const Json& json) {
  if (!json.is_object()) {
    return absl::InvalidArgumentError("the header must be an object");
  }
  TILEBOUND_ASSIGN_OR_RETURN(uint64_t version,
                             UnsignedMember(json, "tbtrace", kMost32));
  Header header;
  header.set_schema_major(static_cast<uint32_t>(version));
  header.mutable_cell()->set_cluster_size(1);
  for (const auto& member : json.items()) {
    if (member.key() == "tbtrace") continue;
    TILEBOUND_RETURN_IF_ERROR(SetMember(member.key(), json, header));
  }
  TILEBOUND_RETURN_IF_ERROR(ValidateTraceHeader(header));
  return header;
}

nlohmann::ordered_json HeaderToJson(const Header& header) {
  nlohmann::ordered_json json;
  json["tbtrace"] = kTraceMajor;
  for (const Text& text : Texts()) {
    const std::string value = text.get(header);
    if (!value.empty() && value != "unspecified") json[text.name] = value;
  }
  for (const Number& number : Numbers()) {
    if (number.get(header) != 0) json[number.name] = number.get(header);
  }
  return json;
}

}  // namespace tilebound
