#include "data/schema/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "data/io/atomic_file.h"
#include "data/schema/calibration.h"
#include "data/schema/kernel.h"
#include "data/schema/part.h"
#include "data/schema/sha256.h"
#include "data/schema/surface.h"
#include "data/schema/text_parser.h"
#include "data/schema/tolerances.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"

namespace tilebound {
namespace {

constexpr char kText[] = ".textproto";
constexpr char kBinary[] = ".binpb";

absl::Status CheckEnding(const std::string& path) {
  if (absl::EndsWith(path, kText) || absl::EndsWith(path, kBinary)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path.empty() ? "\"\"" : path, ": the ending is not known; accepted are ",
      kText, " and ", kBinary));
}

absl::Status CheckVersion(const pb::File& file) {
  if (file.schema_major() == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "schema_major is missing; ", kSchemaMajor, " is accepted"));
  }
  if (file.schema_major() > kSchemaMajor) {
    return absl::InvalidArgumentError(absl::StrCat(
        "schema_major is ", file.schema_major(),
        ", written by a newer Tilebound; this one reads ", kSchemaMajor));
  }
  return absl::OkStatus();
}

pb::File Versioned() {
  pb::File file;
  file.set_schema_major(kSchemaMajor);
  file.set_schema_minor(kSchemaMinor);
  return file;
}

}  // namespace

absl::StatusOr<pb::File> ReadFile(const std::string& path) {
  TILEBOUND_RETURN_IF_ERROR(CheckEnding(path));
  TILEBOUND_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path));
  pb::File file;
  // Protobuf would print its own opinion of a broken file to stderr.
  const google::protobuf::LogSilencer quiet;
  if (absl::EndsWith(path, kText)) {
    TILEBOUND_RETURN_IF_ERROR(ParseText(path, bytes, &file));
  } else if (!file.ParseFromString(bytes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": not a whole binary Tilebound file (", bytes.size(),
        " bytes read); it is truncated or something else"));
  }
  absl::Status valid = CheckVersion(file);
  if (valid.ok()) valid = ValidateFile(file);
  if (!valid.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": ", valid.message()));
  }
  return file;
}

absl::Status CheckOutputPath(const std::string& path) {
  TILEBOUND_RETURN_IF_ERROR(CheckEnding(path));
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot write ", path, ": it is a folder; a file name is needed"));
  }
  const std::filesystem::path folder =
      std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder, unknown)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot write ", path, ": there is no folder ", folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("cannot write ", path, ": ",
