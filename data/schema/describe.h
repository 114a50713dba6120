// Prints any of our files for people and for programs: what //data:show does.
//
//   TILEBOUND_ASSIGN_OR_RETURN(pb::File file,
//   ReadFile("data/gpus/a10.textproto")); Description part =
//   DescribeFile(file); TILEBOUND_ASSIGN_OR_RETURN(
//       std::string text, RenderDescriptions({{"a10.textproto", part}},
//       "table"));
//
// A kind of file that lives elsewhere joins in by making a Description itself.
#ifndef TILEBOUND_DATA_SCHEMA_DESCRIBE_H_
#define TILEBOUND_DATA_SCHEMA_DESCRIBE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "data/io/table.h"
#include "data/schema/file.pb.h"
#include "google/protobuf/message.h"

namespace tilebound {

struct Description {
  // "part", "surface", ...
  std::string content;
  std::string name;
  // Content hash; "" where it would take reading far more than is shown.
  std::string sha256;
  // What holds for the file as a whole, as field paths: "conditions.build".
  std::vector<std::pair<std::string, TableValue>> facts;
  // The body for people, and the rows for --format=csv and --format=json.
  std::string text;
  Table csv{std::vector<std::string>()};
  Table json{std::vector<std::string>()};
};

// The file must be valid: see ReadFile.
Description DescribeFile(const pb::File& file);

// Of a message that stands outside pb::File: its fields, one row each, by path.
Description DescribeMessage(const std::string& content,
                            const google::protobuf::Message& message);

// One string for the files, each with its path:
//   table  a heading, the facts and the text of each;
//   csv    the rows; error for more than one file, which no CSV reader takes;
//   json   an array with one object a file: file, content, name, sha256, facts,
//          rows.
absl::StatusOr<std::string> RenderDescriptions(
    const std::vector<std::pair<std::string, Description>>& files,
    absl::string_view format);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_DESCRIBE_H_
