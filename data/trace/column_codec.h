// How a bulk column of a trace is packed into bytes.
//
// Use it for columns with one value per tile: neighbours are alike, so what a
// value needs is its distance from the least of its group. Reading one back
// costs about a nanosecond and no branch, which a varint cannot do.
//
//   std::string bytes;
//   AppendColumn({-3, 5, 4}, bytes);
//   std::vector<int64_t> values(3);
//   bool whole = ReadColumn(bytes, values.data(), 3);
//
// Coding: values go in groups of kColumnGroup, the last group having the rest.
// A group is the least value as a zigzag varint, one byte W (0 to 64), and then
// (value - least) of each in W bits, lowest bit first, padded to whole bytes.
#ifndef TILEBOUND_DATA_TRACE_COLUMN_CODEC_H_
#define TILEBOUND_DATA_TRACE_COLUMN_CODEC_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tilebound {

inline constexpr size_t kColumnGroup = 128;

// Values to become a group of a column, kColumnGroup at most.
//
//   ColumnGroup group;
//   for (int64_t value : {-3, 5, 4}) group.Add(value);
//   group.AppendTo(bytes);
class ColumnGroup {
 public:
  void Add(int64_t value) {
    values_[count_++] = value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
  // Appends the group to a column that holds whole groups so far. Once, and
  // only with values.
  void AppendTo(std::string& bytes);

 private:
  size_t count_ = 0;
  int64_t least_ = std::numeric_limits<int64_t>::max();
  int64_t most_ = std::numeric_limits<int64_t>::min();
  int64_t values_[kColumnGroup];
};

// Appends `values` to `bytes`. A buffer is grown, not returned, because the
// writer reuses it for every chunk.
void AppendColumn(const std::vector<int64_t>& values, std::string& bytes);

// Fills values[0 .. count-1]. False if `bytes` does not hold exactly `count`
// values.
bool ReadColumn(absl::string_view bytes, int64_t* values, size_t count);

// The most values that a column of so many bytes can hold; lets a reader refuse
// a count before it makes room for it.
constexpr size_t MostColumnValues(size_t bytes) {
  return bytes / 2 * kColumnGroup;
}

// Varints as protobuf writes them.
void AppendVarint(uint64_t value, std::string& bytes);
// Takes one off the front; false if there is none.
bool ConsumeLongVarint(absl::string_view& bytes, uint64_t& value);
inline bool ConsumeVarint(absl::string_view& bytes, uint64_t& value) {
  // Most are of one byte.
  if (bytes.empty() || (bytes[0] & 0x80) != 0) {
    return ConsumeLongVarint(bytes, value);
  }
  value = static_cast<unsigned char>(bytes[0]);
  bytes.remove_prefix(1);
  return true;
}

constexpr uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^
         static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_COLUMN_CODEC_H_
