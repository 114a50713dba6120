#include "data/trace/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilebound {

absl::StatusOr<MappedFile> MappedFile::Open(const std::string& path) {
  const auto error = [&path](absl::string_view reason) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": ", reason));
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return error(std::strerror(errno));
  struct stat info;
  std::string reason;
  void* at = nullptr;
  if (fstat(descriptor, &info) != 0) {
    reason = std::strerror(errno);
  } else if (!S_ISREG(info.st_mode)) {
    reason = "it is not a plain file";
  } else if (info.st_size > 0) {
    at = mmap(nullptr, info.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED) reason = std::strerror(errno);
  }
  close(descriptor);
  if (!reason.empty()) return error(reason);
  return MappedFile(absl::string_view(static_cast<const char*>(at),
                                      static_cast<size_t>(info.st_size)));
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace tilebound
