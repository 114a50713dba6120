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
#ifndef TILEBOUND_DATA_TRACE_WIRE_H_
#define TILEBOUND_DATA_TRACE_WIRE_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace tilebound {

class WireReader {
 public:
  explicit WireReader(absl::string_view bytes) : rest_(bytes) {}

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
  absl::string_view bytes() const { return bytes_; }

 private:
  absl::string_view rest_;
  bool ok_ = true;
  uint32_t field_ = 0;
  uint32_t type_ = 0;
  uint64_t number_ = 0;
  absl::string_view bytes_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_WIRE_H_
