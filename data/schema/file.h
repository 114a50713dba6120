// Reading and writing our files: one pb::File as .textproto for people or
// .binpb for volume, with the same content hash.
//
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Part part,
//                              ReadContent<pb::Part>("data/gpus/a10.textproto"));
//   TILEBOUND_RETURN_IF_ERROR(WriteContent("out/surface.binpb", surface));
#ifndef TILEBOUND_DATA_SCHEMA_FILE_H_
#define TILEBOUND_DATA_SCHEMA_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/io/status_macros.h"
#include "data/schema/file.pb.h"

namespace tilebound {

inline constexpr uint32_t kSchemaMajor = 1;
inline constexpr uint32_t kSchemaMinor = 0;

// Reads and validates. The ending decides between text and binary; NAME.partial
// of an interrupted command is read like NAME. Errors name file, line and
// column or field, the value, and what is accepted; a newer major version is
// refused in one sentence.
absl::StatusOr<pb::File> ReadFile(const std::string& path);

// Validates, then writes NAME.partial and renames it. Errors as for reading; a
// file that is refused leaves what was there before.
absl::Status WriteFile(const std::string& path, const pb::File& file);

// Whether WriteFile can write there: the ending, and that the folder exists.
// Commands check before long work.
absl::Status CheckOutputPath(const std::string& path);

// SHA-256 of the content in canonical binary form with the timestamps and the
// command line left out,
// so that a textproto and a binpb of the same content agree. Lower-case hex.
std::string ContentSha256(const pb::File& file);

// "part", "kernel", "calibration", "surface", "experiment",
// "fit_recipe" or "nothing".
// The name of the field of pb::File that is set ("surface"), or "nothing".
std::string ContentName(const pb::File& file);

// Validates whatever the file holds.
absl::Status ValidateFile(const pb::File& file);

// The text form, with the header comments that tell tools its schema.
std::string FileToText(const pb::File& file);

// A File around each kind of content.
pb::File MakeFile(const pb::Part& part);
pb::File MakeFile(const pb::Kernel& kernel);
pb::File MakeFile(const pb::Calibration& calibration);
pb::File MakeFile(const pb::Surface& surface);
pb::File MakeFile(const pb::Experiment& experiment);
pb::File MakeFile(const pb::FitRecipe& recipe);
pb::File MakeFile(const pb::Tolerances& tolerances);
pb::File MakeFile(const pb::Hypotheses& hypotheses);
pb::File MakeFile(const pb::Registry& registry);

namespace file_internal {
// Null if the file holds something else.
const pb::Part* Content(const pb::File& file, const pb::Part*);
const pb::Kernel* Content(const pb::File& file, const pb::Kernel*);
const pb::Calibration* Content(const pb::File& file, const pb::Calibration*);
const pb::Surface* Content(const pb::File& file, const pb::Surface*);
const pb::Experiment* Content(const pb::File& file, const pb::Experiment*);
const pb::FitRecipe* Content(const pb::File& file, const pb::FitRecipe*);
const pb::Tolerances* Content(const pb::File& file, const pb::Tolerances*);
const pb::Hypotheses* Content(const pb::File& file, const pb::Hypotheses*);
const pb::Registry* Content(const pb::File& file, const pb::Registry*);
absl::Status WrongContent(const std::string& path, const pb::File& file,
                          const std::string& wanted);
}  // namespace file_internal

// ReadFile, and an error that names both kinds if the file holds another.
template <typename Message>
absl::StatusOr<Message> ReadContent(const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(pb::File file, ReadFile(path));
  const Message* content =
      file_internal::Content(file, static_cast<const Message*>(nullptr));
  if (content != nullptr) return *content;
  return file_internal::WrongContent(path, file,
                                     ContentName(MakeFile(Message())));
}

template <typename Message>
absl::Status WriteContent(const std::string& path, const Message& message) {
  return WriteFile(path, MakeFile(message));
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_SCHEMA_FILE_H_
