#include "data/schema/text_parser.h"

#include <regex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "data/io/suggest.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"

namespace tilebound {
namespace {

std::string Accepted(const std::string& word,
                     const std::vector<std::string>& names) {
  return absl::StrCat(DidYouMean(word, names), "; accepted are ",
                      absl::StrJoin(names, ", "));
}

// Protobuf says what it did not find; this adds what it would have found.
std::string WithAccepted(const std::string& message) {
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
    return absl::StrCat("no value ", match[1].str(), " for field ",
                        match[2].str());
  }
  return message;
}

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  explicit FirstError(absl::string_view path) : path_(path) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!text_.empty()) return;
    text_ = line < 0 ? absl::StrCat(path_, ": ", WithAccepted(message))
                     : absl::StrCat(path_, ":", line + 1, ":", column + 1, ": ",
                                    WithAccepted(message));
  }
  const std::string& text() const { return text_; }

 private:
  const std::string path_;
  std::string text_;
};

}  // namespace

absl::Status ParseText(absl::string_view path, const std::string& text,
                       google::protobuf::Message* message) {
  FirstError error(path);
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (parser.ParseFromString(text, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(error.text());
}

}  // namespace tilebound
