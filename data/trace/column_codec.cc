#include "data/trace/column_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilebound {
namespace {

static_assert(std::endian::native == std::endian::little,
              "groups are read eight bytes at a time");

uint64_t Load64(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// `at` must have eight readable bytes after the group's last.
void UnpackPadded(const char* at, uint64_t least, unsigned width,
                  int64_t* values, size_t count) {
  if (width <= 56) {
    const uint64_t mask = (uint64_t{1} << width) - 1;
    for (size_t i = 0; i < count; ++i) {
      const size_t bit = i * width;
      values[i] = static_cast<int64_t>(
          least + ((Load64(at + (bit >> 3)) >> (bit & 7)) & mask));
    }
    return;
  }
  const uint64_t mask = ~uint64_t{0} >> (64 - width);
  for (size_t i = 0; i < count; ++i) {
    const size_t bit = i * width;
    const unsigned shift = bit & 7;
    uint64_t word = Load64(at + (bit >> 3)) >> shift;
    if (shift != 0) {
      const auto high = static_cast<unsigned char>(at[(bit >> 3) + 8]);
      word |= uint64_t{high} << (64 - shift);
    }
    values[i] = static_cast<int64_t>(least + (word & mask));
  }
}

}  // namespace

void AppendVarint(uint64_t value, std::string& bytes) {
  while (value >= 0x80) {
    bytes.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes.push_back(static_cast<char>(value));
}

bool ConsumeVarint(absl::string_view& bytes, uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (i == 9 && byte > 1) return false;
    value |= uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

void AppendColumn(const std::vector<int64_t>& values, std::string& bytes) {
  for (size_t first = 0; first < values.size(); first += kColumnGroup) {
    const size_t count = std::min(kColumnGroup, values.size() - first);
    const int64_t* group = values.data() + first;
    const auto [least, most] = std::minmax_element(group, group + count);
    const auto base = static_cast<uint64_t>(*least);
    const unsigned width = std::bit_width(static_cast<uint64_t>(*most) - base);
    AppendVarint(ZigZag(*least), bytes);
    bytes.push_back(static_cast<char>(width));
    const size_t start = bytes.size();
    const size_t packed = (count * width + 7) / 8;
    bytes.resize(start + packed + sizeof(uint64_t));
    char* out = bytes.data() + start;
    unsigned __int128 pending = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < count; ++i) {
      const uint64_t offset = static_cast<uint64_t>(group[i]) - base;
      pending |= static_cast<unsigned __int128>(offset) << bits;
      bits += width;
      if (bits >= 64) {
        const auto word = static_cast<uint64_t>(pending);
        std::memcpy(out, &word, sizeof(word));
        out += sizeof(word);
        pending >>= 64;
        bits -= 64;
      }
    }
    const auto word = static_cast<uint64_t>(pending);
    std::memcpy(out, &word, sizeof(word));
    bytes.resize(start + packed);
  }
}

bool ReadColumn(absl::string_view bytes, int64_t* values, size_t count) {
  while (count > 0) {
    const size_t n = std::min(kColumnGroup, count);
    uint64_t least;
    if (!ConsumeVarint(bytes, least) || bytes.empty()) return false;
    const auto width = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    const size_t packed = (n * width + 7) / 8;
    if (width > 64 || packed > bytes.size()) return false;
    const auto base = static_cast<uint64_t>(UnZigZag(least));
    if (bytes.size() >= packed + sizeof(uint64_t)) {
      UnpackPadded(bytes.data(), base, width, values, n);
    } else {
      char padded[kColumnGroup * 8 + 2 * sizeof(uint64_t)] = {};
      std::memcpy(padded, bytes.data(), packed);
      UnpackPadded(padded, base, width, values, n);
    }
    bytes.remove_prefix(packed);
    values += n;
    count -= n;
  }
  return bytes.empty();
}

}  // namespace tilebound
