#include "data/schema/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

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
                                                 std::strerror(errno), " (",
