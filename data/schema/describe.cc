#include "data/schema/describe.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "data/schema/calibration.h"
#include "data/schema/file.h"
#include "data/schema/surface_table.h"
#include "nlohmann/json.hpp"

namespace tilebound {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Facts = std::vector<std::pair<std::string, TableValue>>;
using Json = nlohmann::ordered_json;

TableValue FieldValue(const Message& message, const FieldDescriptor* field,
                      int index) {
  const auto* reflection = message.GetReflection();
  const bool repeated = field->is_repeated();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return repeated ? reflection->GetRepeatedString(message, field, index)
                      : reflection->GetString(message, field);
    case FieldDescriptor::CPPTYPE_UINT32:
      return uint64_t{repeated
                          ? reflection->GetRepeatedUInt32(message, field, index)
                          : reflection->GetUInt32(message, field)};
    case FieldDescriptor::CPPTYPE_UINT64:
      return repeated ? reflection->GetRepeatedUInt64(message, field, index)
                      : reflection->GetUInt64(message, field);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return repeated ? reflection->GetRepeatedDouble(message, field, index)
                      : reflection->GetDouble(message, field);
    case FieldDescriptor::CPPTYPE_ENUM:
      return repeated
                 ? reflection->GetRepeatedEnum(message, field, index)->name()
                 : reflection->GetEnum(message, field)->name();
    default:
      return {};
  }
}

// Every field that is set, by its path, in the order of the schema.
void Flatten(const Message& message, const std::string& prefix, Facts& facts) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool repeated = field->is_repeated();
    const int n = repeated ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < n; ++i) {
      const std::string path = absl::StrCat(
          prefix, field->name(), repeated ? absl::StrCat("[", i, "]") : "");
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        facts.emplace_back(path, FieldValue(message, field, i));
      } else {
        Flatten(repeated ? reflection->GetRepeatedMessage(message, field, i)
                         : reflection->GetMessage(message, field),
                path + ".", facts);
      }
    }
  }
}

// Long sources are named once below a table, by number.
class Notes {
 public:
  std::string Mark(const std::string& note) {
    if (note.empty()) return "";
    const auto at = std::find(notes_.begin(), notes_.end(), note);
    const size_t index = at - notes_.begin();
    if (at == notes_.end()) notes_.push_back(note);
    return absl::StrCat("[", index + 1, "]");
  }
  std::string ToText() const {
    std::string text;
    for (size_t i = 0; i < notes_.size(); ++i) {
      absl::StrAppend(&text, "[", i + 1, "] ", notes_[i], "\n");
    }
    return text.empty() ? "" : absl::StrCat("\n", text);
  }

 private:
  std::vector<std::string> notes_;
};

void DescribePart(const pb::Part& part, Description& description) {
  description.name = part.name();
  std::map<std::string, std::string> sources;
  for (const pb::FigureSource& source : part.sources()) {
    for (const std::string& figure : source.figures()) {
      sources[figure] = source.citation();
    }
  }
  pb::Part figures = part;
  figures.clear_sources();
  Facts facts;
  Flatten(figures, "", facts);
  const std::vector<std::string> columns = {"figure", "value", "source"};
  Table full(columns), narrow(columns);
  Notes notes;
  for (const auto& [path, value] : facts) {
    const auto at = sources.find(path);
    if (at == sources.end()) {
      description.facts.emplace_back(path, value);
      continue;
    }
    full.AddRow({path, value, at->second});
    narrow.AddRow({path, value, notes.Mark(at->second)});
  }
  description.text = narrow.ToText() + notes.ToText();
  description.csv = description.json = full;
}

// For messages with few fields: one row each, by path.
void DescribeFields(const Message& message, const std::string& column,
                    Description& description) {
  Facts facts;
  Flatten(message, "", facts);
  Table table({column, "value"});
  for (const auto& [path, value] : facts) table.AddRow({path, value});
  description.text = table.ToText();
  description.csv = description.json = table;
}

std::string ConditionsText(const pb::CalibrationValue& value) {
  std::vector<std::string> words;
  if (value.k() != 0) words.push_back(absl::StrCat("k=", value.k()));
  if (value.blocks() != 0) {
    words.push_back(absl::StrCat("blocks=", value.blocks()));
  }
  if (value.blocks_per_sm() != 0) {
    words.push_back(absl::StrCat("blocks_per_sm=", value.blocks_per_sm(),
                                 " slot=", value.slot()));
  }
  if (!value.site().empty()) words.push_back("site=" + value.site());
  if (!value.variant().empty()) words.push_back("variant=" + value.variant());
  return absl::StrJoin(words, " ");
}

TableValue OrAbsent(uint64_t number) {
  return number == 0 ? TableValue() : TableValue(number);
}

void DescribeCalibration(const pb::Calibration& calibration,
                         Description& description) {
  description.name =
      absl::StrCat(calibration.kernel(), " on ", calibration.part());
  pb::Calibration head = calibration;
  head.clear_measured();
  head.clear_declared();
  head.clear_fitted();
  head.clear_computed();
  Flatten(head, "", description.facts);
  Table full({"group", "quantity", "k", "blocks", "blocks_per_sm", "slot",
              "site", "variant", "value", "unit", "low", "high", "source",
              "fitted_from"});
  Table narrow({"group", "quantity", "conditions", "value", "unit", "interval",
                "source"});
  Notes notes;
  for (const auto& [group, values] : CalibrationGroups(calibration)) {
    for (const pb::CalibrationValue& value : *values) {
      const bool interval = value.low() != 0 || value.high() != 0;
      const std::string from = absl::StrJoin(value.fitted_from(), "; ");
      full.AddRow(
          {group, value.quantity(), OrAbsent(value.k()),
           OrAbsent(value.blocks()), OrAbsent(value.blocks_per_sm()),
           value.blocks_per_sm() == 0 ? TableValue() : uint64_t{value.slot()},
           value.site(), value.variant(), value.value(), value.unit(),
           interval ? TableValue(value.low()) : TableValue(),
           interval ? TableValue(value.high()) : TableValue(), value.source(),
           from});
      narrow.AddRow(
          {group, value.quantity(), ConditionsText(value), value.value(),
           value.unit(),
           interval ? TableValue(absl::StrFormat("%.4g to %.4g", value.low(),
                                                 value.high()))
                    : TableValue(),
           notes.Mark(from.empty() ? value.source()
                                   : absl::StrCat(value.source(),
                                                  "; fitted from ", from))});
    }
  }
  description.text = narrow.ToText() + notes.ToText();
  description.csv = description.json = full;
}

