#include "data/schema/text_parser.h"

#include <regex>
#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/suggest.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace tilebound {
namespace {

using google::protobuf::Descriptor;

std::string Accepted(const std::string& word,
                     const std::vector<std::string>& names) {
  return absl::StrCat(DidYouMean(word, names), "; accepted are ",
                      absl::StrJoin(names, ", "));
}

// The values of every enum field called `name` in `type` or below it: the
// parser's message does not say in which type it stood. The value 0 stands for
// "not set" and is left out.
void CollectValues(const Descriptor* type, const std::string& name,
                   std::set<const Descriptor*>& visited,
                   std::vector<std::string>& values) {
  if (!visited.insert(type).second) return;
  for (int i = 0; i < type->field_count(); ++i) {
    const auto* field = type->field(i);
    if (field->message_type() != nullptr) {
      CollectValues(field->message_type(), name, visited, values);
    }
    if (field->enum_type() == nullptr || field->name() != name) continue;
    for (int v = 0; v < field->enum_type()->value_count(); ++v) {
      const auto* value = field->enum_type()->value(v);
      if (!absl::EndsWith(value->name(), "_UNSPECIFIED")) {
        values.push_back(value->name());
      }
    }
  }
}

// Protobuf says what it did not find; this adds what it would have found.
std::string WithAccepted(const std::string& message, const Descriptor* root) {
  const auto* pool = google::protobuf::DescriptorPool::generated_pool();
  std::smatch match;
  std::vector<std::string> names;
  static const auto* field = new std::regex(
      "Message type \"([^\"]+)\" has no field named \"([^\"]+)\".*");
  static const auto* value = new std::regex(
      "Unknown enumeration value of \"([^\"]+)\" for field \"([^\"]+)\".*");
  if (std::regex_match(message, match, *field)) {
    const auto* type = pool->FindMessageTypeByName(match[1]);
    for (int i = 0; type != nullptr && i < type->field_count(); ++i) {
      names.push_back(type->field(i)->name());
    }
    return absl::StrCat("no field \"", match[2].str(), "\" in ",
                        type == nullptr ? match[1].str() : type->name(),
                        Accepted(match[2], names));
  }
  if (std::regex_match(message, match, *value)) {
    std::set<const Descriptor*> visited;
    CollectValues(root, match[2], visited, names);
    return absl::StrCat("no value ", match[1].str(), " for field ",
                        match[2].str(), Accepted(match[1], names));
  }
  return message;
}

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  FirstError(absl::string_view path, const Descriptor* root)
      : path_(path), root_(root) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    const std::string what = WithAccepted(message, root_);
    text_ = line < 0 ? absl::StrCat(path_, ": ", what)
                     : absl::StrCat(path_, ":", line + 1, ":", column + 1, ": ",
                                    what);
  }
  const std::string& text() const { return text_; }

 private:
  const std::string path_;
  const Descriptor* const root_;
  std::string text_;
};

}  // namespace

absl::Status ParseText(absl::string_view path, const std::string& text,
                       google::protobuf::Message* message) {
  FirstError error(path, message->GetDescriptor());
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.ParseFromString(text, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(error.text());
}

}  // namespace tilebound
