#include "data/schema/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "data/io/atomic_file.h"
#include "data/schema/calibration.h"
#include "data/schema/hypothesis.h"
#include "data/schema/kernel.h"
#include "data/schema/part.h"
#include "data/schema/registry.h"
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

// The path without the ending of an unfinished file: what an interrupted sweep
// left behind is a whole file with fewer cells, and reads like one.
absl::string_view Finished(absl::string_view path) {
  absl::ConsumeSuffix(&path, ".partial");
  return path;
}

absl::Status CheckEnding(absl::string_view path) {
  if (absl::EndsWith(path, kText) || absl::EndsWith(path, kBinary)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path.empty() ? absl::string_view("\"\"") : path,
      ": the ending is not known; accepted are ", kText, " and ", kBinary));
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
  TILEBOUND_RETURN_IF_ERROR(CheckEnding(Finished(path)));
  TILEBOUND_ASSIGN_OR_RETURN(const std::string bytes, ReadWholeFile(path));
  pb::File file;
  // Protobuf would print its own opinion of a broken file to stderr.
  const google::protobuf::LogSilencer quiet;
  if (absl::EndsWith(Finished(path), kText)) {
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
                                                 std::strerror(errno), " (",
                                                 folder.string(), ")"));
}

absl::Status WriteFile(const std::string& path, const pb::File& file) {
  TILEBOUND_RETURN_IF_ERROR(CheckEnding(path));
  absl::Status valid = CheckVersion(file);
  if (valid.ok()) valid = ValidateFile(file);
  if (!valid.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write ", path, ": ", valid.message()));
  }
  if (absl::EndsWith(path, kText)) {
    return WriteFileAtomically(path, FileToText(file));
  }
  std::string bytes;
  if (!file.SerializeToString(&bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write ", path,
                     ": over 2 GiB in binary; split it over several files"));
  }
  return WriteFileAtomically(path, bytes);
}

std::string ContentSha256(const pb::File& file) {
  pb::File canonical = file;
  if (canonical.has_surface()) {
    canonical.mutable_surface()->mutable_provenance()->clear_started_utc();
    canonical.mutable_surface()->mutable_provenance()->clear_finished_utc();
    // Where a result was written, or on how many threads it was made, does not
    // make it another result.
    canonical.mutable_surface()->mutable_provenance()->clear_command();
  }
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    canonical.SerializeToCodedStream(&coded);
  }
  return Sha256Hex(bytes);
}

std::string ContentName(const pb::File& file) {
  const auto* field = pb::File::descriptor()->FindFieldByNumber(
      static_cast<int>(file.content_case()));
  return field == nullptr ? "nothing" : field->name();
}

absl::Status ValidateFile(const pb::File& file) {
  switch (file.content_case()) {
    case pb::File::kPart:
      return ValidatePart(file.part());
    case pb::File::kKernel:
      return ValidateKernel(file.kernel());
    case pb::File::kCalibration:
      return ValidateCalibration(file.calibration());
    case pb::File::kSurface:
      return ValidateSurface(file.surface());
    case pb::File::kExperiment:
      return absl::OkStatus();
    case pb::File::kFitRecipe:
      return ValidateFitRecipe(file.fit_recipe());
    case pb::File::kTolerances:
      return ValidateTolerances(file.tolerances());
    case pb::File::kHypotheses:
      return ValidateHypotheses(file.hypotheses());
    case pb::File::kRegistry:
      return ValidateRegistry(file.registry());
    case pb::File::CONTENT_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      "the file holds nothing that is known here; accepted are part, kernel, "
      "calibration, surface, experiment, fit_recipe, tolerances, "
      "hypotheses, registry");
}

std::string FileToText(const pb::File& file) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  printer.SetUseShortRepeatedPrimitives(true);
  std::string text;
  printer.PrintToString(file, &text);
  return absl::StrCat(
      "# proto-file: data/schema/file.proto\n"
      "# proto-message: tilebound.pb.File\n\n",
      text);
}

pb::File MakeFile(const pb::Part& part) {
  pb::File file = Versioned();
  *file.mutable_part() = part;
  return file;
}
pb::File MakeFile(const pb::Kernel& kernel) {
  pb::File file = Versioned();
  *file.mutable_kernel() = kernel;
  return file;
}
pb::File MakeFile(const pb::Calibration& calibration) {
  pb::File file = Versioned();
  *file.mutable_calibration() = calibration;
  return file;
}
pb::File MakeFile(const pb::Surface& surface) {
  pb::File file = Versioned();
  *file.mutable_surface() = surface;
  return file;
}
pb::File MakeFile(const pb::Experiment& experiment) {
  pb::File file = Versioned();
  *file.mutable_experiment() = experiment;
  return file;
}
pb::File MakeFile(const pb::FitRecipe& recipe) {
  pb::File file = Versioned();
  *file.mutable_fit_recipe() = recipe;
  return file;
}
pb::File MakeFile(const pb::Tolerances& tolerances) {
  pb::File file = Versioned();
  *file.mutable_tolerances() = tolerances;
  return file;
}
pb::File MakeFile(const pb::Hypotheses& hypotheses) {
  pb::File file = Versioned();
  *file.mutable_hypotheses() = hypotheses;
  return file;
}
pb::File MakeFile(const pb::Registry& registry) {
  pb::File file = Versioned();
  *file.mutable_registry() = registry;
  return file;
}

namespace file_internal {

const pb::Part* Content(const pb::File& file, const pb::Part*) {
  return file.has_part() ? &file.part() : nullptr;
}
const pb::Kernel* Content(const pb::File& file, const pb::Kernel*) {
  return file.has_kernel() ? &file.kernel() : nullptr;
}
const pb::Calibration* Content(const pb::File& file, const pb::Calibration*) {
  return file.has_calibration() ? &file.calibration() : nullptr;
}
const pb::Surface* Content(const pb::File& file, const pb::Surface*) {
  return file.has_surface() ? &file.surface() : nullptr;
}
const pb::Experiment* Content(const pb::File& file, const pb::Experiment*) {
  return file.has_experiment() ? &file.experiment() : nullptr;
}
const pb::FitRecipe* Content(const pb::File& file, const pb::FitRecipe*) {
  return file.has_fit_recipe() ? &file.fit_recipe() : nullptr;
}
const pb::Tolerances* Content(const pb::File& file, const pb::Tolerances*) {
  return file.has_tolerances() ? &file.tolerances() : nullptr;
}
const pb::Hypotheses* Content(const pb::File& file, const pb::Hypotheses*) {
  return file.has_hypotheses() ? &file.hypotheses() : nullptr;
}
const pb::Registry* Content(const pb::File& file, const pb::Registry*) {
  return file.has_registry() ? &file.registry() : nullptr;
}

absl::Status WrongContent(const std::string& path, const pb::File& file,
                          const std::string& wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat(path, ": its content is ", ContentName(file),
                   "; accepted here is ", wanted));
}

}  // namespace file_internal
}  // namespace tilebound
