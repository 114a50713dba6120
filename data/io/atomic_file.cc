#include "data/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"

namespace tilebound {
namespace {

// Of a large file, the disk gets what is written in pieces of this many bytes
// while the rest is made, so that Commit() need not wait for all of it.
constexpr uint64_t kFlushAt = 32 << 20;

absl::Status SystemError(absl::string_view what, const std::string& path) {
  const std::string message =
      absl::StrCat("cannot ", what, " ", path, ": ", std::strerror(errno));
  return errno == ENOENT ? absl::NotFoundError(message)
                         : absl::InvalidArgumentError(message);
}

}  // namespace

AtomicFile::AtomicFile(std::string path, int descriptor)
    : path_(std::move(path)),
      partial_path_(absl::StrCat(path_, ".partial")),
      descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      partial_path_(std::move(other.partial_path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      keep_partial_(other.keep_partial_),
      unflushed_(other.unflushed_) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    Abandon();
    path_ = std::move(other.path_);
    partial_path_ = std::move(other.partial_path_);
    descriptor_ = std::exchange(other.descriptor_, -1);
    keep_partial_ = other.keep_partial_;
    unflushed_ = other.unflushed_;
  }
  return *this;
}

AtomicFile::~AtomicFile() { Abandon(); }

void AtomicFile::Abandon() {
  if (descriptor_ < 0) return;
  close(std::exchange(descriptor_, -1));
  if (!keep_partial_) unlink(partial_path_.c_str());
}

absl::StatusOr<AtomicFile> AtomicFile::Create(const std::string& path) {
  struct stat existing;
  if (path.empty() || path.back() == '/' ||
      (stat(path.c_str(), &existing) == 0 && S_ISDIR(existing.st_mode))) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write \"", path, "\": a file name is needed"));
  }
  // A rename would put a plain file in the place of a device or a link.
  struct stat self;
  if (lstat(path.c_str(), &self) == 0 && !S_ISREG(self.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot write ", path,
        ": it is a link, a device or a pipe; a plain file or a new name is "
        "accepted"));
  }
  const std::string partial = absl::StrCat(path, ".partial");
  const int descriptor =
      open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return SystemError("write", partial);
  return AtomicFile(path, descriptor);
}

absl::Status AtomicFile::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(descriptor_, bytes.data(), bytes.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return SystemError("write", partial_path_);
    }
    bytes.remove_prefix(n);
    unflushed_ += n;
  }
  if (unflushed_ >= kFlushAt) {
    unflushed_ = 0;
#ifdef SYNC_FILE_RANGE_WRITE
    // A hint: what fails here, Commit() tells.
    sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
#endif
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::Commit() {
  // A pipe or /dev/stdout has nothing to sync, which is no error.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    return SystemError("flush", partial_path_);
  }
  if (rename(partial_path_.c_str(), path_.c_str()) != 0) {
    return SystemError("rename to its final name", partial_path_);
  }
  if (close(std::exchange(descriptor_, -1)) != 0) {
    return SystemError("close", path_);
  }
  return absl::OkStatus();
}

absl::Status WriteFileAtomically(const std::string& path,
                                 absl::string_view bytes) {
  TILEBOUND_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  TILEBOUND_RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return SystemError("read", path);
  struct stat status;
  if (fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISDIR(status.st_mode)) {
    close(descriptor);
    return absl::InvalidArgumentError(absl::StrCat(
        "cannot read ", path, ": it is no plain file, and may never end"));
  }
  std::string bytes;
  char buffer[1 << 16];
  ssize_t n;
  while ((n = read(descriptor, buffer, sizeof(buffer))) != 0) {
    if (n < 0) {
      if (errno == EINTR) continue;
      const absl::Status error = SystemError("read", path);
      close(descriptor);
      return error;
    }
    bytes.append(buffer, n);
  }
  close(descriptor);
  return bytes;
}

absl::Status CheckDistinct(const std::string& output,
                           const std::vector<std::string>& inputs) {
  struct stat out, in;
  if (stat(output.c_str(), &out) != 0) return absl::OkStatus();
  for (const std::string& input : inputs) {
    if (stat(input.c_str(), &in) == 0 && in.st_dev == out.st_dev &&
        in.st_ino == out.st_ino) {
      return absl::InvalidArgumentError(
          absl::StrCat("cannot write ", output, ": it is the input ", input,
                       "; another name is accepted"));
    }
  }
  return absl::OkStatus();
}

}  // namespace tilebound
