// Bytes that are read a window at a time: those of a file too large to hold, or
// of a string.
//
//   auto source = ByteSource::Open("a.tbtrace");
//   ByteWindow window(*source);                  // one for each thread
//   absl::string_view head = window.At(0, 8);    // until the next At()
//
// A copy into a buffer that stays in the cache costs less than mapping the
// file: on a virtual machine the first touch of each mapped page is a fault in
// the host, and all of them together were a quarter of the time that checking a
// large trace took.
#ifndef TILEBOUND_DATA_TRACE_BYTE_SOURCE_H_
#define TILEBOUND_DATA_TRACE_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tilebound {

class ByteSource {
 public:
  // Errors name the path and the reason; what is no plain file is an error.
  static absl::StatusOr<ByteSource> Open(const std::string& path);
  explicit ByteSource(std::string bytes);
  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&& other) noexcept;
  ~ByteSource();

  uint64_t size() const { return size_; }

 private:
  friend class ByteWindow;
  ByteSource(int descriptor, uint64_t size);

  // -1 for bytes in memory.
  int descriptor_ = -1;
  std::string bytes_;
  uint64_t size_ = 0;
};

class ByteWindow {
 public:
  // The source must outlive the window.
  explicit ByteWindow(const ByteSource& source) : source_(source) {}

  // `size` bytes from `offset` on; fewer where the source ends before, or
  // cannot be read any further.
  absl::string_view At(uint64_t offset, uint64_t size);

 private:
  const ByteSource& source_;
  // What was read last of a file, and where it begins there.
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t filled_ = 0;
  uint64_t begin_ = 0;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_BYTE_SOURCE_H_
