#include "data/trace/jsonl.h"

#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "data/trace/jsonl_header.h"
#include "data/trace/writer.h"
#include "nlohmann/json.hpp"

namespace tilebound {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMost64 = std::numeric_limits<uint64_t>::max();

// The member that Record::value is, or nullptr.
const char* ValueName(RecordKind kind) {
  switch (MeaningOf(kind)) {
    case ValueMeaning::kSm:
      return "sm";
    case ValueMeaning::kTask:
      return "task";
    case ValueMeaning::kGeneration:
      return "event";
    case ValueMeaning::kCount:
      return "count";
    case ValueMeaning::kNone:
      return nullptr;
  }
  return nullptr;
}

const char* DetailName(RecordKind kind) {
  return kind == RecordKind::kBlockStart ? "slot" : "urgent_tile";
}

absl::StatusOr<int64_t> TimeMember(const Json& json) {
  const bool ns = json.contains("time_ns");
  if (ns == json.contains("time_ps")) {
    return absl::InvalidArgumentError(
        "one of \"time_ps\" and \"time_ns\" is needed");
  }
  const Json& value = json[ns ? "time_ns" : "time_ps"];
  const int64_t unit = ns ? 1000 : 1;
  if (!value.is_number_integer() ||
      (value.is_number_unsigned() &&
       value.get<uint64_t>() > static_cast<uint64_t>(kMostTime / unit)) ||
      value.get<int64_t>() < -kMostTime / unit) {
    return absl::InvalidArgumentError(
        "the time must be an integer within 26 days of 0");
  }
  return value.get<int64_t>() * unit;
}

absl::StatusOr<uint32_t> StreamMember(const Json& json) {
  const auto it = json.find("block");
  if (it != json.end() && *it == "host") return kHostStream;
  TILEBOUND_ASSIGN_OR_RETURN(uint64_t block,
                             UnsignedMember(json, "block", kMost32 - 1));
  return static_cast<uint32_t>(block);
}

absl::StatusOr<Record> RecordFrom(const Json& json) {
  const auto name = json.find("kind");
  absl::optional<RecordKind> kind;
  if (name != json.end() && name->is_string()) {
    kind = KindFromName(name->get_ref<const std::string&>());
  }
  if (!kind.has_value()) {
    std::string names;
    for (int k = kFirstRecordKind; k <= kLastRecordKind; ++k) {
      absl::StrAppend(&names, k > kFirstRecordKind ? ", " : "",
                      KindName(static_cast<RecordKind>(k)));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("\"kind\" is missing or not known; accepted are ", names));
  }
  Record record;
  record.kind = *kind;
  TILEBOUND_ASSIGN_OR_RETURN(record.time_ps, TimeMember(json));
  if (const char* value = ValueName(*kind)) {
    TILEBOUND_ASSIGN_OR_RETURN(record.value,
                               UnsignedMember(json, value, kMost64));
  }
  if (HasDetail(*kind)) {
    TILEBOUND_ASSIGN_OR_RETURN(
        uint64_t detail, UnsignedMember(json, DetailName(*kind), kMost32));
    record.detail = static_cast<uint32_t>(detail);
  }
  if (*kind == RecordKind::kClaim) {
    const auto site = json.find("site");
    TILEBOUND_ASSIGN_OR_RETURN(const pb::Site parsed,
                               ParseSite(site != json.end() && site->is_string()
                                             ? site->get<std::string>()
                                             : ""));
    record.site = static_cast<uint8_t>(parsed);
  }
  return record;
}

absl::Status Add(const Json& json, TraceWriter& writer) {
  if (!json.is_object()) {
    return absl::InvalidArgumentError("a record must be an object");
  }
  TILEBOUND_ASSIGN_OR_RETURN(uint32_t stream, StreamMember(json));
  TILEBOUND_ASSIGN_OR_RETURN(Record record, RecordFrom(json));
  if (!json.contains("seq")) {
    writer.Append(stream, record);
    return absl::OkStatus();
  }
  TILEBOUND_ASSIGN_OR_RETURN(uint64_t sequence,
                             UnsignedMember(json, "seq", kMost64));
  writer.AppendAt(stream, sequence, record);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> TraceFromJsonLines(absl::string_view text,
                                               const std::string& name) {
  absl::optional<TraceWriter> writer;
  for (size_t line = 1; !text.empty(); ++line) {
    const absl::string_view one =
        absl::StripAsciiWhitespace(text.substr(0, text.find('\n')));
    const size_t next = text.find('\n');
    text = next == absl::string_view::npos ? "" : text.substr(next + 1);
    if (one.empty()) continue;
    const auto at_line = [&](const absl::Status& status) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ": line ", line, ": ", status.message()));
    };
    const Json json = Json::parse(one.begin(), one.end(), nullptr,
                                  /*allow_exceptions=*/false);
    if (json.is_discarded()) {
      return at_line(absl::InvalidArgumentError("not JSON"));
    }
    if (!writer.has_value()) {
      absl::StatusOr<pb::TraceHeader> header = HeaderFromJson(json);
      if (!header.ok()) return at_line(header.status());
      absl::StatusOr<TraceWriter> opened =
          TraceWriter::CreateInMemory(*std::move(header));
      if (!opened.ok()) return at_line(opened.status());
      writer.emplace(*std::move(opened));
    } else if (absl::Status added = Add(json, *writer); !added.ok()) {
      return at_line(added);
    }
  }
  if (!writer.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": no header line; accepted is {\"tbtrace\":1,...}"));
  }
  absl::StatusOr<std::string> bytes = writer->TakeBytes();
  if (!bytes.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": ", bytes.status().message()));
  }
  return bytes;
}

absl::StatusOr<std::string> JsonLinesOf(const TraceReader& reader) {
  const auto print = [](const nlohmann::ordered_json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  };
  std::string text = print(HeaderToJson(reader.header()));
  const TraceEnd end = reader.ForEachRecord(
      [&](uint32_t stream, uint64_t sequence, const Record& record) {
        nlohmann::ordered_json json;
        if (stream == kHostStream) {
          json["block"] = "host";
        } else {
          json["block"] = stream;
        }
        json["seq"] = sequence;
        json["kind"] = std::string(KindName(record.kind));
        if (const char* value = ValueName(record.kind))
          json[value] = record.value;
        if (HasDetail(record.kind))
          json[DetailName(record.kind)] = record.detail;
        if (record.kind == RecordKind::kClaim) {
          json["site"] = SiteName(static_cast<pb::Site>(record.site));
        }
        json["time_ps"] = record.time_ps;
        text += print(json);
      });
  if (!end.whole) {
    return absl::InvalidArgumentError(absl::StrCat(
        reader.name(), ": ", end.why, "; accepted are whole traces"));
  }
  return text;
}

}  // namespace tilebound
