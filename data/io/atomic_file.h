// Writing a file so that its name never holds half of it: bytes go to
// NAME.partial, which is renamed to NAME by Commit().
//
//   TILEBOUND_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create("a.binpb"));
//   TILEBOUND_RETURN_IF_ERROR(file.Write(bytes));
//   TILEBOUND_RETURN_IF_ERROR(file.Commit());
//
// An AtomicFile that goes away without Commit() removes the .partial, unless
// KeepPartial() said that it is worth reading (an interrupted sweep, a trace).
#ifndef TILEBOUND_DATA_IO_ATOMIC_FILE_H_
#define TILEBOUND_DATA_IO_ATOMIC_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tilebound {

class AtomicFile {
 public:
  // Errors name the path and the system's reason.
  static absl::StatusOr<AtomicFile> Create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  ~AtomicFile();

  // Appends; a short write is an error.
  absl::Status Write(absl::string_view bytes);
  // Flushes to the disk and renames. No call may follow.
  absl::Status Commit();
  void KeepPartial() { keep_partial_ = true; }

  const std::string& partial_path() const { return partial_path_; }

 private:
  AtomicFile(std::string path, int descriptor);
  void Abandon();

  std::string path_;
  std::string partial_path_;
  int descriptor_ = -1;
  bool keep_partial_ = false;
  // Bytes written since the disk was last told to take them.
  uint64_t unflushed_ = 0;
};

// Create, Write and Commit in one.
absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view bytes);

// The whole file. Errors name the path and the reason; a folder is an error.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path);

// Refuses an output that is one of the inputs, under whatever name: writing it
// would destroy what the command was given. Inputs that do not exist are passed
// over.
absl::Status CheckDistinct(const std::string& output,
                           const std::vector<std::string>& inputs);

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_ATOMIC_FILE_H_
