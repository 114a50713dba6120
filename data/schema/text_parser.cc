#include "data/schema/text_parser.h"

#include <algorithm>
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

struct Explained {
  std::string message;
  // The word in the file that is not known, if that is what is wrong.
  std::string word;
};

// Protobuf says what it did not find; this adds what it would have found.
Explained Explain(const std::string& message, const Descriptor* root) {
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
    return {absl::StrCat("no field \"", match[2].str(), "\" in ",
                         type == nullptr ? match[1].str() : type->name(),
                         Accepted(match[2], names)),
            match[2]};
  }
  if (std::regex_match(message, match, *value)) {
    std::set<const Descriptor*> visited;
    CollectValues(root, match[2], visited, names);
    return {absl::StrCat("no value ", match[1].str(), " for field ",
                         match[2].str(), Accepted(match[1], names)),
            match[1]};
  }
  return {message, ""};
}

// Where a line and column of protobuf's tokenizer, which counts from 0 and has
// tab stops every 8 columns, lie in the text.
size_t OffsetOf(const std::string& text, int line, int column) {
  size_t at = 0;
  for (; line > 0 && at < text.size(); ++at) line -= text[at] == '\n';
  for (int seen = 0; seen < column && at < text.size(); ++at) {
    seen += text[at] == '\t' ? 8 - seen % 8 : 1;
  }
  return at;
}

class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  FirstError(absl::string_view path, const std::string& text,
             const Descriptor* root)
      : path_(path), text_(text), root_(root) {}

  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!error_.empty()) return;
    const Explained what = Explain(message, root_);
    if (line < 0) {
      error_ = absl::StrCat(path_, ": ", what.message);
      return;
    }
    size_t at = OffsetOf(text_, line, column);
    // Protobuf points behind a word that it does not know; people look for it.
    if (!what.word.empty()) {
      const size_t start = text_.rfind(what.word, at);
      if (start != std::string::npos) at = start;
    }
    const size_t line_start = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
    error_ = absl::StrCat(
        path_, ":", 1 + std::count(text_.begin(), text_.begin() + at, '\n'),
        ":", at - line_start + 1, ": ", what.message);
  }
  const std::string& error() const { return error_; }

 private:
  const std::string path_;
  const std::string& text_;
  const Descriptor* const root_;
  std::string error_;
};

}  // namespace

absl::Status ParseText(absl::string_view path, const std::string& text,
                       google::protobuf::Message* message) {
  FirstError first(path, text, message->GetDescriptor());
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&first);
  if (parser.ParseFromString(text, message)) return absl::OkStatus();
  return absl::InvalidArgumentError(first.error());
}

}  // namespace tilebound
