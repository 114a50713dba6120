#include "data/trace/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilebound {
namespace {

// Read behind what is asked for: the next frame's first bytes, mostly.
constexpr uint64_t kBehind = 4096;

// As many of `size` bytes as there are.
size_t ReadAt(int descriptor, uint64_t offset, char* at, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const ssize_t n = pread(descriptor, at + filled, size - filled,
                            static_cast<off_t>(offset + filled));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    filled += static_cast<size_t>(n);
  }
  return filled;
}

}  // namespace

absl::StatusOr<ByteSource> ByteSource::Open(const std::string& path) {
  const auto error = [&path](absl::string_view reason) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": ", reason));
  };
  // Without O_NONBLOCK a pipe that nobody writes to would hold us here.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return error(std::strerror(errno));
  struct stat info;
  if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)) {
    return ByteSource(descriptor, static_cast<uint64_t>(info.st_size));
  }
  close(descriptor);
  return error("it is not a plain file");
}

ByteSource::ByteSource(std::string bytes)
    : bytes_(std::move(bytes)), size_(bytes_.size()) {}

ByteSource::ByteSource(int descriptor, uint64_t size)
    : descriptor_(descriptor), size_(size) {}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(std::move(other.bytes_)),
      size_(std::exchange(other.size_, 0)) {}

ByteSource& ByteSource::operator=(ByteSource&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  std::swap(size_, other.size_);
  return *this;
}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) close(descriptor_);
}

absl::string_view ByteWindow::At(uint64_t offset, uint64_t size) {
  offset = std::min(offset, source_.size_);
  size = std::min(size, source_.size_ - offset);
  if (source_.descriptor_ < 0) {
    return absl::string_view(source_.bytes_).substr(offset, size);
  }
  if (offset < begin_ || offset - begin_ + size > filled_) {
    const uint64_t wanted = std::min(size + kBehind, source_.size_ - offset);
    if (wanted > capacity_) {
      capacity_ = wanted + wanted / 2;
      buffer_.reset(new char[capacity_]);
    }
    begin_ = offset;
    filled_ = ReadAt(source_.descriptor_, offset, buffer_.get(), wanted);
  }
  const absl::string_view window(buffer_.get(), filled_);
  return window.substr(std::min<size_t>(offset - begin_, filled_), size);
}

}  // namespace tilebound
