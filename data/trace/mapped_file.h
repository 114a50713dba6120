// A file's bytes in place, for reading what is too large to copy.
//
//   TILEBOUND_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open("a.tbtrace"));
//   absl::string_view bytes = file.bytes();
//
// The file must not be shortened while it is mapped.
#ifndef TILEBOUND_DATA_TRACE_MAPPED_FILE_H_
#define TILEBOUND_DATA_TRACE_MAPPED_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tilebound {

class MappedFile {
 public:
  // Errors name the path and the reason; a folder is an error.
  static absl::StatusOr<MappedFile> Open(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  absl::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(absl::string_view bytes) : bytes_(bytes) {}

  absl::string_view bytes_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_MAPPED_FILE_H_