void DescribeSurface(const pb::Surface& surface, Description& description) {
  description.name = surface.name();
  description.facts.emplace_back("cells",
                                 static_cast<uint64_t>(surface.cells_size()));
  Flatten(surface.provenance(), "provenance.", description.facts);
  Flatten(surface.conditions(), "conditions.", description.facts);
  description.text = SurfaceText(surface);
  Notes soft;
  for (const pb::Cell& cell : surface.cells()) {
    for (const pb::Metric& metric : cell.metrics()) {
      if (metric.soft_reason().empty()) continue;
      soft.Mark(absl::StrCat("soft: ", metric.name(), " at k ", cell.key().k(),
                             ", ", cell.key().blocks(), " blocks, period ",
                             cell.key().period(), ": ", metric.soft_reason()));
    }
  }
  absl::StrAppend(&description.text, soft.ToText());
  description.csv = SurfaceTable(surface);
  description.json = FullSurfaceTable(surface);
}

std::string ValueText(const TableValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return ShortestDouble(*number);
  }
  if (const auto* number = std::get_if<uint64_t>(&value)) {
    return absl::StrCat(*number);
  }
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "-" : absl::StrReplaceAll(*text, {{"\n", " "}});
}

std::string ToText(const std::string& path, const Description& description) {
  std::string text = absl::StrCat("== ", path, ": ", description.content,
                                  description.name.empty() ? "" : " ",
                                  description.name, " ==\n");
  Facts facts;
  if (!description.sha256.empty()) {
    facts.emplace_back("sha256", description.sha256);
  }
  facts.insert(facts.end(), description.facts.begin(), description.facts.end());
  size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, name.size());
  for (const auto& [name, value] : facts) {
    absl::StrAppendFormat(&text, "%-*s  %s\n", static_cast<int>(width), name,
                          ValueText(value));
  }
  return absl::StrCat(text, "\n", description.text);
}

Json ToJson(const std::string& path, const Description& description) {
  Json object;
  object["file"] = path;
  object["content"] = description.content;
  object["name"] = description.name;
  if (!description.sha256.empty()) object["sha256"] = description.sha256;
  // As one row of a table, so that values are written in one way only.
  std::vector<std::string> names;
  std::vector<TableValue> values;
  for (const auto& [name, value] : description.facts) {
    names.push_back(name);
    values.push_back(value);
  }
  Table facts(names);
  facts.AddRow(values);
  object["facts"] = Json::parse(facts.ToJson())[0];
  object["rows"] = Json::parse(description.json.ToJson());
  return object;
}

}  // namespace

Description DescribeMessage(const std::string& content,
                            const Message& message) {
  Description description;
  description.content = content;
  DescribeFields(message, "field", description);
  return description;
}

Description DescribeFile(const pb::File& file) {
  Description description;
  description.content = ContentName(file);
  description.sha256 = ContentSha256(file);
  switch (file.content_case()) {
    case pb::File::kPart:
      DescribePart(file.part(), description);
      break;
    case pb::File::kKernel:
      description.name = file.kernel().name();
      DescribeFields(file.kernel(), "field", description);
      break;
    case pb::File::kCalibration:
      DescribeCalibration(file.calibration(), description);
      break;
    case pb::File::kSurface:
      DescribeSurface(file.surface(), description);
      break;
    case pb::File::kExperiment:
      DescribeFields(file.experiment(), "axis", description);
      break;
    case pb::File::kFitRecipe:
      description.name = absl::StrCat(file.fit_recipe().kernel(), " on ",
                                      file.fit_recipe().part());
      DescribeFields(file.fit_recipe(), "field", description);
      break;
    case pb::File::kTolerances:
      DescribeFields(file.tolerances(), "field", description);
      break;
    case pb::File::kHypotheses:
      DescribeFields(file.hypotheses(), "field", description);
      break;
    case pb::File::kRegistry:
      DescribeFields(file.registry(), "field", description);
      break;
    case pb::File::CONTENT_NOT_SET:
      break;
  }
  return description;
}

absl::StatusOr<std::string> RenderDescriptions(
    const std::vector<std::pair<std::string, Description>>& files,
    absl::string_view format) {
  if (absl::Status known = CheckTableFormat(format); !known.ok()) return known;
  if (format == "csv") {
    if (files.size() == 1) return files[0].second.csv.ToCsv();
    return absl::InvalidArgumentError(
        absl::StrCat("--format=csv with ", files.size(),
                     " files: one file is accepted; json and table take any "
                     "number"));
  }
  if (format == "json") {
    Json array = Json::array();
    for (const auto& [path, file] : files) array.push_back(ToJson(path, file));
    return array.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  std::string text;
  for (const auto& [path, file] : files) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", ToText(path, file));
  }
  return text;
}

}  // namespace tilebound
