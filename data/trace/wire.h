// Walks the fields of a serialized protobuf message without copying them.
//
// Use it where parsing into a generated class would cost a copy of every
// column; anything else should use the generated class.
//
//   WireReader wire(bytes);
//   while (wire.Next()) {
//     if (wire.field() == 8) columns = wire.bytes();
//   }
//   if (!wire.ok()) ...
//
// Given the size of the message, the bytes may be its first ones only: a field
// that they are too few for is then told with what there is of it, and no
// further one can be read.
#ifndef TILEBOUND_DATA_TRACE_WIRE_H_
#define TILEBOUND_DATA_TRACE_WIRE_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace tilebound {

class WireReader {
 public:
  explicit WireReader(absl::string_view bytes)
      : WireReader(bytes, bytes.size()) {}
  WireReader(absl::string_view first_bytes, uint64_t size)
      : rest_(first_bytes), unread_(size - first_bytes.size()) {}

  // Moves to the next field; false at the end and on malformed bytes.
  bool Next();
  // Whether the bytes were whole so far.
  bool ok() const { return ok_; }

  uint32_t field() const { return field_; }
  // Whether the field is a varint (number()) or length-delimited (bytes());
  // fixed-width fields are neither and are passed over.
  bool is_number() const { return type_ == 0; }
  bool is_bytes() const { return type_ == 2; }
  uint64_t number() const { return number_; }
  // The field's content, and its size, which is more if the bytes were too few.
  absl::string_view bytes() const { return bytes_; }
  uint64_t size() const { return size_; }

 private:
  absl::string_view rest_;
  // Bytes of the message behind rest_.
  uint64_t unread_;
  bool ok_ = true;
  uint32_t field_ = 0;
  uint32_t type_ = 0;
  uint64_t number_ = 0;
  absl::string_view bytes_;
  uint64_t size_ = 0;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_WIRE_H_
