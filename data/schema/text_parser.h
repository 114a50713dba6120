// Text format with errors that a person can act on.
#ifndef TILEBOUND_DATA_SCHEMA_TEXT_PARSER_H_
#define TILEBOUND_DATA_SCHEMA_TEXT_PARSER_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"

namespace tilebound {

// Parses `text` into `message`. The error is
// "PATH:LINE:COLUMN: what is wrong", and for a field or enum value that does
// not exist it lists those that do.
absl::Status ParseText(absl::string_view path, const std::string& text,
                       google::protobuf::Message* message);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_TEXT_PARSER_H_
